package io.github.broadloom.exec.exchange;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.BlockCodec;
import io.github.broadloom.exec.Failures;
import io.github.broadloom.exec.cache.Fate;
import io.github.broadloom.exec.metrics.TaskMeter;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.plan.RowGrid;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Cancellation;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.broadcast.Broadcast;

/**
 * A tensor that is broadcast to every executor in {@linkplain BroadcastPiece pieces}, each a broadcast variable.
 *
 * @param whole its own name, in all JVMs
 * @param name for a person
 * @param shape as the tasks see it
 * @param held as it is sent: a dimension that repeats one element has that one
 */
record BroadcastTensor(
        UUID whole, String name, DType dtype, Shape shape, Shape held, List<Broadcast<BroadcastPiece>> pieces)
        implements Serializable {

    long bytes() {
        return held.numel() * dtype.bytes();
    }

    /** The tensor, in a task; the first one that asks assembles it for all of this JVM, which fails where a piece is missing or arrives damaged. */
    Tensor tensor() throws IOException {
        Assembly assembly = Assembly.of(whole, dtype, held);
        synchronized (assembly) {
            if (!assembly.isWhole()) {
                receive(assembly);
            }
        }
        Tensor tensor = assembly.tensor();
        return Tensor.of(dtype, tensor.layout().expand(shape), tensor.storage());
    }

    /**
     * Spark keeps the first piece, and with it the assembly, until the broadcast variable is destroyed; the others go when they were read. The first one is read last, so
     * that it is the youngest of what Spark may move to disk; the others are read in any order, so that the executors fetch from each other.
     */
    private void receive(Assembly assembly) throws IOException {
        List<Integer> others = new ArrayList<>();
        for (int i = 1; i < pieces.size(); i++) {
            if (!assembly.has(i)) {
                others.add(i);
            }
        }
        Collections.shuffle(others);
        for (int number : others) {
            outsideTask(number);
        }
        piece(0);
        if (!assembly.isWhole()) {
            throw new IOException("Cannot assemble " + described() + ": of its " + pieces.size() + " pieces came "
                    + assembly + "; run the action again");
        }
    }

    /** Reads a piece as what runs in no task does: Spark stores no value for it. */
    private void outsideTask(int number) throws IOException {
        Cancellation.check();
        TaskContext task = TaskContext.get();
        TaskContext$.MODULE$.unset();
        try {
            piece(number);
        } finally {
            TaskContext$.MODULE$.setTaskContext(task);
        }
    }

    private void piece(int number) throws IOException {
        try {
            TaskMeter.shared(pieces.get(number)).requireArrived();
        } catch (UncheckedIOException e) {
            throw lost(number, e);
        } catch (Exception e) { // Scala declares nothing: Spark's own are checked
            if (e instanceof IOException || e instanceof SparkException) {
                throw lost(number, e);
            }
            throw e;
        }
    }

    private IOException lost(int number, Exception why) {
        Throwable root = why;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new IOException(
                "Cannot assemble " + described() + ": piece " + number + " of " + pieces.size() + " is not to be had: "
                        + Failures.sentence(root),
                why);
    }

    private String described() {
        return name + " (" + dtype + " " + shape + ")";
    }

    /** The cuts of a tensor such that no piece has more than about so many bytes. */
    static ChunkGrid cuts(DType dtype, Shape shape, long pieceBytes) {
        if (shape.rank() == 0 || shape.numel() == 0) {
            return ChunkGrid.whole(shape);
        }
        int dim = shape.rank() - 1;
        long indexBytes = dtype.bytes();
        while (dim > 0 && indexBytes * shape.size(dim) <= pieceBytes) {
            indexBytes *= shape.size(dim--);
        }
        RowGrid[] along = new RowGrid[dim + 1];
        for (int d = 0; d < dim; d++) {
            along[d] = RowGrid.ofRows(shape.size(d), 1);
        }
        along[dim] = RowGrid.ofBytes(shape.size(dim), indexBytes, pieceBytes);
        return ChunkGrid.of(shape, along);
    }

    /** Takes the blocks of a tensor in any order and sends them as soon as there are enough for a piece. */
    static final class Sender {
        private final String name;
        private final UUID whole = UUID.randomUUID();
        private final DType dtype;
        private final Shape held;
        private final long pieceBytes;
        private final Fate fate;
        private final Function<BroadcastPiece, Broadcast<BroadcastPiece>> broadcast;
        private final List<Broadcast<BroadcastPiece>> sent = new ArrayList<>();
        private final List<Block> open = new ArrayList<>();
        private long openBytes;

        /**
         * @param held the tensor's shape, every repeated dimension cut to one element
         * @param fate of the blocks when they were sent
         */
        Sender(
                String name,
                DType dtype,
                Shape held,
                long pieceBytes,
                Fate fate,
                Function<BroadcastPiece, Broadcast<BroadcastPiece>> broadcast) {
            this.name = name;
            this.dtype = dtype;
            this.held = held;
            this.pieceBytes = pieceBytes;
            this.fate = fate;
            this.broadcast = broadcast;
        }

        void add(Block block) {
            long bytes = block.tensor().numel() * dtype.bytes();
            if (openBytes + bytes > pieceBytes && !open.isEmpty()) {
                send();
            }
            open.add(fate.begin(block));
            openBytes += bytes;
        }

        private void send() {
            try {
                sent.add(broadcast.apply(
                        new BroadcastPiece(new BroadcastPiece.Label(whole, sent.size(), dtype, held), open)));
            } finally {
                close();
            }
        }

        void close() {
            open.forEach(fate::end);
            open.clear();
            openBytes = 0;
        }

        /** The tensor, all of whose blocks were added. */
        BroadcastTensor sent(Shape shape) {
            if (!open.isEmpty() || sent.isEmpty()) {
                send();
            }
            return new BroadcastTensor(whole, name, dtype, shape, held, List.copyOf(sent));
        }
    }

    static BroadcastTensor send(
            String name,
            Tensor tensor,
            long pieceBytes,
            Function<BroadcastPiece, Broadcast<BroadcastPiece>> broadcast) {
        Tensor view = BlockCodec.unexpanded(tensor);
        Sender sender = new Sender(name, tensor.dtype(), view.shape(), pieceBytes, Fate.KEEP, broadcast);
        ChunkGrid cuts = cuts(tensor.dtype(), view.shape(), pieceBytes);
        for (int i = 0; i < cuts.chunks(); i++) {
            Box box = cuts.box(i);
            sender.add(new Block(box.of(view), box.starts()));
        }
        return sender.sent(tensor.shape());
    }
}
