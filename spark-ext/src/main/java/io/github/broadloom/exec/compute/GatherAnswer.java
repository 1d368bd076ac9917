package io.github.broadloom.exec.compute;

import io.github.broadloom.device.Devices;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.BlockCodec;
import io.github.broadloom.exec.OwnBytes;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Gather;
import io.github.broadloom.expr.Input;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.BoxCopy;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the chunk of a tensor sends of itself to one of those that {@linkplain GatherExchange ask}. It is looked up when Spark writes it, so that no more than one answer is held at a time
 * however often an element is asked for; the question goes with it.
 */
public final class GatherAnswer extends OwnBytes {
    private static final long serialVersionUID = 1L;
    private static final long OVERHEAD_BYTES = 512;

    private transient @Nullable Gather gather;
    private transient @Nullable Block asked;
    private transient @Nullable Block question;

    private transient @Nullable Tensor positions;
    private transient @Nullable Block elements;

    /** Made by a serialiser. */
    public GatherAnswer() {}

    /** @param question of int64, a row of positions in the chunk that asks, and of places in this one a row for each indexed dimension */
    GatherAnswer(Gather gather, Block asked, Block question) {
        this.gather = gather;
        this.asked = asked;
        this.question = question;
    }

    @Override
    public long estimatedSize() {
        return OVERHEAD_BYTES + (question == null ? 0 : BlockCodec.payloadBytes(question.tensor()));
    }

    @Override
    protected void writeTo(DataOutput out) throws IOException {
        if (gather == null || asked == null || question == null) {
            throw new IllegalStateException("Cannot send an answer again");
        }
        Tensor table = question.tensor();
        BlockCodec.write(table.select(0, 0), new long[1], out);
        Tensor found = found(gather, asked.tensor(), table);
        try {
            BlockCodec.write(found, starts(gather, asked), out);
        } finally {
            found.release();
            table.release();
        }
    }

    private static Tensor found(Gather gather, Tensor asked, Tensor table) {
        Shape lying = Shape.ones(gather.shape().rank())
                .with(gather.dim(), table.shape().size(1));
        List<Expr> children = new ArrayList<>(List.of(Input.of(asked)));
        for (int i = 1; i < table.shape().size(0); i++) {
            children.add(Input.of(table.select(0, i).view(lying.toArray())));
        }
        return Devices.backend(Device.CPU).evaluate(gather.withChildren(children));
    }

    /** Where the first of what is found would be in the result, were the dimension of the indices not there. */
    private static long[] starts(Gather gather, Block asked) {
        long[] starts = new long[gather.shape().rank()];
        for (int d = 0; d < gather.operand().shape().rank(); d++) {
            int place = gather.placeOf(d);
            if (place >= 0) {
                starts[place] = asked.box().start(d);
            }
        }
        return starts;
    }

    @Override
    protected void readFrom(DataInput in) throws IOException {
        positions = BlockCodec.read(in).tensor();
        BlockCodec.Arrived arrived = BlockCodec.read(in);
        elements = new Block(arrived.tensor(), arrived.starts());
    }

    /**
     * Puts it where it belongs, and lets it go.
     *
     * @param dim that of the indices
     * @return how many elements came
     */
    long place(Tensor result, int dim) {
        if (elements == null || positions == null) {
            throw new IllegalStateException("Cannot use an answer that did not travel");
        }
        Tensor from = elements.tensor();
        Tensor to = elements.box().with(dim, 0, result.shape().size(dim)).of(result);
        try (Hold held = Hold.of(result)) {
            place(from, to, positions, dim);
        }
        long count = from.numel();
        from.release();
        positions.release();
        return count;
    }

    private static void place(Tensor from, Tensor to, Tensor positions, int dim) {
        int width = from.dtype().bytes();
        Shape one = from.shape().with(dim, 1);
        BoxCopy copy = BoxCopy.of(
                width, one.toArray(), from.layout().strides(), to.layout().strides());
        boolean single = one.numel() == 1;
        long fromStep = from.layout().stride(dim) * width;
        long toStep = to.layout().stride(dim) * width;
        for (long i = 0; i < from.shape().size(dim); i++) {
            long source = from.address() + i * fromStep;
            long target = to.address() + RawMemory.getLong(positions.address() + i * Long.BYTES) * toStep;
            if (single) {
                RawMemory.copyElement(source, target, width);
            } else {
                copy.copy(null, source, null, target);
            }
        }
    }

    @Override
    public String toString() {
        return "answer of " + (elements == null ? asked : elements);
    }
}
