package io.github.broadloom.codegen.cuda;

/** One field of the struct that is a kernel's only parameter. */
public sealed interface CudaArgument {

    /** The size of the field, which is also its alignment. */
    int sizeBytes();

    /**
     * A pointer into one of the buffers that a launch is given.
     *
     * @param slot which: the operands in the order of the specification, behind them the result, the error flag (one {@code unsigned},
     *     zero before the launch) and the scratch memory
     * @param byteOffset what is added to the buffer's address
     */
    record Address(int slot, long byteOffset) implements CudaArgument {
        @Override
        public int sizeBytes() {
            return Long.BYTES;
        }
    }

    /** A 64-bit number. */
    record Long64(long value) implements CudaArgument {
        @Override
        public int sizeBytes() {
            return Long.BYTES;
        }
    }

    /** A 32-bit number; unsigned ones keep their bits. */
    record Word(int value) implements CudaArgument {
        @Override
        public int sizeBytes() {
            return Integer.BYTES;
        }
    }
}
