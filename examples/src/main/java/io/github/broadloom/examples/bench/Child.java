package io.github.broadloom.examples.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A process that gets one message and answers with one line. It ends with this JVM at the latest, on Ctrl-C, too. */
final class Child {
    private static final int LINGERING_SECONDS = 10;

    private Child() {}

    /**
     * What became of it.
     *
     * @param answer the last line of its output; empty where there was none
     * @param complaint the last line of its error stream; empty where there was none
     * @param exitCode {@link #TIMED_OUT} where it had to be ended
     */
    record End(String answer, String complaint, int exitCode) {
        static final int TIMED_OUT = -1;
    }

    /**
     * Runs a command to its end.
     *
     * @param threads what libraries on OpenMP may use
     * @throws IOException where it cannot be started
     */
    static End run(List<String> command, byte[] message, int threads, long timeoutSeconds) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("OMP_NUM_THREADS", Integer.toString(threads)); // read when a library is loaded
        Process process = builder.start();
        Running.PROCESSES.add(process);
        try {
            CompletableFuture<String> answer = lastLine(process.getInputStream());
            CompletableFuture<String> complaint = lastLine(process.getErrorStream());
            send(message, process);
            if (!process.waitFor(timeoutSeconds, TimeUnit.SECONDS)) {
                return new End("", "", End.TIMED_OUT);
            }
            End end = new End(told(answer), told(complaint), process.exitValue());
            if (Running.ended) {
                throw new CancellationException("The measurement was interrupted");
            }
            return end;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("The measurement was interrupted");
        } finally {
            kill(process);
            Running.PROCESSES.remove(process);
        }
    }

    /** Those of now, and a hook that ends them: on Ctrl-C no finally runs. */
    private static final class Running {
        static final Set<Process> PROCESSES = ConcurrentHashMap.newKeySet();
        static volatile boolean ended;

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(Running::end, "end of children"));
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

    private static CompletableFuture<String> lastLine(InputStream stream) {
        return CompletableFuture.supplyAsync(() -> readLastLine(stream), Child::onItsOwnThread);
    }

    /** Not in the common pool, whose few threads compute: a stream that nobody reads would stop the process. */
    private static void onItsOwnThread(Runnable reading) {
        Thread thread = new Thread(reading, "reads a child's output");
        thread.setDaemon(true);
        thread.start();
    }

    private static String readLastLine(InputStream stream) {
        String last = "";
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                last = line.isBlank() ? last : line.strip();
            }
        } catch (IOException e) {
            return last; // the process was ended
        }
        return last;
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly); // torch.compile has workers
        process.destroyForcibly();
    }
}
