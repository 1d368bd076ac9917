package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.VectorWords.BYTES;
import static io.github.broadloom.cpu.simd.VectorWords.EIGHT;
import static io.github.broadloom.cpu.simd.VectorWords.FLOATS;
import static io.github.broadloom.cpu.simd.VectorWords.INTS;
import static io.github.broadloom.cpu.simd.VectorWords.SHORTS;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/** {@link Widths} on the Vector API. */
final class VectorWidths implements Widths {
    private final ScalarWidths rest = new ScalarWidths();

    private static FloatVector floats(IntVector x) {
        return (FloatVector) x.convertShape(VectorOperators.I2F, FLOATS, 0);
    }

    @Override
    public void uint8ToInt32(byte[] x, int[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            VectorWords.bytes(x, i).and(0xff).intoArray(out, i);
        }
        rest.uint8ToInt32(x, out, i, to);
    }

    @Override
    public void int8ToInt32(byte[] x, int[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            VectorWords.bytes(x, i).intoArray(out, i);
        }
        rest.int8ToInt32(x, out, i, to);
    }

    @Override
    public void int16ToInt32(short[] x, int[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            VectorWords.shorts(x, i).intoArray(out, i);
        }
        rest.int16ToInt32(x, out, i, to);
    }

    @Override
    public void uint8ToFloat32(byte[] x, float[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            floats(VectorWords.bytes(x, i).and(0xff)).intoArray(out, i);
        }
        rest.uint8ToFloat32(x, out, i, to);
    }

    @Override
    public void int8ToFloat32(byte[] x, float[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            floats(VectorWords.bytes(x, i)).intoArray(out, i);
        }
        rest.int8ToFloat32(x, out, i, to);
    }

    @Override
    public void int16ToFloat32(short[] x, float[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            floats(VectorWords.shorts(x, i)).intoArray(out, i);
        }
        rest.int16ToFloat32(x, out, i, to);
    }

    /** 1 where the byte is not 0. */
    private static IntVector truths(byte[] x, int i) {
        return IntVector.broadcast(INTS, 1).blend(0, VectorWords.bytes(x, i).compare(VectorOperators.EQ, 0));
    }

    @Override
    public void boolToInt32(byte[] x, int[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            truths(x, i).intoArray(out, i);
        }
        rest.boolToInt32(x, out, i, to);
    }

    @Override
    public void boolToFloat32(byte[] x, float[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            floats(truths(x, i)).intoArray(out, i);
        }
        rest.boolToFloat32(x, out, i, to);
    }

    @Override
    public void int32ToInt8(int[] x, byte[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            IntVector a = IntVector.fromArray(INTS, x, i);
            ((ByteVector) a.convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(out, i);
        }
        rest.int32ToInt8(x, out, i, to);
    }

    @Override
    public void int32ToInt16(int[] x, short[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            IntVector a = IntVector.fromArray(INTS, x, i);
            ((ShortVector) a.convertShape(VectorOperators.I2S, SHORTS, 0)).intoArray(out, i);
        }
        rest.int32ToInt16(x, out, i, to);
    }

    @Override
    public void int32ToFloat32(int[] x, float[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            floats(IntVector.fromArray(INTS, x, i)).intoArray(out, i);
        }
        rest.int32ToFloat32(x, out, i, to);
    }

    @Override
    public void int32ToInt64(int[] x, long[] out, int from, int to) {
        int i = from;
        for (; i <= to - VectorDoubles.LANES; i += VectorDoubles.LANES) {
            IntVector a = IntVector.fromArray(VectorDoubles.INTS, x, i);
            ((LongVector) a.convertShape(VectorOperators.I2L, VectorDoubles.LONGS, 0)).intoArray(out, i);
        }
        rest.int32ToInt64(x, out, i, to);
    }

    @Override
    public void int32ToFloat64(int[] x, double[] out, int from, int to) {
        int i = from;
        for (; i <= to - VectorDoubles.LANES; i += VectorDoubles.LANES) {
            IntVector a = IntVector.fromArray(VectorDoubles.INTS, x, i);
            ((DoubleVector) a.convertShape(VectorOperators.I2D, VectorDoubles.DOUBLES, 0)).intoArray(out, i);
        }
        rest.int32ToFloat64(x, out, i, to);
    }

    @Override
    public void float32ToFloat64(float[] x, double[] out, int from, int to) {
        int i = from;
        for (; i <= to - VectorDoubles.LANES; i += VectorDoubles.LANES) {
            FloatVector a = FloatVector.fromArray(VectorDoubles.FLOATS, x, i);
            ((DoubleVector) a.convertShape(VectorOperators.F2D, VectorDoubles.DOUBLES, 0)).intoArray(out, i);
        }
        rest.float32ToFloat64(x, out, i, to);
    }

    @Override
    public void float64ToFloat32(double[] x, float[] out, int from, int to) {
        int i = from;
        for (; i <= to - VectorDoubles.LANES; i += VectorDoubles.LANES) {
            DoubleVector a = DoubleVector.fromArray(VectorDoubles.DOUBLES, x, i);
            ((FloatVector) a.convertShape(VectorOperators.D2F, VectorDoubles.FLOATS, 0)).intoArray(out, i);
        }
        rest.float64ToFloat32(x, out, i, to);
    }
}
