package io.github.broadloom.bench;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.AnalysisException;

/**
 * A contender that shares a JVM with others. They are measured side by side: each calls once, then each calls again. So what the JIT compiler, the collector and the
 * machine's other programs do meanwhile meets all alike. One after another, equal ones were seen a quarter apart.
 */
interface TurnTaker extends Contender {
    /** Makes ready what it calls for a workload that it {@linkplain #takes takes}. */
    Turn prepare(Workload workload, Rounds rounds);

    interface Turn {
        void call();

        Outcome outcome(Seconds seconds);
    }

    /** What came of each: those that could not be measured, then the others in their order. */
    static Map<Contender, Outcome> race(List<TurnTaker> takers, Workload workload, Rounds rounds) {
        Map<Contender, Outcome> outcomes = new LinkedHashMap<>();
        Map<TurnTaker, Turn> turns = new LinkedHashMap<>();
        for (TurnTaker taker : takers) {
            try {
                turns.put(taker, taker.prepare(workload, rounds));
            } catch (Exception e) {
                if (!(e instanceof AnalysisException)) { // undeclared, as it comes from Scala
                    throw e;
                }
                outcomes.put(taker, Outcome.absent(String.valueOf(e.getMessage())));
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
