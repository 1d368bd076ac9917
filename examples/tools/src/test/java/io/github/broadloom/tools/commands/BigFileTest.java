package io.github.broadloom.tools.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.NpyHeader;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tools.ChildJvm;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file larger than the memory goes through: each task holds a chunk, and the driver none. */
@Tag("full") // fifteen seconds, for two gigabytes
class BigFileTest {
    private static final long ROWS = 2048;
    private static final long COLUMNS = 262_144; // 1 MiB a row, 2 GiB in all
    private static final long STEP = 128;

    @TempDir
    Path folder;

    @Test
    void twoGigabytesPassThroughAHeapOfOne() throws IOException, InterruptedException {
        long free = Files.getFileStore(folder).getUsableSpace();
        assumeTrue(free > 5L << 30, "needs 5 GiB of disk, " + (free >> 20) + " MiB are free in " + folder);
        Path in = folder.resolve("in.npy");
        Path out = folder.resolve("out.npy");
        int headerBytes = writeSparse(in);

        String said = ChildJvm.run(
                List.of("-Xmx1g", "-XX:MaxDirectMemorySize=1g", "-Dbroadloom.memory.limit=" + (1L << 30)),
                folder,
                "eval",
                "x * 2 + m",
                "--in",
                "x=" + in,
                "--in",
                "m=0.5",
                "--master",
                "local[2]",
                "--out",
                out.toString());
        assertThat(said).contains("float32 [2048, 262144]");
        checkSamples(out, headerBytes);
    }

    /** Zeros that take no room on the disk, and in every 128th row its number and, at the end, one more. */
    private static int writeSparse(Path file) throws IOException {
        byte[] header = NpyHeader.of(DType.FLOAT32, Shape.of(ROWS, COLUMNS)).encode();
        try (RandomAccessFile npy = new RandomAccessFile(file.toFile(), "rw")) {
            npy.write(header);
            npy.setLength(header.length + 4 * ROWS * COLUMNS);
            for (long row = 0; row < ROWS; row += STEP) {
                npy.seek(header.length + 4 * row * COLUMNS);
                npy.write(little(row));
                npy.seek(header.length + 4 * (row + 1) * COLUMNS - 4);
                npy.write(little(row + 1));
            }
        }
        return header.length;
    }

    private static void checkSamples(Path file, int headerBytes) throws IOException {
        assertThat(Files.size(file)).isEqualTo(headerBytes + 4 * ROWS * COLUMNS);
        try (RandomAccessFile npy = new RandomAccessFile(file.toFile(), "r")) {
            for (long row = 0; row < ROWS; row += STEP) {
                assertThat(at(npy, headerBytes, row * COLUMNS)).isEqualTo(2 * row + 0.5f);
                assertThat(at(npy, headerBytes, row * COLUMNS + COLUMNS / 3)).isEqualTo(0.5f);
                assertThat(at(npy, headerBytes, (row + 1) * COLUMNS - 1)).isEqualTo(2 * (row + 1) + 0.5f);
            }
            assertThat(at(npy, headerBytes, ROWS * COLUMNS - 1)).isEqualTo(0.5f);
        }
    }

    private static float at(RandomAccessFile npy, int headerBytes, long element) throws IOException {
        npy.seek(headerBytes + 4 * element);
        byte[] bytes = new byte[4];
        npy.readFully(bytes);
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getFloat();
    }

    private static byte[] little(float value) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(value)
                .array();
    }
}
