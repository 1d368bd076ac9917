package io.github.broadloom.tensor;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class that leaves off-heap memory behind. It is registered for every test class of every module that has
 * this module's tests on its class path ({@code META-INF/services} and {@code junit-platform.properties}).
 *
 * <p>A class with static tensors, or one with instance fields and {@code Lifecycle.PER_CLASS}, clears them in an
 * {@code @AfterAll} method; the failure names the static fields that are still set.
 */
public final class NoLeaks implements AfterAllCallback {

    @Override
    public void afterAll(ExtensionContext context) {
        boolean nested =
                context.getParent().flatMap(ExtensionContext::getTestClass).isPresent();
        if (nested) {
            return; // the outer class may still hold what it lends to the inner one
        }
        try {
            Memory.awaitReleased();
        } catch (IllegalStateException leak) {
            Class<?> testClass = context.getRequiredTestClass();
            throw new AssertionError(
                    testClass.getName() + " leaks memory; static fields still set: " + staticFieldsSet(testClass),
                    leak);
        }
    }

    private static List<String> staticFieldsSet(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .filter(field -> !field.getType().isPrimitive() && isSet(field))
                .map(Field::getName)
                .toList();
    }

    private static boolean isSet(Field field) {
        try {
            field.setAccessible(true);
            return field.get(null) != null;
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
