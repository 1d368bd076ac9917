package io.github.broadloom.device;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduction;
import io.github.broadloom.tensor.RawMemory;

/** Accumulators of integers and bools. Sums wrap at 64 bits. */
final class LongAccumulators extends Accumulators {

    LongAccumulators(Reduction reduction) {
        super(reduction, "long");
    }

    @Override
    public Object allocate(int count) {
        return new long[count];
    }

    @Override
    public void lift(DType dtype, Object elements, int count, Object into) {
        long[] to = (long[]) into;
        switch (dtype) {
            case INT64 -> System.arraycopy(elements, 0, to, 0, count);
            case INT32 -> {
                int[] from = (int[]) elements;
                for (int i = 0; i < count; i++) {
                    to[i] = from[i];
                }
            }
            case INT16 -> {
                short[] from = (short[]) elements;
                for (int i = 0; i < count; i++) {
                    to[i] = from[i];
                }
            }
            default -> {
                byte[] from = (byte[]) elements;
                int mask = dtype == DType.INT8 ? -1 : 0xff;
                for (int i = 0; i < count; i++) {
                    to[i] = from[i] & mask;
                }
            }
        }
    }

    @Override
    public void store(Object values, int from, int count, double divisor, DType dtype, long address) {
        long[] source = (long[]) values;
        for (int i = 0; i < count; i++) {
            long value = source[from + i];
            switch (dtype.bytes()) {
                case 8 -> RawMemory.putLong(address + 8L * i, value);
                case 4 -> RawMemory.putInt(address + 4L * i, (int) value);
                case 2 -> RawMemory.putShort(address + 2L * i, (short) value);
                default -> RawMemory.putByte(address + i, (byte) value);
            }
        }
    }
}
