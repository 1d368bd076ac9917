package io.github.broadloom.cpu.simd;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the contracts declare gives the same bits in plain loops and on the Vector API. */
class TwinsTest {
    private static final int CAPACITY = 80;
    private static final int MOST = 70;
    private static final List<Class<?>> CONTRACTS = List.of(
            Exponentials.class,
            Logarithms.class,
            Powers.class,
            Angles.class,
            Arcs.class,
            Sigmoids.class,
            Bells.class,
            Choices.class,
            Halves.class,
            Widths.class);

    private final Random random = new Random(42);

    static Stream<Arguments> methods() {
        return CONTRACTS.stream()
                .flatMap(contract -> Arrays.stream(contract.getDeclaredMethods())
                        .filter(method -> !method.isSynthetic())
                        .map(method -> Arguments.of(method.getName() + " of " + type(method), contract, method)));
    }

    private static String type(Method method) {
        return method.getParameterTypes()[0].getSimpleName();
    }

    @Test
    void testsRunWithTheVectorApi() {
        assertThat(Simd.isVectorized()).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void twinsGiveTheSameBitsAtEveryLengthAndOffset(String name, Class<?> contract, Method method) throws Exception {
        for (int length = 0; length <= MOST; length++) {
            compare(contract, method, random.nextInt(8), length);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    @Tag("full")
    void twinsGiveTheSameBitsForManyPatterns(String name, Class<?> contract, Method method) throws Exception {
        for (int round = 0; round < 2000; round++) {
            compare(contract, method, 0, MOST);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void aResultMayBeWrittenOverAnOperandOfItsType(String name, Class<?> contract, Method method) throws Exception {
        Object[] arguments = arguments(method, 0, MOST);
        int result = arguments.length - 3;
        for (int operand = 0; operand < result; operand++) {
            if (method.getParameterTypes()[operand] != method.getParameterTypes()[result]) {
                continue;
            }
            for (Object twin : twins(contract)) {
                Object[] apart = copied(arguments);
                call(twin, method, apart);
                Object[] over = copied(arguments);
                over[result] = over[operand];
                call(twin, method, over);
                assertThat(bits(over[result], MOST)).isEqualTo(bits(apart[result], MOST));
            }
        }
    }

    private void compare(Class<?> contract, Method method, int from, int length) throws Exception {
        Object[] arguments = arguments(method, from, length);
        Object[] plain = copied(arguments);
        Object[] vector = copied(arguments);
        call(twins(contract).get(0), method, plain);
        call(twins(contract).get(1), method, vector);
        for (int i = 0; i < arguments.length - 2; i++) {
            if (arguments[i].getClass().isArray()) {
                assertThat(bits(vector[i], CAPACITY))
                        .as("argument %d of %s, given %s", i, method, bits(arguments[0], CAPACITY))
                        .isEqualTo(bits(plain[i], CAPACITY));
            }
        }
    }

    /** The scalar one and the one on the Vector API. */
    private static List<Object> twins(Class<?> contract) throws ReflectiveOperationException {
        String name = contract.getPackageName() + ".Scalar" + contract.getSimpleName();
        return List.of(Class.forName(name).getDeclaredConstructor().newInstance(), Twins.vector(contract));
    }

    private static void call(Object twin, Method method, Object[] arguments) throws Exception {
        try {
            method.invoke(twin, arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(method.toString(), e.getCause());
        }
    }

    private Object[] arguments(Method method, int from, int length) {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length - 2; i++) {
            arguments[i] = types[i].isArray() ? filled(types[i].getComponentType()) : (Object) number();
        }
        arguments[types.length - 2] = from;
        arguments[types.length - 1] = from + length;
        return arguments;
    }

    private static Object[] copied(Object[] arguments) {
        Object[] copies = arguments.clone();
        for (int i = 0; i < copies.length; i++) {
            if (copies[i].getClass().isArray()) {
                copies[i] = Array.newInstance(copies[i].getClass().getComponentType(), CAPACITY);
                System.arraycopy(arguments[i], 0, copies[i], 0, CAPACITY);
            }
        }
        return copies;
    }

    private Object filled(Class<?> type) {
        Object array = Array.newInstance(type, CAPACITY);
        for (int i = 0; i < CAPACITY; i++) {
            if (type == float.class) {
                Array.setFloat(array, i, number());
            } else if (type == double.class) {
                Array.setDouble(array, i, wide());
            } else if (type == byte.class) {
                Array.setByte(array, i, (byte) (random.nextBoolean() ? random.nextInt(2) : random.nextInt()));
            } else if (type == short.class) {
                Array.setShort(array, i, (short) random.nextInt());
            } else if (type == int.class) {
                Array.setInt(array, i, random.nextBoolean() ? random.nextInt(3) : random.nextInt());
            } else {
                Array.setLong(array, i, random.nextLong());
            }
        }
        return array;
    }

    /** Of any size and kind, but more often of a size where functions are not yet flat. */
    private float number() {
        return switch (random.nextInt(8)) {
            case 0, 1 -> Float.intBitsToFloat(random.nextInt());
            case 2 -> special();
            case 3 -> random.nextInt(9) - 4;
            default -> (float) (random.nextGaussian() * Math.exp(random.nextGaussian() * 3));
        };
    }

    private double wide() {
        return switch (random.nextInt(4)) {
            case 0 -> Double.longBitsToDouble(random.nextLong());
            case 1 -> special();
            default -> random.nextGaussian() * Math.exp(random.nextGaussian() * 40);
        };
    }

    private float special() {
        float[] specials = {
            0f,
            Float.NaN,
            Float.POSITIVE_INFINITY,
            Float.MIN_VALUE,
            Float.MIN_NORMAL,
            Float.MAX_VALUE,
            65504,
            65519.996f,
            65520,
            0x1p-14f,
            0x1p-24f,
            0x1p-25f,
            0x1.8p-24f,
            1
        };
        float special = specials[random.nextInt(specials.length)];
        return random.nextBoolean() ? special : -special;
    }

    /** What is told apart: every bit, of NaN too. */
    private static List<Long> bits(Object array, int length) {
        Long[] bits = new Long[length];
        for (int i = 0; i < length; i++) {
            Object value = Array.get(array, i);
            bits[i] = value instanceof Float f
                    ? (long) Float.floatToRawIntBits(f)
                    : value instanceof Double d ? Double.doubleToRawLongBits(d) : ((Number) value).longValue();
        }
        return Arrays.asList(bits);
    }
}
