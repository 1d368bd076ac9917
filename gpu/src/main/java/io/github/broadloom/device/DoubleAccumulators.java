package io.github.broadloom.device;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Float16;
import io.github.broadloom.expr.Reduction;
import io.github.broadloom.tensor.RawMemory;

/** Accumulators of floating values. One NaN stands for all, so that results have the same bits on every path. */
final class DoubleAccumulators extends Accumulators {

    DoubleAccumulators(Reduction reduction) {
        super(reduction, "double");
    }

    @Override
    public Object allocate(int count) {
        return new double[count];
    }

    @Override
    public void lift(DType dtype, Object elements, int count, Object into) {
        double[] to = (double[]) into;
        switch (dtype) {
            case FLOAT64 -> System.arraycopy(elements, 0, to, 0, count);
            case FLOAT32 -> {
                float[] from = (float[]) elements;
                for (int i = 0; i < count; i++) {
                    to[i] = from[i];
                }
            }
            default -> {
                short[] from = (short[]) elements;
                for (int i = 0; i < count; i++) {
                    to[i] = Float16.toFloat(from[i]);
                }
            }
        }
    }

    @Override
    public void store(Object values, int from, int count, double divisor, DType dtype, long address) {
        double[] source = (double[]) values;
        for (int i = 0; i < count; i++) {
            double value = source[from + i] / divisor;
            double canonical = Double.isNaN(value) ? Double.NaN : value;
            switch (dtype) {
                case FLOAT64 -> RawMemory.putDouble(address + 8L * i, canonical);
                case FLOAT32 -> RawMemory.putFloat(address + 4L * i, (float) canonical);
                default -> RawMemory.putShort(address + 2L * i, Float16.fromDouble(canonical));
            }
        }
    }
}
