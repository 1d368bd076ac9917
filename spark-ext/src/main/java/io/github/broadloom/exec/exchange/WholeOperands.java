package io.github.broadloom.exec.exchange;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.BlockCodec;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.exec.cache.Fate;
import io.github.broadloom.plan.Access;
import io.github.broadloom.plan.Operand;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.plan.Source;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.Strategy;
import io.github.broadloom.plan.Transport;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Sends every task what it gets whole: small operands with its code, the others in pieces. The driver holds of an operand that it does not have anyway one piece at a time, beside what Spark
 * keeps to be fetched; where the operand has to be moved first, or is small, all of it once.
 *
 * @param made hears of every broadcast variable
 */
public record WholeOperands(SparkContext context, Settings settings, SourceReader reader, Consumer<Broadcast<?>> made) {
    /** What is sent with the code of the tasks, which every task reads anew: some microseconds for this much. */
    public static final long CARRIED_BYTES = 1 << 16;

    Map<Operand, Exchange> of(Stage stage) {
        Map<Operand, Exchange> exchanges = new IdentityHashMap<>();
        long room = CARRIED_BYTES;
        for (Operand operand : stage.operands()) {
            if (operand.transport() == Transport.BROADCAST) {
                Exchange exchange = exchange(operand, Box.whole(stage.grid().shape()), room);
                exchanges.put(operand, exchange);
                room -= exchange instanceof Exchange.WithTask carried ? carried.bytes() : 0;
            }
        }
        return exchanges;
    }

    /** @param room for what is sent with the code */
    private Exchange exchange(Operand operand, Box everything, long room) {
        Source source = operand.source();
        boolean elsewhere = source.residence().isAway();
        Box box =
                operand.strategy() == Strategy.REPLICATE ? operand.access().box(everything) : Box.whole(source.shape());
        Exchange.ChunkPart part = Exchange.ChunkPart.of(operand, box);
        long bytes = box.shape().numel() * source.dtype().bytes();
        boolean asItIs = !operand.isCommon() || operand.access().isPlain();
        if (elsewhere && asItIs && bytes > room && !context.isLocal()) {
            return new Exchange.WholeBroadcast(forwarded(source, box), part);
        }
        Tensor tensor = replica(operand, box, everything, elsewhere);
        if (BlockCodec.payloadBytes(tensor) > room && context.isLocal()) {
            return new Exchange.SameProcess(InProcessTensor.of(tensor), part);
        }
        Exchange exchange = BlockCodec.payloadBytes(tensor) <= room
                ? Exchange.WithTask.of(tensor, part)
                : new Exchange.WholeBroadcast(
                        BroadcastTensor.send(source.name(), tensor, settings.pieceBytes(), this::broadcast), part);
        if (elsewhere) {
            tensor.release();
        }
        return exchange;
    }

    /** What is sent: the operand where every chunk has the same, else all that they take theirs from. */
    private Tensor replica(Operand operand, Box box, Box everything, boolean elsewhere) {
        Tensor read = reader.read(operand.source(), box);
        if (!operand.isCommon()) {
            return read;
        }
        Access access = operand.access();
        Tensor moved = access.moved(read, everything);
        if (elsewhere && moved.storage() != read.storage()) {
            read.release();
        }
        return moved;
    }

    private BroadcastTensor forwarded(Source source, Box box) {
        BroadcastTensor.Sender sender = new BroadcastTensor.Sender(
                source.name(), source.dtype(), box.shape(), settings.pieceBytes(), Fate.RELEASE, this::broadcast);
        try {
            reader.readBlocks(source, box, settings.pieceBytes(), (part, tensor) -> {
                long[] starts = part.starts();
                Arrays.setAll(starts, d -> starts[d] - box.start(d));
                sender.add(new Block(tensor, starts));
            });
            return sender.sent(box.shape());
        } finally {
            sender.close();
        }
    }

    /** Where the executors are other JVMs, the driver keeps only what they fetch. */
    private Broadcast<BroadcastPiece> broadcast(BroadcastPiece piece) {
        Broadcast<BroadcastPiece> broadcast = context.broadcastInternal(piece, true, Scala.tag(BroadcastPiece.class));
        made.accept(broadcast);
        return broadcast;
    }
}
