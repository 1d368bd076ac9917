package io.github.broadloom.exec.compute;

import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.device.Backend;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.exec.exchange.ChunkPartition;
import io.github.broadloom.exec.exchange.ChunkTask;
import io.github.broadloom.exec.exchange.StageInputs;
import io.github.broadloom.exec.exchange.WholeOperands;
import io.github.broadloom.exec.jobs.JobRunner;
import io.github.broadloom.expr.Along;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.MemoryMeter;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;

/** A scan along the rows, in two passes over the chunks where there are several: what each adds, and then each from what the rows before it leave. */
record Scan(SparkContext context, StageInputs inputs, Stage stage, Device device) {

    RDD<Block> chunks(JobRunner jobs, Function<byte[][], Broadcast<byte[][]>> broadcast) {
        Carries carries = stage.passes() == 1 ? Carries.none() : carries(jobs, broadcast);
        return rdd(Block.class, (task, backend) -> List.of(scanned(task, backend, carries)));
    }

    private <T> RDD<T> rdd(Class<T> type, ChunkRDD.Computation<T> computation) {
        return new ChunkRDD<>(context, inputs, stage.outputs(), stage.grid(), device, type, computation);
    }

    private static Block scanned(ChunkTask task, Backend backend, Carries carries) throws IOException {
        ChunkPartition chunk = task.chunk();
        Along scan = (Along) task.outputs().get(0);
        ScanCarry before = carries.before(chunk.index());
        MemoryMeter.array(before.sizeBytes());
        return Block.owning(backend.scan(scan, before), chunk.box().starts());
    }

    private static byte[] added(ChunkTask task, Backend backend) throws IOException {
        Along scan = (Along) task.outputs().get(0);
        List<FoldNode> nodes = backend.partials(scan, task.chunk().box().start(0));
        nodes.forEach(node -> MemoryMeter.array(node.sizeBytes()));
        return NodeBytes.of(List.of(nodes));
    }

    /**
     * One job over all chunks but the last, to which none is added: joined on the driver in the order of the rows, as they arrive. What the driver holds is what
     * arrived too early, and the vectors of one stack; the carries go into broadcast variables, which Spark keeps on disk where memory is short.
     */
    private Carries carries(JobRunner jobs, Function<byte[][], Broadcast<byte[][]>> broadcast) {
        Carries.Builder carries = new Carries.Builder(broadcast);
        Along scan = (Along) stage.outputs().get(0);
        RowGrid grid = stage.grid().along(0);
        RowFold fold = RowFold.of(scan);
        long nodeBytes = scan.shape().inner().numel() * scan.op().join().components() * Long.BYTES;
        Map<Integer, byte[]> early = new TreeMap<>();
        carries.add(fold.carry(grid.end(0)));
        jobs.run(
                rdd(byte[].class, (task, backend) -> List.of(added(task, backend))),
                IntStream.range(0, grid.chunks() - 1).boxed().toList(),
                (task, added) -> added.next(),
                (chunk, bytes) -> {
                    early.put(chunk, bytes);
                    for (byte[] next = early.remove(carries.last());
                            next != null;
                            next = early.remove(carries.last())) {
                        NodeBytes.read(next).get(0).forEach(fold::push);
                        carries.add(fold.carry(grid.end(carries.last() + 1)));
                    }
                },
                chunk -> nodeBytes * grid.nodes(chunk));
        return carries.build();
    }

    /**
     * What the rows before each chunk of a scan leave for it. Little of it is sent with the code of the tasks, more in broadcast variables: one
     * for some neighbouring chunks, which only their tasks fetch.
     */
    private record Carries(int[] firstChunks, Broadcast<byte[][]>[] bundles, byte @Nullable [][] carried)
            implements Serializable {
        /** A broadcast variable takes milliseconds to make and to drop, so it carries about as much. */
        private static final long BUNDLE_BYTES = 1 << 20;

        static Carries none() {
            Builder builder = new Builder(bundle -> {
                throw new IllegalStateException("Nothing to broadcast");
            });
            builder.add(ScanCarry.NONE);
            return builder.build();
        }

        ScanCarry before(int chunk) {
            byte[] bytes;
            if (carried != null) {
                bytes = carried[chunk];
            } else {
                int found = Arrays.binarySearch(firstChunks, chunk);
                int bundle = found >= 0 ? found : -found - 2;
                bytes = bundles[bundle].value()[chunk - firstChunks[bundle]];
            }
            return JavaBytes.read(bytes, ScanCarry.class);
        }

        static final class Builder {
            private final Function<byte[][], Broadcast<byte[][]>> broadcast;
            private final List<Integer> firstChunks = new ArrayList<>();
            private final List<Broadcast<byte[][]>> bundles = new ArrayList<>();
            private final List<byte[]> open = new ArrayList<>();
            private long openBytes;
            private int chunks;

            Builder(Function<byte[][], Broadcast<byte[][]>> broadcast) {
                this.broadcast = broadcast;
            }

            int last() {
                return chunks - 1;
            }

            void add(ScanCarry carry) {
                byte[] bytes = JavaBytes.of(carry);
                open.add(bytes);
                openBytes += bytes.length;
                chunks++;
                if (openBytes >= BUNDLE_BYTES) {
                    close();
                }
            }

            private void close() {
                firstChunks.add(chunks - open.size());
                bundles.add(broadcast.apply(open.toArray(byte[][]::new)));
                open.clear();
                openBytes = 0;
            }

            @SuppressWarnings({"unchecked", "rawtypes"})
            Carries build() {
                boolean little = bundles.isEmpty() && openBytes <= WholeOperands.CARRIED_BYTES;
                if (!little && !open.isEmpty()) {
                    close();
                }
                return new Carries(
                        firstChunks.stream().mapToInt(Integer::intValue).toArray(),
                        bundles.toArray(new Broadcast[0]),
                        little ? open.toArray(byte[][]::new) : null);
            }
        }
    }
}
