package io.github.broadloom.cuda.code;

import io.github.broadloom.dtype.DType;

/** One field of the struct that is a kernel's only parameter. */
public sealed interface CudaArgument {
    /** The size of the field, which is also its alignment. */
    default int sizeBytes() {
        return Long.BYTES;
    }

    /**
     * A pointer into one of the buffers that a launch is given.
     *
     * @param slot which: the operands in the order of the specification, behind them the result, the error flag (one {@code unsigned},
     *     zero before the launch), the scratch memory, and the results of further reductions
     * @param byteOffset what is added to the buffer's address
     */
    record Address(int slot, long byteOffset) implements CudaArgument {}

    /**
     * A number that the call gives.
     *
     * @param number which: as {@link io.github.broadloom.kernels.KernelSpec#numbers} counts them
     * @param dtype of the value; of one that C computes as an {@code int} or a {@code float}, that is what is passed
     */
    record Given(int number, DType dtype) implements CudaArgument {
        @Override
        public int sizeBytes() {
            return Math.max(Integer.BYTES, dtype.bytes());
        }

        String type() {
            return dtype.valueType().cudaName();
        }

        String name() {
            return "c" + number;
        }
    }

    /** A 64-bit number. */
    record Long64(long value) implements CudaArgument {}

    /** A 32-bit number; unsigned ones keep their bits. */
    record Word(int value) implements CudaArgument {
        @Override
        public int sizeBytes() {
            return Integer.BYTES;
        }
    }
}
