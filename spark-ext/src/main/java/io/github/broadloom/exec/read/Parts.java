package io.github.broadloom.exec.read;

import io.github.broadloom.exec.Failures;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Manifest;
import io.github.broadloom.exec.files.PartFormat;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The part files of a folder that has no manifest. */
final class Parts {
    /** Files that are far take long to open, and nothing of this machine. */
    private static final int OPENED_TOGETHER = 32;

    private Parts() {}

    /**
     * The files {@code part-NNNNN.SUFFIX} by their numbers.
     *
     * @throws TensorFormatException where there is none, one is missing between them, or a manifest is required
     */
    static List<Location> of(Location folder, PartFormat format, ManifestMode mode) throws IOException {
        List<Location.Entry> entries = new ArrayList<>(folder.list(format::isPart));
        if (entries.isEmpty()) {
            throw new TensorFormatException("Cannot read " + folder + ": it is a folder without part-NNNNN."
                    + format.suffix() + " files; name a file, or a folder that Broadloom wrote");
        }
        if (mode == ManifestMode.REQUIRED) {
            throw new TensorFormatException(
                    "Cannot read " + folder + ": it has no " + Manifest.NAME
                            + ", with which the writing of a folder ends, so parts may be missing; where something else than"
                            + " Broadloom wrote it whole, read it with ManifestMode.OPTIONAL (eval --without-manifest, in SQL the option manifest 'optional')");
        }
        entries.sort(Comparator.comparing(entry -> format.number(entry.name())));
        List<Location> parts = new ArrayList<>();
        for (Location.Entry entry : entries) {
            if (format.number(entry.name()) != parts.size()) {
                throw new TensorFormatException("Cannot read " + folder + ": part " + parts.size()
                        + " is missing among its " + entries.size() + " files");
            }
            parts.add(folder.child(entry.name()));
        }
        return parts;
    }

    interface Opener<R> {
        R open(Location part) throws IOException;
    }

    /** What each of them is, opened many at a time. */
    static <R> List<R> opened(List<Location> parts, Opener<R> opener) throws IOException {
        List<Callable<R>> openings = new ArrayList<>();
        parts.forEach(part -> openings.add(() -> opener.open(part)));
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(parts.size(), OPENED_TOGETHER));
        try {
            List<R> opened = new ArrayList<>();
            for (Future<R> opening : threads.invokeAll(openings)) {
                opened.add(opening.get());
            }
            return opened;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw Failures.unchecked(e.getCause() == null ? e : e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}
