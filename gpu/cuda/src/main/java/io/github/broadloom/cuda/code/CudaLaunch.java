package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.CudaArgument.Given;
import io.github.broadloom.cuda.code.CudaArgument.Long64;
import io.github.broadloom.cuda.code.CudaArgument.Word;
import io.github.broadloom.dtype.DType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * One run of a kernel over a one-dimensional grid. The kernel's only parameter is a struct, passed by value, which a driver copies
 * in one piece; its 8-byte fields stand first, so that it has no padding but at its end.
 *
 * @param source the kernel
 * @param blocks how many blocks there are, at least 1
 * @param threads how many threads a block has
 * @param arguments the fields of the struct, in order
 */
public record CudaLaunch(CudaSource source, int blocks, int threads, List<CudaArgument> arguments) {
    public CudaLaunch {
        arguments = List.copyOf(arguments);
        if (blocks < 1 || threads < 1) {
            throw new IllegalArgumentException("Cannot launch " + source.entry() + ": " + blocks + " blocks of "
                    + threads + " threads; there must be one of each at least");
        }
        for (int i = 1; i < arguments.size(); i++) {
            if (arguments.get(i - 1).sizeBytes() < arguments.get(i).sizeBytes()) {
                throw new IllegalArgumentException("Cannot pass " + arguments + " to " + source.entry()
                        + ": a word stands before 8 bytes; put the words last");
            }
        }
    }

    /** How many of a size hold a count. */
    static long ceilDiv(long count, long size) {
        return (count + size - 1) / size;
    }

    /**
     * The struct, little endian, in a whole number of 8 bytes.
     *
     * @param addresses the device addresses of the buffers, by {@linkplain Address#slot slot}; those beyond the last slot in use may be
     *     left out
     * @param numbers the Longs and Doubles that the call gives, as {@link io.github.broadloom.kernels.PointwiseProgram#numbers}
     */
    public byte[] parameters(long[] addresses, List<Object> numbers) {
        int sizeBytes = arguments.stream().mapToInt(CudaArgument::sizeBytes).sum();
        ByteBuffer struct = ByteBuffer.allocate((sizeBytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        for (CudaArgument argument : arguments) {
            if (argument instanceof Address address) {
                struct.putLong(addresses[address.slot()] + address.byteOffset());
            } else if (argument instanceof Given given) {
                put(struct, given.dtype(), (Number) numbers.get(given.number()));
            } else if (argument instanceof Long64 number) {
                struct.putLong(number.value());
            } else {
                struct.putInt(((Word) argument).value());
            }
        }
        return struct.array();
    }

    private static void put(ByteBuffer struct, DType dtype, Number value) {
        switch (dtype.valueType()) {
            case DOUBLE -> struct.putDouble(value.doubleValue());
            case LONG -> struct.putLong(value.longValue());
            case FLOAT -> struct.putFloat(value.floatValue());
            case BOOL, INT -> struct.putInt(value.intValue());
        }
    }
}
