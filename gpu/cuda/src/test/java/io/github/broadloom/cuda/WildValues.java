package io.github.broadloom.cuda;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/** Values of such different sizes that every order of additions has its own bits; some are equal, so that places count. */
final class WildValues {
    private WildValues() {}

    static Tensor tensor(Random random, DType dtype, long... shape) {
        Shape of = Shape.of(shape);
        List<Object> values = LongStream.range(0, of.numel())
                .mapToObj(i -> value(random, dtype))
                .toList();
        return Tensors.fromStorageValues(dtype, Layout.contiguous(of), values);
    }

    private static Object value(Random random, DType dtype) {
        return switch (dtype) {
            case BOOL -> random.nextInt(50) > 0;
            case FLOAT16, BFLOAT16 -> (double) random.nextInt(200) / 8 - 10;
            case FLOAT32 -> (double) (float) Math.scalb(random.nextGaussian(), random.nextInt(60) - 30);
            case FLOAT64 -> Math.scalb(random.nextGaussian(), random.nextInt(60) - 30);
            case UINT8 -> (long) random.nextInt(256);
            case INT8 -> (long) random.nextInt(256) - 128;
            case INT16 -> (long) random.nextInt(1 << 16) - (1 << 15);
            case INT32 -> (long) random.nextInt();
            case INT64 -> random.nextLong();
        };
    }
}
