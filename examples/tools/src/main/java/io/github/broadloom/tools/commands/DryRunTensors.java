package io.github.broadloom.tools.commands;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.DryRunTensor;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Source.Residence;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tools.console.UserError;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that tell of tensors without elements where they lie and how they are cut. */
final class DryRunTensors {
    @Option(
            names = "--chunks",
            paramLabel = "NAME=N[xN...]",
            description = "Into how many chunks a tensor is cut: along its rows, x=100000, or along more leading"
                    + " dimensions, x=1000x100.")
    private Map<String, String> chunks = Map.of();

    @Option(
            names = "--cached",
            split = ",",
            paramLabel = "NAME",
            description = "It lies in chunks on the executors; so do all tensors that --chunks cuts.")
    private Set<String> cached = new LinkedHashSet<>();

    @Option(
            names = "--file",
            split = ",",
            paramLabel = "NAME",
            description = "It lies in files, of which any task reads any rows; so do all of which nothing is said.")
    private Set<String> inFiles = new LinkedHashSet<>();

    @Option(names = "--local", split = ",", paramLabel = "NAME", description = "It lies in the driver's memory.")
    private Set<String> local = new LinkedHashSet<>();

    Map<String, Expr> inputs(List<Declaration> declarations, DryRunCluster cluster) {
        Map<String, Expr> inputs = new LinkedHashMap<>();
        for (Declaration declared : declarations) {
            if (inputs.put(declared.name(), tensor(declared, cluster).input()) != null) {
                throw new UserError("Cannot give the name " + declared.name() + " twice");
            }
        }
        for (Set<String> names : List.of(chunks.keySet(), cached, inFiles, local)) {
            for (String name : names) {
                if (!inputs.containsKey(name)) {
                    throw new UserError("Cannot find the tensor " + name + ", of which an option tells: declare it as "
                            + name + "=float32[1000,100]");
                }
            }
        }
        return inputs;
    }

    private DryRunTensor tensor(Declaration declared, DryRunCluster cluster) {
        Residence residence = residence(declared.name());
        @Nullable ChunkGrid grid = grid(declared);
        DryRunTensor free = new DryRunTensor(declared.name(), declared.dtype(), declared.shape(), residence, grid);
        return residence == Residence.CLUSTER && grid == null
                ? DryRunTensor.cached(declared.name(), declared.dtype(), free.cuts(cluster.settings()))
                : free;
    }

    private Residence residence(String name) {
        int places =
                (cached.contains(name) ? 1 : 0) + (inFiles.contains(name) ? 1 : 0) + (local.contains(name) ? 1 : 0);
        if (places > 1) {
            throw new UserError("Cannot have " + name + " in two places: give one of --cached, --file and --local");
        }
        if (places == 0) {
            return chunks.containsKey(name) ? Residence.CLUSTER : Residence.FILE;
        }
        return cached.contains(name) ? Residence.CLUSTER : local.contains(name) ? Residence.DRIVER : Residence.FILE;
    }

    private @Nullable ChunkGrid grid(Declaration declared) {
        String counts = chunks.get(declared.name());
        if (counts == null) {
            return null;
        }
        Shape shape = declared.shape();
        String[] along = counts.split("x", -1);
        if (along.length > shape.rank()) {
            throw new UserError("Cannot cut " + declared.name() + " " + shape + " into " + counts + " chunks: it has "
                    + shape.rank() + " dimensions");
        }
        RowGrid[] cuts = new RowGrid[along.length];
        for (int d = 0; d < along.length; d++) {
            cuts[d] = RowGrid.ofChunks(shape.size(d), count(declared.name(), counts, along[d]));
        }
        return ChunkGrid.of(shape, cuts);
    }

    private static int count(String name, String counts, String text) {
        try {
            return Integer.parseInt(text.strip().replace("_", ""));
        } catch (NumberFormatException e) {
            throw new UserError(
                    "Cannot cut " + name + " into '" + counts + "' chunks: write --chunks " + name + "=1000 or " + name
                            + "=1000x100",
                    e);
        }
    }
}
