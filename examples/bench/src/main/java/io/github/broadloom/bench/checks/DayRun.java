package io.github.broadloom.bench.checks;

import io.github.broadloom.bench.Child;
import io.github.broadloom.tools.console.Complaint;
import io.github.broadloom.tools.console.Console;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs steps of {@code gpu-day}: every process within its time, and the report written again and again, so that whatever ends this leaves what was found. */
record DayRun(Path out, String date, Console console) {
    private static final int WRITING_SECONDS = 5;
    private static final double NANOS = 1e9;

    /** Runs a step; whether all that could run ended well. */
    boolean run(DayStep step) throws IOException {
        String name = date + "-gpu-" + step.number() + "-" + step.name();
        Path folder = out.resolve("parts").resolve(name);
        Files.createDirectories(folder);
        DayPage page = new DayPage(step, out.resolve(name + ".md"), folder);
        console.say("step %d, at most %d minutes: %s", step.number(), step.minutes(), step.title());
        long start = System.nanoTime();
        ExecutorService abreast = Executors.newFixedThreadPool(step.abreast());
        try {
            List<CompletableFuture<Boolean>> parts = step.parts().stream()
                    .map(part -> CompletableFuture.supplyAsync(() -> run(step, part, page, start), abreast))
                    .toList();
            boolean well = true;
            for (CompletableFuture<Boolean> part : parts) {
                well &= awaited(part, page);
            }
            console.say("wrote %s", out.resolve(name + ".md"));
            return well;
        } finally {
            abreast.shutdownNow();
        }
    }

    private static boolean awaited(CompletableFuture<Boolean> part, DayPage page) throws IOException {
        while (true) {
            try {
                return part.get(WRITING_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException goesOn) {
                page.write();
            } catch (ExecutionException e) {
                throw new IOException("Cannot run a part: " + Complaint.about(e).sentence(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("Cannot finish a step: interrupted", e);
            }
        }
    }

    private boolean run(DayStep step, DayPart part, DayPage page, long start) {
        try {
            Optional<String> missing = part.missing();
            if (missing.isPresent()) {
                return tell(part, page, "left out: " + missing.get() + " is not on this machine", true);
            }
            long began = System.nanoTime();
            int left = (int) Math.ceil(step.seconds() - (began - start) / NANOS);
            if (left <= 0) {
                return tell(part, page, "left out: the time of the step was over", false);
            }
            int limit = Math.min(left, part.seconds());
            Files.deleteIfExists(page.report(part)); // of another day
            int exitCode = Child.run(part.command(page.report(part)), page.log(part), limit);
            String how = DayPage.words(exitCode, limit, (System.nanoTime() - began) / NANOS);
            return tell(part, page, how, exitCode == 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean tell(DayPart part, DayPage page, String how, boolean well) throws IOException {
        page.ended(part, how);
        console.say("  %-16s %s", part.name(), how.replace("*", ""));
        if (!well && Files.exists(page.log(part))) {
            DayPage.tail(page.log(part))
                    .lines()
                    .reduce((before, last) -> last)
                    .ifPresent(line -> console.say("    %s", line));
        }
        return well;
    }
}
