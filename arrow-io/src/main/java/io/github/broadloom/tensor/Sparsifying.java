package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;

/** Finds the entries of a dense tensor that are not zero; of NaN and of every nonzero number that is so, of -0.0 not. */
final class Sparsifying {
    private final Tensor dense;
    private final long blocks;
    private final long blockElements;
    private final Shape outer;

    private Sparsifying(Tensor dense, int sparseDims) {
        this.dense = dense.contiguous();
        this.outer = dense.shape().dims(0, sparseDims);
        this.blocks = dense.numel() == 0 ? 0 : outer.numel();
        this.blockElements = blocks == 0 ? 0 : dense.numel() / blocks;
    }

    /** The blocks along the leading {@code sparseDims} dimensions that have an element that is not zero. */
    static SparseTensor sparsify(Tensor dense, int sparseDims) {
        if (sparseDims < 0 || sparseDims > dense.rank()) {
            throw new IllegalArgumentException("dense_to_sparse: sparse_dim argument must be in [0," + dense.rank()
                    + "] range, but " + sparseDims + " is given");
        }
        if (sparseDims == 0 && dense.rank() > 0) {
            throw new IllegalArgumentException("dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0");
        }
        Sparsifying sparsifying = new Sparsifying(dense, sparseDims);
        try (Hold held = Hold.of(sparsifying.dense)) {
            return sparsifying.entries();
        }
    }

    private SparseTensor entries() {
        long nnz = 0;
        for (long block = 0; block < blocks; block++) {
            nnz += isZero(block) ? 0 : 1;
        }
        Tensor indices = Tensors.empty(DType.INT64, Shape.of(outer.rank(), nnz));
        Tensor values = Tensors.empty(dense.dtype(), SparseChecks.valuesShape(dense.shape(), outer.rank(), nnz));
        long blockBytes = blockElements * dense.dtype().bytes();
        long entry = 0;
        for (long block = 0; block < blocks; block++) {
            if (!isZero(block)) {
                RawMemory.copy(dense.address() + block * blockBytes, values.address() + entry * blockBytes, blockBytes);
                long rest = block;
                for (int dim = outer.rank() - 1; dim >= 0; dim--) {
                    RawMemory.putLong(indices.address() + Long.BYTES * (dim * nnz + entry), rest % outer.size(dim));
                    rest /= outer.size(dim);
                }
                entry++;
            }
        }
        return SparseTensor.ofChecked(indices, values, dense.shape(), true);
    }

    private boolean isZero(long block) {
        int width = dense.dtype().bytes();
        long start = dense.address() + block * blockElements * width;
        for (long at = start; at < start + blockElements * width; at += width) {
            if (!isZeroElement(at)) {
                return false;
            }
        }
        return true;
    }

    /** Of a floating number all bits but the sign, which is the highest. */
    private boolean isZeroElement(long at) {
        int sign = dense.dtype().isFloatingPoint() ? 1 : 0;
        return switch (dense.dtype().bytes()) {
            case 1 -> RawMemory.getByte(at) == 0;
            case 2 -> (short) (RawMemory.getShort(at) << sign) == 0;
            case 4 -> RawMemory.getInt(at) << sign == 0;
            default -> RawMemory.getLong(at) << sign == 0;
        };
    }
}
