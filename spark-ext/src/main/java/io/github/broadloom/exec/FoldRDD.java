package io.github.broadloom.exec;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Device;
import io.github.broadloom.device.FoldNode;
import io.github.broadloom.device.RowFold;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Tensor;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;

/**
 * For each chunk the partial results of several reductions over the rows. They travel as bytes of Java's own
 * serialisation, whichever serialiser the session has: Kryo does not know records.
 */
final class FoldRDD extends ChunkRDD<byte[]> {
    private static final long serialVersionUID = 1L;

    FoldRDD(SparkContext context, StageInputs inputs, List<Expr> folds, RowGrid grid, Device device) {
        super(context, inputs, folds, grid, device, Scala.tag(byte[].class));
    }

    /** One job: the reductions of the stage, merged on the driver from the partial results as they arrive. */
    List<Tensor> fold(Stage stage, JobRunner jobs) {
        List<RowFold> folds = new ArrayList<>();
        long numbers = 0;
        for (Expr output : stage.outputs()) {
            Reduce reduce = (Reduce) output;
            folds.add(RowFold.of(reduce));
            numbers += output.shape().numel() * reduce.reduction().join().components();
        }
        long nodeBytes = numbers * Long.BYTES;
        RowGrid grid = stage.grid();
        jobs.run(
                this,
                new Tasks.Partials(),
                (chunk, bytes) -> push(folds, decode(bytes)),
                byte[].class,
                chunk -> nodeBytes * Dyadic.nodes(grid.start(chunk), grid.end(chunk)));
        return folds.stream().map(RowFold::finish).toList();
    }

    private static void push(List<RowFold> folds, FoldNode[][] nodes) {
        for (int i = 0; i < nodes.length; i++) {
            for (FoldNode node : nodes[i]) {
                folds.get(i).push(node);
            }
        }
    }

    @Override
    byte[] element(List<Expr> outputs, ChunkPartition chunk, Backend backend, TaskScope scope) {
        List<Reduce> reductions = outputs.stream().map(Reduce.class::cast).toList();
        FoldNode[][] nodes = backend.partials(reductions, chunk.start()).stream()
                .map(own -> own.toArray(FoldNode[]::new))
                .toArray(FoldNode[][]::new);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(nodes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static FoldNode[][] decode(byte[] bytes) {
        try (ObjectInputStream in = new FoldNodes(bytes)) {
            return (FoldNode[][]) in.readObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("The partial results of another version of Broadloom", e);
        }
    }

    /** Finds our classes wherever this one was loaded from: in a Spark shell that is no parent of the thread's loader. */
    private static final class FoldNodes extends ObjectInputStream {
        FoldNodes(byte[] bytes) throws IOException {
            super(new ByteArrayInputStream(bytes));
        }

        @Override
        protected Class<?> resolveClass(java.io.ObjectStreamClass type) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(type.getName(), false, FoldRDD.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                return super.resolveClass(type);
            }
        }
    }
}
