package io.github.broadloom;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.BaseStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.AnnotationConsumer;
import org.junit.jupiter.params.support.ParameterDeclarations;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * A parameterised test of much that is alike: verify tries one case in so many, others in each run, and the profile full tries all. {@code -Dbroadloom.seed=N} tries again what a
 * run tried; it tells N.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@ArgumentsSource(SomeOf.Cases.class)
@Tag("some")
public @interface SomeOf {
    /** The test's static method that gives all cases. */
    String value();

    /** How many cases there are for each that verify tries. */
    int oneIn();

    /** Chooses the cases. */
    final class Cases implements ArgumentsProvider, AnnotationConsumer<SomeOf> {
        private static final String SEED = "broadloom.seed";

        private SomeOf some;

        @Override
        public void accept(SomeOf annotation) {
            some = annotation;
        }

        @Override
        public Stream<Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
            List<?> all = all(context.getRequiredTestClass());
            if (Boolean.getBoolean("broadloom.test.all")) {
                return all.stream().map(Cases::arguments);
            }
            long seed = Long.getLong(SEED, System.nanoTime());
            System.out.println("one in " + some.oneIn() + " of " + all.size() + ": -D" + SEED + "=" + seed);
            int step = Math.min(some.oneIn(), all.size());
            int first = new SplittableRandom(seed).nextInt(step);
            return IntStream.range(0, all.size()).filter(i -> i % step == first).mapToObj(i -> arguments(all.get(i)));
        }

        private List<?> all(Class<?> test) {
            Method method = ReflectionSupport.findMethod(test, some.value())
                    .orElseThrow(() -> new IllegalArgumentException("Cannot find " + some.value() + " of " + test));
            Object cases = ReflectionSupport.invokeMethod(method, null);
            if (cases instanceof Collection<?> collection) {
                return List.copyOf(collection);
            }
            List<Object> all = new ArrayList<>();
            ((BaseStream<?, ?>) cases).iterator().forEachRemaining(all::add);
            return all;
        }

        private static Arguments arguments(Object one) {
            return one instanceof Arguments arguments ? arguments : Arguments.of(one);
        }
    }
}
