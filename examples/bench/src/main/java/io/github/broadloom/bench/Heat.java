package io.github.broadloom.bench;

import io.github.broadloom.bench.Contender.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Who is measured at a time.
 *
 * @param contenders one, or those that take {@linkplain Turns turns}
 * @param race measures them, and has an outcome for each
 */
record Heat(List<Contender> contenders, Race race) {

    @FunctionalInterface
    interface Race {
        Map<Contender, Outcome> run(Workload workload, Rounds rounds);
    }

    /** Each has its heat, but those that take turns have one together, which is the last. */
    static List<Heat> of(List<Contender> contenders) {
        List<Heat> heats = new ArrayList<>();
        List<TurnTaker> takers = new ArrayList<>();
        for (Contender contender : contenders) {
            if (contender instanceof TurnTaker taker) {
                takers.add(taker);
            } else {
                heats.add(new Heat(
                        List.of(contender), (workload, rounds) -> Map.of(contender, contender.run(workload, rounds))));
            }
        }
        if (!takers.isEmpty()) {
            heats.add(new Heat(List.copyOf(takers), (workload, rounds) -> Turns.of(takers, workload, rounds)));
        }
        return heats;
    }

    /** The names. */
    String who() {
        return contenders.stream().map(Contender::who).collect(Collectors.joining(" and "));
    }
}
