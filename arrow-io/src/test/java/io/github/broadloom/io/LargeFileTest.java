package io.github.broadloom.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.SequenceInputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Lengths that no array and no byte buffer has. */
class LargeFileTest {
    @TempDir
    Path folder;

    /** The file is sparse: it takes a few pages of the disk, and of memory. */
    @Test
    @EnabledForJreRange(max = JRE.JAVA_17)
    void mapsMoreThanTwoGibibytesOnJava17() throws IOException {
        mapsMoreThanTwoGibibytes();
    }

    @Test
    @EnabledForJreRange(minVersion = 22)
    void mapsMoreThanTwoGibibytesSinceJava22() throws IOException {
        mapsMoreThanTwoGibibytes();
    }

    private void mapsMoreThanTwoGibibytes() throws IOException {
        long rows = 3L << 20;
        Path path = folder.resolve("large.npy");
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            NpyHeader header = NpyHeader.of(DType.UINT8, Shape.of(rows, 1000));
            file.write(header.encode());
            file.setLength(header.dataOffset() + header.dataBytes());
            file.seek(header.dataOffset() + header.dataBytes() - 1);
            file.write(42);
        }
        long before = Memory.allocatedBytes();

        Tensor tensor = Npy.map(path);

        assertThat(tensor.get(rows - 1, 999)).isEqualTo(42L);
        assertThat(tensor.get(0, 0)).isEqualTo(0L);
        assertThat(Memory.allocatedBytes()).as("a mapped file is not allocated").isEqualTo(before);
    }

    @Test
    void aStreamThatClaimsATebibyteCostsNoMoreThanItHolds() {
        byte[] header = NpyHeader.of(DType.UINT8, Shape.of(1L << 40)).encode();
        InputStream hundredMegabytes = new InputStream() {
            private long left = 100_000_000;

            @Override
            public int read() {
                return left-- > 0 ? 0 : -1;
            }

            @Override
            public int read(byte[] target, int offset, int length) {
                int count = (int) Math.min(left, length);
                left -= count;
                return count == 0 ? -1 : count;
            }
        };
        InputStream in = new SequenceInputStream(new ByteArrayInputStream(header), hundredMegabytes);

        assertThatThrownBy(() -> Npy.read(in, "stream"))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("claims 1099511627776 bytes of uint8 [1099511627776], but only 100000000 follow");
    }
}
