package io.github.broadloom.bench;

import io.github.broadloom.bench.TurnTaker.Turn;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures contenders of one JVM side by side: each calls once, then each calls again. So what the JIT compiler, the collector and the machine's other programs do
 * meanwhile meets all alike. One after another, equal ones were seen a quarter apart.
 */
final class Turns {
    private Turns() {}

    /** What came of each, those that could be measured in their order. */
    static Map<Contender, Contender.Outcome> of(List<TurnTaker> takers, Workload workload, Rounds rounds) {
        Map<Contender, Contender.Outcome> outcomes = new LinkedHashMap<>();
        Map<TurnTaker, Turn> turns = new LinkedHashMap<>();
        for (TurnTaker taker : takers) {
            try {
                turns.put(taker, taker.prepare(workload, rounds));
            } catch (Absence absence) {
                outcomes.put(taker, absence.outcome());
            }
        }
        Iterator<Seconds> seconds = rounds.timeInTurns(turns.values().stream()
                        .<Runnable>map(turn -> turn::call)
                        .toList())
                .iterator();
        turns.forEach((taker, turn) -> outcomes.put(taker, turn.outcome(seconds.next())));
        return outcomes;
    }
}
