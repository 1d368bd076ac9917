package io.github.broadloom.kernel;

import io.github.broadloom.cpu.code.DirectKernel;
import io.github.broadloom.cpu.simd.Casts;
import io.github.broadloom.cpu.simd.RowPieces;
import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.dtype.*;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

public final class DirectKernelOfRows implements DirectKernel {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final VectorSpecies FLOATS = FloatVector.SPECIES_256;
    private static final VectorSpecies INTS = IntVector.SPECIES_256;
    private static final VectorSpecies SHORTS = ShortVector.SPECIES_128;
    private static final VectorSpecies BYTES = ByteVector.SPECIES_64;

    public void run(Object[] in, int[] at, int[] steps, int rows, int columns) {
        RowPieces pieces = RowPieces.ofThread();
        ByteBuffer p0 = (ByteBuffer) in[0];
        float[] h0 = pieces.floats(0);
        ByteBuffer p1 = (ByteBuffer) in[1];
        ByteBuffer p2 = (ByteBuffer) in[2];
        for (int r = 0; r < rows; r++) {
            int a0 = at[0] + r * steps[0];
            int a1 = at[1] + r * steps[1];
            int a2 = at[2] + r * steps[2];
            float s1 = p1.getFloat(a1 + 4 * 0);
            FloatVector v1 = FloatVector.broadcast(FLOATS, s1);
            for (int first = 0; first < columns; first += 256) {
                int n = Math.min(columns - first, 256);
                int b0 = a0 + 2 * first;
                Casts.float16ToFloat32(pieces.stored(p0, b0, n), h0, n);
                int b2 = a2 + 4 * first;
                int whole = n & -8;
                for (int c = 0; c < whole; c += 8) {
                    FloatVector v0 = FloatVector.fromArray(FLOATS, h0, c);
                    FloatVector v2 = v0;
                    FloatVector v3 = ((FloatVector) v2.mul(v1));
                    v3.intoByteBuffer(p2, b2 + 4 * c, ORDER);
                }
                for (int c = whole; c < n; c++) {
                    float s0 = h0[c];
                    float s2 = (float) s0;
                    float s3 = (s2 * s1);
                    p2.putFloat(b2 + 4 * c, s3);
                }
            }
        }
    }

    public DirectKernel with(List numbers) {
        return this;
    }
}
