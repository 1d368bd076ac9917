package io.github.broadloom.tools.commands;

import io.github.broadloom.plan.Settings;
import io.github.broadloom.tools.console.ByteSize;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that describe a cluster which nobody has to have. */
final class DryRunCluster {
    @Option(
            names = "--executors",
            paramLabel = "N",
            defaultValue = "10",
            description = "How many executors the cluster has (default: ${DEFAULT-VALUE}).")
    private int executors;

    @Option(
            names = "--cores",
            paramLabel = "N",
            defaultValue = "4",
            description = "How many tasks each executor runs at a time (default: ${DEFAULT-VALUE}).")
    private int cores;

    @Option(
            names = "--executor-memory",
            paramLabel = "BYTES",
            defaultValue = "16g",
            converter = ByteSize.Converter.class,
            description = "The off-heap memory of each executor, which its tasks share (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // picocli fills in the default
    private ByteSize memory;

    @Option(
            names = "--chunk-bytes",
            paramLabel = "BYTES",
            converter = ByteSize.Converter.class,
            description = "About how large a chunk is, where nothing else decides (default: 8 to 64 MiB, two for each"
                    + " task that runs at a time).")
    private @Nullable ByteSize chunkBytes;

    @Option(
            names = "--replicate-bytes",
            paramLabel = "BYTES",
            converter = ByteSize.Converter.class,
            description = "The largest operand that is copied to every executor (default: 512MiB).")
    private @Nullable ByteSize replicateBytes;

    int executors() {
        return executors;
    }

    /** As Broadloom would have them on such a cluster. */
    Settings settings() {
        Settings settings = Settings.defaults().withExecutors(executors, cores, memory.bytes());
        if (chunkBytes != null) {
            settings = settings.withChunkBytes(chunkBytes.bytes());
        }
        return replicateBytes == null ? settings : settings.withReplicateBytes(replicateBytes.bytes());
    }
}
