package io.github.broadloom.bench;

import io.github.broadloom.tensor.Device;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Runs every contender on every workload: one after another, so that they share nothing but the machine, or in turns where they share a JVM. */
public final class Bench {
    private final List<Contender> contenders;
    private final CopyLimit copyLimit;
    private final Rounds rounds;

    /**
     * A bench.
     *
     * @param device what computes: a copy of the bytes there is the limit
     * @param threads that copy, where it is the CPU
     */
    public Bench(List<Contender> contenders, Device device, int threads, Rounds rounds) {
        this.contenders = List.copyOf(contenders);
        this.copyLimit = device.isCpu() ? new HostCopy(threads) : new DeviceCopy(device);
        this.rounds = rounds;
    }

    /** Hears what happens, as it happens. */
    public interface Listener {
        /** A measurement begins. */
        void begins(String workload, String who);

        /** It ends, with a measurement or without one. */
        void ends();

        /** There is none, for this reason. */
        void absent(String workload, String who, String reason);

        /** Everyone had a turn with a workload; these are all measurements so far, those of earlier workloads too. */
        void finished(List<Measurement> all) throws IOException;
    }

    /**
     * Everything that could be measured, workload by workload.
     *
     * @throws IOException where the listener does; nothing more is measured then
     */
    public List<Measurement> run(List<Workload> workloads, Listener listener) throws IOException {
        List<Measurement> all = new ArrayList<>();
        for (Workload workload : workloads) {
            listener.begins(workload.name(), "copy");
            double limit = copyLimit.of(workload, rounds).median();
            listener.ends();
            Supplier<Expected> expected = once(() -> Expected.of(workload));
            for (Heat heat : Heat.of(takers(workload))) {
                listener.begins(workload.name(), heat.who());
                heat.race()
                        .run(workload, rounds)
                        .forEach((contender, outcome) ->
                                record(workload, contender, checked(outcome, expected), limit, listener, all::add));
                listener.ends();
            }
            listener.finished(all);
        }
        return all;
    }

    /** How many times the listener hears that something begins. */
    public long steps(List<Workload> workloads) {
        return workloads.stream()
                .mapToLong(workload -> 1 + Heat.of(takers(workload)).size())
                .sum();
    }

    private List<Contender> takers(Workload workload) {
        return contenders.stream()
                .filter(contender -> contender.takes(workload))
                .toList();
    }

    /** The outcome, or why it does not count: another result than Broadloom's. */
    private static Contender.Outcome checked(Contender.Outcome outcome, Supplier<Expected> expected) {
        return outcome.answer()
                .flatMap(answer -> expected.get().differenceOf(answer))
                .map(Contender.Outcome::absent)
                .orElse(outcome);
    }

    private static void record(
            Workload workload,
            Contender contender,
            Contender.Outcome outcome,
            double limit,
            Listener listener,
            Consumer<Measurement> into) {
        Optional<Seconds> seconds = outcome.seconds();
        if (seconds.isPresent()) {
            into.accept(new Measurement(workload.name(), contender.who(), outcome.note(), seconds.get(), limit));
        } else {
            listener.absent(workload.name(), contender.who(), outcome.note());
        }
    }

    private static <T> Supplier<T> once(Supplier<T> supplier) {
        List<T> known = new ArrayList<>();
        return () -> {
            if (known.isEmpty()) {
                known.add(supplier.get());
            }
            return known.get(0);
        };
    }
}
