package io.github.broadloom.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.util.Random;

/** What the arrays in {@code src/test/resources/formats} hold, as {@code make_fixtures.py} says it, too. */
public final class Formula {
    private Formula() {}

    /**
     * The value of element {@code i} in row-major order.
     *
     * @param type NumPy's name of what the file holds, which may be wider or narrower than what it is read as
     */
    public static double value(String type, long i) {
        long n = (i * 37 + 11) % 100;
        return switch (type) {
            case "bool" -> n % 2;
            case "uint8" -> n * 2;
            case "uint16" -> n * 650;
            case "uint32" -> n * 43_000_000L;
            case "int8" -> n - 50;
            case "int16" -> (n - 50) * 300;
            case "int32" -> (n - 50) * 70_000L;
            case "int64" -> (n - 50) * 5_000_000_000L;
            case "float16", "bfloat16", "float32", "float64" -> (n - 50) * 0.25;
            default -> throw new IllegalArgumentException(type);
        };
    }

    /** That an array has those values, read whole and in random boxes. */
    public static void assertHolds(StoredArray array, String type) throws IOException {
        assertHolds(array, i -> value(type, i));
    }

    /** A value of an element in row-major order. */
    public interface Values {
        double at(long i);
    }

    public static void assertHolds(StoredArray array, Values values) throws IOException {
        Box all = Box.whole(array.shape());
        assertBox(array, all, values);
        Random random = new Random(array.shape().numel());
        for (int round = 0; round < 20 && !all.isEmpty() && all.rank() > 0; round++) {
            Box box = all;
            for (int d = 0; d < all.rank(); d++) {
                long start = random.nextInt((int) all.end(d));
                box = box.with(d, start, start + 1 + random.nextInt((int) (all.end(d) - start)));
            }
            assertBox(array, box, values);
        }
    }

    private static void assertBox(StoredArray array, Box box, Values values) throws IOException {
        Tensor read = array.reader().read(box);
        assertThat(read.dtype()).isEqualTo(array.dtype());
        assertThat(read.shape()).isEqualTo(box.shape());
        long[] index = box.starts();
        for (Object value : read.values()) {
            long i = 0;
            for (int d = 0; d < index.length; d++) {
                i = i * array.shape().size(d) + index[d];
            }
            double number = value instanceof Boolean truth ? truth ? 1 : 0 : ((Number) value).doubleValue();
            assertThat(number)
                    .as("element %d of %s, in %s", i, array.key(), box)
                    .isEqualTo((Double) values.at(i));
            int d = index.length - 1;
            while (d >= 0 && ++index[d] == box.end(d)) {
                index[d] = box.start(d);
                d--;
            }
        }
        read.release();
    }

    /** The dtype that elements of such a type are read as: unsigned ones as the next wider. */
    public static DType readAs(String type) {
        return switch (type) {
            case "uint16" -> DType.INT32;
            case "uint32" -> DType.INT64;
            default -> DType.of(type);
        };
    }
}
