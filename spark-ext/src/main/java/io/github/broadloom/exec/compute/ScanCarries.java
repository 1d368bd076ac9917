package io.github.broadloom.exec.compute;

import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.exec.exchange.WholeOperands;
import io.github.broadloom.kernels.reduce.ScanCarry;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/**
 * What the rows before each chunk of a scan leave for it. Little of it travels with the code of the tasks, more in broadcast variables: one
 * for some neighbouring chunks, which only their tasks fetch.
 */
final class ScanCarries implements Serializable {
    private static final long serialVersionUID = 1L;

    /** A broadcast variable takes milliseconds to make and to drop, so it carries about as much. */
    private static final long BUNDLE_BYTES = 1 << 20;

    private final int[] firstChunks;
    private final Broadcast<byte[][]>[] bundles;
    private final byte @Nullable [][] carried;

    private ScanCarries(int[] firstChunks, Broadcast<byte[][]>[] bundles, byte @Nullable [][] carried) {
        this.firstChunks = firstChunks;
        this.bundles = bundles;
        this.carried = carried;
    }

    /** Those of a single chunk, before which there is nothing. */
    static ScanCarries none() {
        Builder builder = new Builder(bundle -> {
            throw new IllegalStateException("Nothing to broadcast");
        });
        builder.add(ScanCarry.NONE);
        return builder.build();
    }

    /** What the rows before a chunk leave. */
    ScanCarry before(int chunk) {
        byte[] bytes;
        if (carried != null) {
            bytes = carried[chunk];
        } else {
            int found = Arrays.binarySearch(firstChunks, chunk);
            int bundle = found >= 0 ? found : -found - 2;
            bytes = bundles[bundle].value()[chunk - firstChunks[bundle]];
        }
        return JavaBytes.read(bytes, ScanCarry.class);
    }

    /** Takes the carries in the order of the chunks. */
    static final class Builder {
        private final Function<byte[][], Broadcast<byte[][]>> broadcast;
        private final List<Integer> firstChunks = new ArrayList<>();
        private final List<Broadcast<byte[][]>> bundles = new ArrayList<>();
        private final List<byte[]> open = new ArrayList<>();
        private long openBytes;
        private int chunks;

        Builder(Function<byte[][], Broadcast<byte[][]>> broadcast) {
            this.broadcast = broadcast;
        }

        /** The last chunk whose carry is there. */
        int last() {
            return chunks - 1;
        }

        void add(ScanCarry carry) {
            byte[] bytes = JavaBytes.of(carry);
            open.add(bytes);
            openBytes += bytes.length;
            chunks++;
            if (openBytes >= BUNDLE_BYTES) {
                close();
            }
        }

        private void close() {
            firstChunks.add(chunks - open.size());
            bundles.add(broadcast.apply(open.toArray(byte[][]::new)));
            open.clear();
            openBytes = 0;
        }

        @SuppressWarnings({"unchecked", "rawtypes"})
        ScanCarries build() {
            boolean little = bundles.isEmpty() && openBytes <= WholeOperands.CARRIED_BYTES;
            if (!little && !open.isEmpty()) {
                close();
            }
            return new ScanCarries(
                    firstChunks.stream().mapToInt(Integer::intValue).toArray(),
                    bundles.toArray(new Broadcast[0]),
                    little ? open.toArray(byte[][]::new) : null);
        }
    }
}
