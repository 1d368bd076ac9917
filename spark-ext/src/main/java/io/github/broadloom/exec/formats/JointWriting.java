package io.github.broadloom.exec.formats;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.write.Sink;
import io.github.broadloom.exec.write.Writing;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.format.Address;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Planner;
import io.github.broadloom.plan.Planner.Want;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;

/** Several values that become files by one plan, as far as the formats take the chunks that it leaves; the others each by a plan of its own. */
public final class JointWriting {
    private final Planner planner;
    private final WriteMode mode;
    private final SparkContext context;
    private final List<Writing> writings = new ArrayList<>();

    private JointWriting(Planner planner, WriteMode mode, SparkContext context) {
        this.planner = planner;
        this.mode = mode;
        this.context = context;
    }

    private record Target(String path, FileFormat format, Expr value) {}

    /**
     * The plans, and where their results go.
     *
     * @param values by the paths where they are going to be, in the format that the end of each names
     * @throws IllegalArgumentException where two paths are the same file, or a plan cannot work
     * @throws IOException where a value cannot be written in its format
     */
    public static List<Writing> of(Planner planner, Map<String, Expr> values, WriteMode mode, SparkContext context)
            throws IOException {
        JointWriting joint = new JointWriting(planner, mode, context);
        List<Target> targets = new ArrayList<>();
        Map<String, String> files = new HashMap<>();
        for (Map.Entry<String, Expr> value : values.entrySet()) {
            String path = value.getKey();
            String file = Location.of(Address.of(path).path(), context).uri();
            String other = files.put(file, path);
            if (other != null) {
                throw new IllegalArgumentException("Cannot write " + other + " and " + path + ": they are one file");
            }
            targets.add(new Target(path, FileFormats.ofNew(path), value.getValue()));
        }
        joint.add(targets, Want.VALUE);
        return joint.writings;
    }

    private void add(List<Target> targets, Want want) throws IOException {
        Plan plan = planner.plan(targets.stream().map(Target::value).toList(), want);
        List<Target> taken = new ArrayList<>();
        List<Target> refused = new ArrayList<>();
        for (int i = 0; i < targets.size(); i++) {
            Target target = targets.get(i);
            boolean takes = target.format.takes(target.path, plan.results().get(i), context);
            (takes ? taken : refused).add(target);
        }
        if (refused.isEmpty()) {
            add(plan, targets);
        } else if (want == Want.VALUE) {
            add(targets, Want.ROWS);
        } else {
            for (Target target : refused) {
                add(target.format.plan(planner, target.value, target.path, context), List.of(target));
            }
            if (!taken.isEmpty()) {
                add(taken, Want.ROWS);
            }
        }
    }

    private void add(Plan plan, List<Target> targets) throws IOException {
        List<Sink> sinks = new ArrayList<>();
        for (int i = 0; i < targets.size(); i++) {
            Target target = targets.get(i);
            sinks.add(target.format.sink(target.path, mode, plan.results().get(i), context));
        }
        writings.add(new Writing(plan, sinks));
    }
}
