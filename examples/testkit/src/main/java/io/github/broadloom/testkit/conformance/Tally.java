package io.github.broadloom.testkit.conformance;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Counts verdicts, and keeps the kinds and ops that were skipped by name. */
public final class Tally implements Consumer<Verdict> {
    private long passed;
    private long failed;
    private final Map<String, Long> skipped = new TreeMap<>();

    @Override
    public void accept(Verdict verdict) {
        switch (verdict.outcome()) {
            case PASSED -> passed++;
            case FAILED -> failed++;
            case SKIPPED -> skipped.merge(verdict.detail(), 1L, Long::sum);
        }
    }

    public long passed() {
        return passed;
    }

    public long failed() {
        return failed;
    }

    public long skipped() {
        return skipped.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How often each kind or {@code kind op} that is not known was met, by name. */
    public Map<String, Long> skippedByName() {
        return Collections.unmodifiableMap(skipped);
    }

    @Override
    public String toString() {
        return passed + " passed, " + failed + " failed, " + skipped() + " skipped";
    }
}
