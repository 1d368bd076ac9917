package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.VectorWords.BYTES;
import static io.github.broadloom.cpu.simd.VectorWords.EIGHT;
import static io.github.broadloom.cpu.simd.VectorWords.FLOATS;
import static io.github.broadloom.cpu.simd.VectorWords.INTS;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** {@link Choices} on the Vector API, eight at a time. */
final class VectorChoices implements Choices {
    private final ScalarChoices rest = new ScalarChoices();

    private static void store(VectorMask<Integer> truth, byte[] out, int i) {
        IntVector ones = IntVector.zero(INTS).blend(1, truth);
        ((ByteVector) ones.convertShape(VectorOperators.I2B, BYTES, 0)).intoArray(out, i);
    }

    @Override
    public void lt(float[] a, float[] b, byte[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            FloatVector left = FloatVector.fromArray(FLOATS, a, i);
            store(
                    left.compare(VectorOperators.LT, FloatVector.fromArray(FLOATS, b, i))
                            .cast(INTS),
                    out,
                    i);
        }
        rest.lt(a, b, out, i, to);
    }

    @Override
    public void le(float[] a, float[] b, byte[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            FloatVector left = FloatVector.fromArray(FLOATS, a, i);
            store(
                    left.compare(VectorOperators.LE, FloatVector.fromArray(FLOATS, b, i))
                            .cast(INTS),
                    out,
                    i);
        }
        rest.le(a, b, out, i, to);
    }

    @Override
    public void eq(float[] a, float[] b, byte[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            FloatVector left = FloatVector.fromArray(FLOATS, a, i);
            store(
                    left.compare(VectorOperators.EQ, FloatVector.fromArray(FLOATS, b, i))
                            .cast(INTS),
                    out,
                    i);
        }
        rest.eq(a, b, out, i, to);
    }

    @Override
    public void ne(float[] a, float[] b, byte[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            FloatVector left = FloatVector.fromArray(FLOATS, a, i);
            store(
                    left.compare(VectorOperators.NE, FloatVector.fromArray(FLOATS, b, i))
                            .cast(INTS),
                    out,
                    i);
        }
        rest.ne(a, b, out, i, to);
    }

    @Override
    public void lt(int[] a, int[] b, byte[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            IntVector left = IntVector.fromArray(INTS, a, i);
            store(left.compare(VectorOperators.LT, IntVector.fromArray(INTS, b, i)), out, i);
        }
        rest.lt(a, b, out, i, to);
    }

    @Override
    public void le(int[] a, int[] b, byte[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            IntVector left = IntVector.fromArray(INTS, a, i);
            store(left.compare(VectorOperators.LE, IntVector.fromArray(INTS, b, i)), out, i);
        }
        rest.le(a, b, out, i, to);
    }

    @Override
    public void eq(int[] a, int[] b, byte[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            IntVector left = IntVector.fromArray(INTS, a, i);
            store(left.compare(VectorOperators.EQ, IntVector.fromArray(INTS, b, i)), out, i);
        }
        rest.eq(a, b, out, i, to);
    }

    @Override
    public void ne(int[] a, int[] b, byte[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            IntVector left = IntVector.fromArray(INTS, a, i);
            store(left.compare(VectorOperators.NE, IntVector.fromArray(INTS, b, i)), out, i);
        }
        rest.ne(a, b, out, i, to);
    }

    @Override
    public void where(byte[] truth, float[] a, float[] b, float[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            IntVector left = FloatVector.fromArray(FLOATS, a, i).reinterpretAsInts();
            IntVector right = FloatVector.fromArray(FLOATS, b, i).reinterpretAsInts();
            chosen(VectorWords.bytes(truth, i), left, right)
                    .reinterpretAsFloats()
                    .intoArray(out, i);
        }
        rest.where(truth, a, b, out, i, to);
    }

    @Override
    public void where(byte[] truth, int[] a, int[] b, int[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            IntVector left = IntVector.fromArray(INTS, a, i);
            IntVector right = IntVector.fromArray(INTS, b, i);
            chosen(VectorWords.bytes(truth, i), left, right).intoArray(out, i);
        }
        rest.where(truth, a, b, out, i, to);
    }

    /** The left where the truth is not 0: one of it and its negative has the sign bit then. */
    private static IntVector chosen(IntVector truth, IntVector left, IntVector right) {
        IntVector holds = truth.or(truth.neg()).lanewise(VectorOperators.ASHR, 31);
        return right.lanewise(
                VectorOperators.XOR, left.lanewise(VectorOperators.XOR, right).and(holds));
    }

    @Override
    public void whereLt(float[] a, float[] b, float[] x, float[] y, float[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            FloatVector left = FloatVector.fromArray(FLOATS, a, i);
            VectorMask<Float> chosen = left.compare(VectorOperators.LT, FloatVector.fromArray(FLOATS, b, i));
            FloatVector.fromArray(FLOATS, y, i)
                    .blend(FloatVector.fromArray(FLOATS, x, i), chosen)
                    .intoArray(out, i);
        }
        rest.whereLt(a, b, x, y, out, i, to);
    }

    @Override
    public void whereLe(float[] a, float[] b, float[] x, float[] y, float[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            FloatVector left = FloatVector.fromArray(FLOATS, a, i);
            VectorMask<Float> chosen = left.compare(VectorOperators.LE, FloatVector.fromArray(FLOATS, b, i));
            FloatVector.fromArray(FLOATS, y, i)
                    .blend(FloatVector.fromArray(FLOATS, x, i), chosen)
                    .intoArray(out, i);
        }
        rest.whereLe(a, b, x, y, out, i, to);
    }
}
