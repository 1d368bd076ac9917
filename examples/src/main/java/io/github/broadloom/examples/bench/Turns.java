package io.github.broadloom.examples.bench;

import io.github.broadloom.examples.bench.TurnTaker.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Measures contenders of one JVM side by side: each calls once, then each calls again. So what the JIT compiler, the collector and the machine's other programs do
 * meanwhile meets all alike. One after another, equal ones were seen a quarter apart.
 */
final class Turns {
    private Turns() {}

    /** What came of each, in their order. */
    static List<Contender.Outcome> of(List<TurnTaker> takers, Workload workload, Rounds rounds) {
        List<Turn> turns = new ArrayList<>();
        List<Function<List<Seconds>, Contender.Outcome>> outcomes = new ArrayList<>();
        for (TurnTaker taker : takers) {
            try {
                Turn turn = taker.prepare(workload, rounds);
                int place = turns.size();
                turns.add(turn);
                outcomes.add(seconds -> turn.outcome(seconds.get(place)));
            } catch (Absence absence) {
                outcomes.add(seconds -> absence.outcome());
            }
        }
        List<Seconds> seconds = rounds.timeInTurns(
                turns.stream().<Runnable>map(turn -> turn::call).toList());
        return outcomes.stream().map(outcome -> outcome.apply(seconds)).collect(Collectors.toList());
    }
}
