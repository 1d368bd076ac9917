package io.github.broadloom.tools.session;

import io.github.broadloom.exec.SparkJars;
import io.github.broadloom.exec.SparkVersion;
import io.github.broadloom.format.ReadOptions;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.sql.BroadloomExtensions;
import io.github.broadloom.tools.console.Complaint;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;
import scala.Option;

/** Starts Spark for a tool, in one place: quiet, and on this machine without the web interface. */
public final class Sessions {
    /** What {@code spark-submit} starts: the class stands above this package. */
    private static final String MAIN = "io.github.broadloom.tools.Main";

    private static final String DEFAULT_MASTER = "local[*]";
    private static final String STANDALONE = "spark://";
    private static final int CONNECT_MILLIS = 10_000;
    private static final Pattern MASTER = Pattern.compile("local|local\\[(\\*|\\d+)(,\\s*\\d+)?]"
            + "|local-cluster\\[\\s*\\d+\\s*,\\s*\\d+\\s*,\\s*\\d+\\s*]|spark://.+:\\d+(,.+)*|yarn|k8s://.+");

    /** Set by spark-submit alone. */
    private static final String SUBMITTED = "spark.submit.deployMode";

    /**
     * Of these a failing task or write says so three times, each with a stack trace, before the driver hears of it and the user is told in one sentence. Under
     * spark-submit the log belongs to the user and stays as it is.
     */
    private static final List<String> TALKATIVE = List.of(
            "org.apache.spark.executor",
            "org.apache.spark.scheduler",
            "org.apache.spark.storage",
            "org.apache.spark.sql.execution.datasources.FileFormatWriter",
            "org.apache.spark.sql.execution.datasources.v2",
            "org.apache.spark.sql.execution.streaming.sinks.FileStreamSink",
            "org.apache.spark.util.Utils",
            "org.apache.spark.internal.io");

    private Sessions() {}

    /** Not by {@code SparkSession.builder()}, which looks for this class by Scala's reflection, for half a second; and apart, for the verifier of the class around would look for it where there is no Spark. */
    private static final class Classic {
        static SparkSession session(SparkConf conf) {
            return org.apache.spark.sql.classic.SparkSession.builder()
                    .config(conf)
                    .getOrCreate();
        }
    }

    /** A running session, which ends here if it was started here. */
    public static final class Session implements AutoCloseable {
        private final SparkSession spark;
        private final boolean ours;
        private final FirstExecutor executors;

        private Session(SparkSession spark, boolean ours) {
            this.spark = spark;
            this.ours = ours;
            this.executors = FirstExecutor.of(spark.sparkContext());
        }

        public SparkSession spark() {
            return spark;
        }

        /** How long what started then waited for the first executor of a cluster. */
        public double secondsWithoutExecutor(long startedNanos) {
            return executors.secondsSince(startedNanos);
        }

        /**
         * Files of any format that is known, or a column of a table.
         *
         * @throws UserError where a table has no such column
         */
        public DistributedTensor read(Broadloom broadloom, String address, ReadOptions options) throws IOException {
            Optional<ColumnAddress> column = ColumnAddress.of(address);
            return column.isPresent() ? column.get().read(spark, broadloom) : broadloom.read(address, options);
        }

        @Override
        public void close() {
            if (ours) {
                spark.stop();
            } else {
                spark.sparkContext().removeSparkListener(executors);
            }
        }
    }

    /**
     * The session that this JVM runs already, or a new one.
     *
     * <p>Where no master is asked for, the one that spark-submit gives stands, and {@code local[*]} where there is
     * none. Whatever else is configured from outside (spark-submit's {@code --conf}) stands too.
     *
     * @param settings of a new session, beside those from outside
     * @throws UserError when Spark is not on the class path, or the master is not one that it knows, or does not answer
     */
    public static Session start(Tool tool, Optional<String> master, Map<String, String> settings) {
        if (!SparkJars.present()) {
            throw new UserError(Complaint.NO_SPARK);
        }
        SparkVersion.check();
        master.ifPresent(Sessions::checkMaster);
        Option<SparkSession> running = SparkSession.getDefaultSession();
        if (running.isDefined() && !running.get().sparkContext().isStopped()) {
            return join(running.get(), master);
        }
        SparkConf conf = configuration(tool.name(), master);
        settings.forEach(conf::set);
        checkReachable(conf.get("spark.master"));
        try {
            SparkSession spark = Classic.session(conf);
            if (!tool.debugs() && !conf.contains(SUBMITTED)) {
                TALKATIVE.forEach(name -> Configurator.setLevel(name, Level.OFF));
            }
            Option<String> page = spark.sparkContext().uiWebUrl();
            if (page.isDefined() && !submitted()) { // whose log tells
                tool.note("Spark shows its jobs at " + page.get());
            }
            return new Session(spark, true);
        } catch (RuntimeException e) {
            throw new UserError(
                    "Cannot start Spark on master " + conf.get("spark.master") + ": "
                            + Complaint.about(e).sentence(),
                    e);
        }
    }

    /** Whether Spark runs in this JVM. */
    public static boolean isRunning() {
        return SparkEnv.get() != null;
    }

    /** Whether Spark runs here already, or a property of this JVM says how it, or Broadloom on it, is to be. */
    static boolean isAskedFor() {
        return isRunning()
                || System.getProperties().stringPropertyNames().stream()
                        .anyMatch(name -> name.equals("spark.master") || name.startsWith("spark.broadloom."));
    }

    public static boolean submitted() {
        return System.getProperty(SUBMITTED) != null;
    }

    public static void silence() {
        Configurator.setAllLevels(LogManager.ROOT_LOGGER_NAME, Level.OFF);
    }

    private static Session join(SparkSession running, Optional<String> master) {
        String current = running.sparkContext().master();
        if (master.isPresent() && !master.get().equals(current)) {
            throw new UserError("Cannot use master " + master.get() + ": Spark runs here already, on " + current);
        }
        return new Session(running, false);
    }

    private static void checkMaster(String master) {
        if (!MASTER.matcher(master).matches()) {
            throw new UserError("Cannot use master '" + master + "': Spark knows local, local[N], local[*],"
                    + " local-cluster[N,CORES,MIB], spark://HOST:PORT, yarn and k8s://HOST");
        }
    }

    /** Spark itself would try for a minute, and fill the screen with what it thinks of it. */
    private static void checkReachable(String master) {
        if (!master.startsWith(STANDALONE)) {
            return;
        }
        String reason = "";
        for (String address : master.substring(STANDALONE.length()).split(",")) {
            int colon = address.lastIndexOf(':');
            try (Socket socket = new Socket()) {
                int port = Integer.parseInt(address.substring(colon + 1));
                socket.connect(new InetSocketAddress(address.substring(0, Math.max(0, colon)), port), CONNECT_MILLIS);
                return;
            } catch (IOException | IllegalArgumentException e) {
                reason = e instanceof UnknownHostException ? "there is no such host" : String.valueOf(e.getMessage());
            }
        }
        throw new UserError("Cannot reach Spark's master at " + master + ": " + reason);
    }

    private static SparkConf configuration(String tool, Optional<String> master) {
        SparkConf conf = new SparkConf();
        master.ifPresent(conf::setMaster);
        conf.setIfMissing("spark.master", DEFAULT_MASTER);
        if (conf.get("spark.app.name", MAIN).equals(MAIN)) {
            conf.setAppName("broadloom " + tool); // spark-submit names an application after its main class
        }
        conf.setIfMissing(
                "spark.ui.enabled", String.valueOf(!conf.get("spark.master").startsWith("local")));
        conf.setIfMissing("spark.sql.extensions", BroadloomExtensions.class.getName());
        if (conf.get("spark.master").startsWith("local-cluster")) {
            // The executors are processes of their own on this machine; they find our classes where we do.
            conf.setIfMissing("spark.executor.extraClassPath", System.getProperty("java.class.path"));
        }
        return conf;
    }
}
