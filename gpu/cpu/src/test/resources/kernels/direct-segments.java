package io.github.broadloom.kernel;

import io.github.broadloom.cpu.code.DirectKernel;
import io.github.broadloom.cpu.simd.Casts;
import io.github.broadloom.cpu.simd.RowPieces;
import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.dtype.*;
import io.github.broadloom.cpu.simd.Segments;
import java.lang.foreign.MemorySegment;
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
    private float n0;

    public void run(Object[] in, int[] at, int[] steps, int rows, int columns) {
        ByteBuffer p0 = (ByteBuffer) in[0];
        MemorySegment m0 = (MemorySegment) Segments.of(p0);
        ByteBuffer p1 = (ByteBuffer) in[1];
        ByteBuffer p2 = (ByteBuffer) in[2];
        MemorySegment m2 = (MemorySegment) Segments.of(p2);
        for (int r = 0; r < rows; r++) {
            int a0 = at[0] + r * steps[0];
            int a1 = at[1] + r * steps[1];
            int a2 = at[2] + r * steps[2];
            float s1 = p1.getFloat(a1 + 4 * 0);
            FloatVector v1 = FloatVector.broadcast(FLOATS, s1);
            float s3 = n0;
            FloatVector v3 = FloatVector.broadcast(FLOATS, s3);
            int n = columns;
            int whole = n & -8;
            for (int c = 0; c < whole; c += 8) {
                FloatVector v0 = FloatVector.fromMemorySegment(FLOATS, m0, a0 + 4 * c, ORDER);
                FloatVector v2 = ((FloatVector) v0.sub(v1));
                FloatVector v4 = ((FloatVector) v2.mul(v3));
                v4.intoMemorySegment(m2, a2 + 4 * c, ORDER);
            }
            for (int c = whole; c < n; c++) {
                float s0 = p0.getFloat(a0 + 4 * c);
                float s2 = (s0 - s1);
                float s4 = (s2 * s3);
                p2.putFloat(a2 + 4 * c, s4);
            }
        }
    }

    public DirectKernel with(List numbers) {
        DirectKernelOfRows kernel = new DirectKernelOfRows();
        kernel.set(numbers);
        return kernel;
    }

    private void set(List numbers) {
        n0 = ((Number) numbers.get(0)).floatValue();
    }
}
