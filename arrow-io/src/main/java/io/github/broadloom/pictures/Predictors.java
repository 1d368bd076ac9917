package io.github.broadloom.pictures;

import io.github.broadloom.codec.Shuffling;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.lang.ref.Reference;

/** What is done to the pixels of a tile before it is packed, undone. */
final class Predictors {
    private Predictors() {}

    /**
     * Sums differences of neighbouring pixels up again, in place.
     *
     * @param row the samples of a row
     * @param samples those of a pixel
     */
    static void differences(Tensor elements, int row, int samples) {
        int bytes = elements.dtype().bytes();
        long address = elements.address();
        long rows = elements.numel() / row;
        for (long r = 0; r < rows; r++) {
            long start = address + r * row * bytes;
            for (int i = samples; i < row; i++) {
                long at = start + (long) i * bytes;
                long before = at - (long) samples * bytes;
                switch (bytes) {
                    case 1 -> RawMemory.putByte(at, (byte) (RawMemory.getByte(at) + RawMemory.getByte(before)));
                    case 2 -> RawMemory.putShort(at, (short) (RawMemory.getShort(at) + RawMemory.getShort(before)));
                    case 4 -> RawMemory.putInt(at, RawMemory.getInt(at) + RawMemory.getInt(before));
                    default -> RawMemory.putLong(at, RawMemory.getLong(at) + RawMemory.getLong(before));
                }
            }
        }
        Reference.reachabilityFence(elements);
    }

    /**
     * Of Adobe's technical note 3: in each row first the highest bytes of all samples, then the next ones, as differences of bytes.
     *
     * @return the samples, the highest byte of each first
     */
    static byte[] floating(byte[] bytes, int row, int samples, int width) {
        int rowBytes = row * width;
        for (int start = 0; start + rowBytes <= bytes.length; start += rowBytes) {
            for (int i = samples; i < rowBytes; i++) {
                bytes[start + i] += bytes[start + i - samples];
            }
        }
        return Shuffling.unshuffled(bytes, rowBytes, width);
    }
}
