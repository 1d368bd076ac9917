package io.github.broadloom.cuda.compiler;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/** A compiled kernel as a file: how long its image is, what its checksum is, and the image, so that what is damaged is never run. */
final class CubinFile {
    /** Eight letters, the last of which is the version of the format; then the length of the image, and its CRC-32C. */
    private static final long MAGIC = 0x424c435542494e31L; // BLCUBIN1

    private static final int HEADER = 3 * Long.BYTES;

    private CubinFile() {}

    static byte[] of(byte[] image) {
        return ByteBuffer.allocate(HEADER + image.length)
                .putLong(MAGIC)
                .putLong(image.length)
                .putLong(checksum(image))
                .put(image)
                .array();
    }

    static Optional<byte[]> image(byte[] file) {
        ByteBuffer content = ByteBuffer.wrap(file);
        if (content.remaining() <= HEADER || content.getLong() != MAGIC) {
            return Optional.empty();
        }
        boolean whole = content.getLong() == content.remaining() - Long.BYTES;
        long checksum = content.getLong();
        byte[] image = new byte[content.remaining()];
        content.get(image);
        return whole && checksum == checksum(image) ? Optional.of(image) : Optional.empty();
    }

    private static long checksum(byte[] image) {
        CRC32C checksum = new CRC32C();
        checksum.update(image);
        return checksum.getValue();
    }
}
