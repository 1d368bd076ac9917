package io.github.broadloom.exec.write;

import io.github.broadloom.plan.Plan;
import java.util.List;

/** A plan, and where each of its results goes, in their order. */
public record Writing(Plan plan, List<Sink> sinks) {
    public Writing {
        sinks = List.copyOf(sinks);
    }
}
