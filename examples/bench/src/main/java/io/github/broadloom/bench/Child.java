package io.github.broadloom.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A process that is waited for, most of them with one message, which they answer with one line. It ends with this JVM at the latest, on Ctrl-C, too. */
public final class Child {
    private static final int LINGERING_SECONDS = 10;

    private Child() {}

    /** The command of a JVM with this one's options and some more. */
    public static List<String> java(List<String> options, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /**
     * What became of it.
     *
     * @param answer the last line of its output; empty where there was none
     * @param complaint the last line of its error stream; empty where there was none
     * @param exitCode {@link #TIMED_OUT} where it had to be ended
     */
    public record End(String answer, String complaint, int exitCode) {
        public static final int TIMED_OUT = -1;
    }

    /**
     * Runs a command to its end.
     *
     * @param threads what libraries on OpenMP may use
     * @throws IOException where it cannot be started
     */
    public static End run(List<String> command, byte[] message, int threads, long timeoutSeconds) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("OMP_NUM_THREADS", Integer.toString(threads)); // read when a library is loaded
        try (Running running = new Running(builder.start())) {
            Process process = running.process;
            CompletableFuture<String> answer = lastLine(process.inputReader(StandardCharsets.UTF_8));
            CompletableFuture<String> complaint = lastLine(process.errorReader(StandardCharsets.UTF_8));
            send(message, process);
            int exitCode = exitCode(process, timeoutSeconds);
            return exitCode == End.TIMED_OUT
                    ? new End("", "", exitCode)
                    : new End(told(answer), told(complaint), exitCode);
        }
    }

    /**
     * Runs a command to its end.
     *
     * @param log where everything goes that it says
     * @return its exit code; {@link End#TIMED_OUT} where it had to be ended
     * @throws IOException where it cannot be started
     */
    public static int run(List<String> command, Path log, long timeoutSeconds) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        try (Running running = new Running(builder.start())) {
            running.process.getOutputStream().close();
            return exitCode(running.process, timeoutSeconds);
        }
    }

    private static int exitCode(Process process, long timeoutSeconds) {
        try {
            boolean ended = process.waitFor(timeoutSeconds, TimeUnit.SECONDS);
            if (Running.ended) {
                throw new CancellationException("The measurement was interrupted");
            }
            return ended ? process.exitValue() : End.TIMED_OUT;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("The measurement was interrupted");
        }
    }

    /** One of now, which ends at the latest by a hook: on Ctrl-C no finally runs. */
    private record Running(Process process) implements AutoCloseable {
        private static final Set<Process> PROCESSES = ConcurrentHashMap.newKeySet();
        private static volatile boolean ended;

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(Running::end, "end of children"));
        }

        Running {
            PROCESSES.add(process);
        }

        @Override
        public void close() {
            kill(process);
            PROCESSES.remove(process);
        }

        private static void end() {
            ended = true; // what they fail with is no result
            PROCESSES.forEach(Child::kill);
        }
    }

    private static void send(byte[] message, Process process) {
        try (OutputStream in = process.getOutputStream()) {
            in.write(message);
        } catch (IOException endedEarly) {
            return; // its exit code says more than the broken pipe
        }
    }

    /** Nothing where a child of the process holds the stream open after its end. */
    private static String told(CompletableFuture<String> line) {
        return line.completeOnTimeout("", LINGERING_SECONDS, TimeUnit.SECONDS).join();
    }

    private static CompletableFuture<String> lastLine(BufferedReader lines) {
        return CompletableFuture.supplyAsync(() -> readLastLine(lines), Child::onItsOwnThread);
    }

    /** Not in the common pool, whose few threads compute: a stream that nobody reads would stop the process. */
    private static void onItsOwnThread(Runnable reading) {
        Thread thread = new Thread(reading, "reads a child's output");
        thread.setDaemon(true);
        thread.start();
    }

    private static String readLastLine(BufferedReader lines) {
        try (lines) {
            return lines.lines().filter(line -> !line.isBlank()).reduce("", (before, line) -> line.strip());
        } catch (IOException | UncheckedIOException e) {
            return ""; // the process was ended
        }
    }

    private static void kill(Process process) {
        List<ProcessHandle> workers = process.descendants().toList(); // torch.compile has some
        process.destroyForcibly(); // first: it might go on when a worker of it has ended
        workers.forEach(ProcessHandle::destroyForcibly);
    }
}
