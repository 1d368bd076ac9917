package io.github.broadloom.kernel;

import io.github.broadloom.cpu.code.FoldKernel;
import java.util.List;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

public final class FoldedKernel implements FoldKernel {
    private static final VectorSpecies D = DoubleVector.SPECIES_PREFERRED;
    private static final VectorSpecies F = D.length() > 4 ? FloatVector.SPECIES_256 : FloatVector.SPECIES_PREFERRED;
    private static final int LANES = D.length();

    public void fold(Object[] in, int rows, int columns, Object result) {
        int r = 0;
        for (; r + 8 <= rows; r += 8) {
            part0(in, r, columns, result);
            part4(in, r, columns, result);
        }
    }

    private void part0(Object[] in, int r, int columns, Object result) {
        float[] in0 = (float[]) in[0];
        float[] in1 = (float[]) in[1];
        double[] out = (double[]) result;
        DoubleVector one = DoubleVector.broadcast(D, 1.0);
        float r0_0 = in0[r + 0];
        float r0_1 = in0[r + 1];
        float r0_2 = in0[r + 2];
        float r0_3 = in0[r + 3];
        int row = (r & -8) * columns + (r & 7) * LANES;
        for (int c = 0; c < columns; c += LANES) {
            int at = row + c * 8;
            FloatVector v0_0 = FloatVector.broadcast(F, r0_0);
            FloatVector v1_0 = FloatVector.fromArray(F, in1, at + 0 * LANES);
            FloatVector v2_0 = ((FloatVector) v0_0.sub(v1_0));
            FloatVector v3_0 = ((FloatVector) v2_0.mul(v2_0));
            DoubleVector s0 = (DoubleVector) v3_0.convertShape(VectorOperators.F2D, D, 0);
            FloatVector v0_1 = FloatVector.broadcast(F, r0_1);
            FloatVector v1_1 = FloatVector.fromArray(F, in1, at + 1 * LANES);
            FloatVector v2_1 = ((FloatVector) v0_1.sub(v1_1));
            FloatVector v3_1 = ((FloatVector) v2_1.mul(v2_1));
            DoubleVector s1 = (DoubleVector) v3_1.convertShape(VectorOperators.F2D, D, 0);
            FloatVector v0_2 = FloatVector.broadcast(F, r0_2);
            FloatVector v1_2 = FloatVector.fromArray(F, in1, at + 2 * LANES);
            FloatVector v2_2 = ((FloatVector) v0_2.sub(v1_2));
            FloatVector v3_2 = ((FloatVector) v2_2.mul(v2_2));
            DoubleVector s2 = (DoubleVector) v3_2.convertShape(VectorOperators.F2D, D, 0);
            FloatVector v0_3 = FloatVector.broadcast(F, r0_3);
            FloatVector v1_3 = FloatVector.fromArray(F, in1, at + 3 * LANES);
            FloatVector v2_3 = ((FloatVector) v0_3.sub(v1_3));
            FloatVector v3_3 = ((FloatVector) v2_3.mul(v2_3));
            DoubleVector s3 = (DoubleVector) v3_3.convertShape(VectorOperators.F2D, D, 0);
            s0 = (DoubleVector) s0.fma(one, s1);
            s2 = (DoubleVector) s2.fma(one, s3);
            s0 = (DoubleVector) s0.fma(one, s2);
            s0.intoArray(out, 2 * columns + c);
        }
    }

    private void part4(Object[] in, int r, int columns, Object result) {
        float[] in0 = (float[]) in[0];
        float[] in1 = (float[]) in[1];
        double[] out = (double[]) result;
        DoubleVector one = DoubleVector.broadcast(D, 1.0);
        float r0_4 = in0[r + 4];
        float r0_5 = in0[r + 5];
        float r0_6 = in0[r + 6];
        float r0_7 = in0[r + 7];
        int joins = 3 + Integer.numberOfTrailingZeros(~(r / 8));
        int row = (r & -8) * columns + (r & 7) * LANES;
        for (int c = 0; c < columns; c += LANES) {
            int at = row + c * 8;
            FloatVector v0_4 = FloatVector.broadcast(F, r0_4);
            FloatVector v1_4 = FloatVector.fromArray(F, in1, at + 4 * LANES);
            FloatVector v2_4 = ((FloatVector) v0_4.sub(v1_4));
            FloatVector v3_4 = ((FloatVector) v2_4.mul(v2_4));
            DoubleVector s4 = (DoubleVector) v3_4.convertShape(VectorOperators.F2D, D, 0);
            FloatVector v0_5 = FloatVector.broadcast(F, r0_5);
            FloatVector v1_5 = FloatVector.fromArray(F, in1, at + 5 * LANES);
            FloatVector v2_5 = ((FloatVector) v0_5.sub(v1_5));
            FloatVector v3_5 = ((FloatVector) v2_5.mul(v2_5));
            DoubleVector s5 = (DoubleVector) v3_5.convertShape(VectorOperators.F2D, D, 0);
            FloatVector v0_6 = FloatVector.broadcast(F, r0_6);
            FloatVector v1_6 = FloatVector.fromArray(F, in1, at + 6 * LANES);
            FloatVector v2_6 = ((FloatVector) v0_6.sub(v1_6));
            FloatVector v3_6 = ((FloatVector) v2_6.mul(v2_6));
            DoubleVector s6 = (DoubleVector) v3_6.convertShape(VectorOperators.F2D, D, 0);
            FloatVector v0_7 = FloatVector.broadcast(F, r0_7);
            FloatVector v1_7 = FloatVector.fromArray(F, in1, at + 7 * LANES);
            FloatVector v2_7 = ((FloatVector) v0_7.sub(v1_7));
            FloatVector v3_7 = ((FloatVector) v2_7.mul(v2_7));
            DoubleVector s7 = (DoubleVector) v3_7.convertShape(VectorOperators.F2D, D, 0);
            s4 = (DoubleVector) s4.fma(one, s5);
            s6 = (DoubleVector) s6.fma(one, s7);
            s4 = (DoubleVector) s4.fma(one, s6);
            s4 = DoubleVector.fromArray(D, out, 2 * columns + c).fma(one, s4);
            for (int level = 3; level < joins; level++) {
                s4 = DoubleVector.fromArray(D, out, level * columns + c).fma(one, s4);
            }
            s4.intoArray(out, joins * columns + c);
        }
    }

    public int lanes() {
        return LANES;
    }

    public void row(Object[] in, int r, int columns, float[] out) {
        float[] in0 = (float[]) in[0];
        float[] in1 = (float[]) in[1];
        float r0_0 = in0[r + 0];
        int row = (r & -8) * columns + (r & 7) * LANES;
        for (int c = 0; c < columns; c += LANES) {
            int at = row + c * 8;
            FloatVector v0_0 = FloatVector.broadcast(F, r0_0);
            FloatVector v1_0 = FloatVector.fromArray(F, in1, at + 0 * LANES);
            FloatVector v2_0 = ((FloatVector) v0_0.sub(v1_0));
            FloatVector v3_0 = ((FloatVector) v2_0.mul(v2_0));
            FloatVector v = v3_0;
            v.intoArray(out, c);
        }
    }

    public FoldKernel with(List numbers) {
        return this;
    }
}
