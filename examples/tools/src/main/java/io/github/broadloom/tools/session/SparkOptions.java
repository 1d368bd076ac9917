package io.github.broadloom.tools.session;

import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tools.console.ByteSize;
import io.github.broadloom.tools.console.Complaint;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a tool that runs on Spark: {@code --master}, {@code --device} and {@code --chunk-bytes}. */
public final class SparkOptions {
    @Option(
            names = "--master",
            paramLabel = "URL",
            description = "Spark's master: local[*], local[N], local-cluster[N,CORES,MIB], spark://HOST:PORT, yarn,"
                    + " k8s://HOST (default: what spark-submit gives, else local[*]).")
    private @Nullable String master;

    @Option(
            names = "--chunk-bytes",
            paramLabel = "BYTES",
            converter = ByteSize.Converter.class,
            description =
                    "About how large a chunk is, as 65536, 512k, 16MiB (default: what spark.broadloom.chunkBytes says, else what suits the cluster).")
    private @Nullable ByteSize chunkBytes;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli makes it
    private DeviceOption device;

    /** Checks what can be checked before Spark starts, then starts it (or joins the session that runs here already). */
    public Sessions.Session start(Tool tool) {
        return start(tool, Map.of());
    }

    /** As {@link #start(Tool)}, with settings of a new session beside those that were given from outside. */
    public Sessions.Session start(Tool tool, Map<String, String> settings) {
        device.named();
        return Sessions.start(tool, Optional.ofNullable(master), settings);
    }

    /**
     * Broadloom on the session, as its settings say but for the device and the chunk size that were asked for.
     *
     * @throws UserError when tasks do not find the device
     */
    public Broadloom broadloom(Sessions.Session session) {
        Broadloom broadloom = device.on(Broadloom.on(session.spark()));
        return chunkBytes == null ? broadloom : broadloom.withChunkBytes(chunkBytes.bytes());
    }

    /** Whether nobody asks for Spark: by an option, by a setting, or by having it here already. */
    public boolean isLeftOpen() {
        return master == null && chunkBytes == null && device.named().isEmpty() && !Sessions.isAskedFor();
    }

    /** Where a tool computes without Spark; a {@link UserError} when Spark was asked for, or the device is missing. */
    public Device here() {
        if (master != null || chunkBytes != null) {
            throw new UserError(Complaint.NO_SPARK);
        }
        return device.available();
    }
}
