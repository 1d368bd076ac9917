package io.github.broadloom.bench;

import io.github.broadloom.bench.Contender.Outcome;
import io.github.broadloom.bench.Contender.Soloist;
import io.github.broadloom.tools.console.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Runs every contender on every workload: one after another, so that they share nothing but the machine, or in turns where they share a JVM. */
final class Bench {
    private final List<Workload> workloads;
    private final Rounds rounds;
    private final CopyLimit copyLimit;
    private final List<Soloist> soloists = new ArrayList<>();
    private final List<TurnTaker> turnTakers = new ArrayList<>();
    private final List<Measurement> measured = new ArrayList<>();
    private final Map<String, List<String>> absent = new LinkedHashMap<>();

    Bench(BenchRun run, List<Contender> contenders) {
        workloads = run.workloads();
        rounds = run.rounds();
        copyLimit = new CopyLimit(run.device(), run.threads());
        for (Contender contender : contenders) {
            if (contender instanceof TurnTaker turnTaker) {
                turnTakers.add(turnTaker);
            } else if (contender instanceof Soloist soloist) {
                soloists.add(soloist);
            }
        }
    }

    /** Everything that could be measured, workload by workload, until the listener throws. */
    BenchRun.Result run(BenchRun.Listener listener) throws IOException {
        try (Progress progress = Progress.of("bench", steps())) {
            for (Workload workload : workloads) {
                run(workload, progress);
                listener.measured(List.copyOf(measured));
            }
        }
        return new BenchRun.Result(
                measured,
                absent.entrySet().stream()
                        .map(why -> "not measured: " + String.join(", ", why.getValue()) + " of " + why.getKey())
                        .toList());
    }

    private long steps() {
        return workloads.stream()
                .mapToLong(workload -> 1
                        + takers(soloists, workload).size()
                        + Math.min(1, takers(turnTakers, workload).size()))
                .sum();
    }

    private static <T extends Contender> List<T> takers(List<T> contenders, Workload workload) {
        return contenders.stream()
                .filter(contender -> contender.takes(workload))
                .toList();
    }

    private void run(Workload workload, Progress progress) {
        progress.says(workload.name() + " copy");
        double limit = copyLimit.of(workload, rounds).median();
        progress.step();
        Expected expected = new Expected(workload);
        for (Soloist soloist : takers(soloists, workload)) {
            progress.says(workload.name() + " " + soloist.who());
            record(workload, soloist, expected.checked(soloist.run(workload, rounds)), limit);
            progress.step();
        }
        List<TurnTaker> together = takers(turnTakers, workload);
        if (!together.isEmpty()) {
            String who = together.stream().map(Contender::who).collect(Collectors.joining(" and "));
            progress.says(workload.name() + " " + who);
            TurnTaker.race(together, workload, rounds)
                    .forEach((taker, outcome) -> record(workload, taker, expected.checked(outcome), limit));
            progress.step();
        }
    }

    private void record(Workload workload, Contender contender, Outcome outcome, double limit) {
        String who = contender.who();
        outcome.seconds()
                .ifPresentOrElse(
                        seconds -> measured.add(new Measurement(workload.name(), who, outcome.note(), seconds, limit)),
                        () -> absent.computeIfAbsent(who + ": " + outcome.note(), why -> new ArrayList<>())
                                .add(workload.name()));
    }
}
