package io.github.broadloom.peers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The values that every contender of the benchmark computes with: Broadloom's class {@code Inputs} has the formula. */
final class Values {
    private Values() {}

    /** Floats, for floating operands of any width. */
    static ByteBuffer floats(Job job, int number) {
        long count = job.operands().get(number).count();
        ByteBuffer buffer = direct(count * Float.BYTES);
        for (long i = 0; i < count; i++) {
            float unit = (bits(job, number, i) >>> 8) * 0x1p-24f;
            buffer.putFloat(number == 0 ? unit * 4 - 2 : unit + 0.25f);
        }
        return buffer.rewind();
    }

    /** Bytes from 0 to 255. */
    static ByteBuffer bytes(Job job, int number) {
        return upperBits(job, number, 8);
    }

    /** Bytes 0 and 1. */
    static ByteBuffer booleans(Job job, int number) {
        return upperBits(job, number, 1);
    }

    private static ByteBuffer upperBits(Job job, int number, int width) {
        long count = job.operands().get(number).count();
        ByteBuffer buffer = direct(count);
        for (long i = 0; i < count; i++) {
            buffer.put((byte) (bits(job, number, i) >>> (Integer.SIZE - width)));
        }
        return buffer.rewind();
    }

    private static int bits(Job job, int number, long index) {
        return (int) ((index % job.block() + 1 + 7919L * number) * 2_654_435_761L);
    }

    private static ByteBuffer direct(long bytes) {
        return ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
    }
}
