package io.github.broadloom.cpu;

import io.github.broadloom.cpu.reduce.LineReader;
import io.github.broadloom.cpu.reduce.RankedLine;
import io.github.broadloom.cpu.reduce.RankedValues;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;

/** Puts the values of lines in order, and writes them or where they stood, of those ranks that are asked for. The lines are shared by threads. */
final class RankedPass implements Parallel.Worker {
    private final LineOp op;
    private final DType dtype;
    private final RankedLine ranked;
    private final LineReader in;
    private final LineReader out;
    private final int written;

    private RankedPass(Along along, Tensor operand, Tensor result) {
        this.op = along.op();
        this.dtype = operand.dtype();
        this.ranked = new RankedLine(op, dtype, LinePass.length(along));
        this.in = new LineReader(operand, lines(along, operand.layout()));
        this.out = new LineReader(result, lines(along, withLine(along, result.layout())));
        this.written = (int) op.results(along.lineLength());
    }

    /** The line as the last dimension. */
    private static Layout lines(Along along, Layout layout) {
        boolean isScalar = along.dims().length == 0;
        return isScalar
                ? layout.unsqueeze(0)
                : layout.movedim(along.dims()[0], layout.shape().rank() - 1);
    }

    /** A dimension of size one where the line was, if that went away. */
    private static Layout withLine(Along along, Layout layout) {
        boolean isThere = along.op().leavesLine() || along.keepDim().keeps() || along.dims().length == 0;
        return isThere ? layout : layout.unsqueeze(along.dims()[0]);
    }

    static Tensor run(Along along, Tensor operand, int threads) {
        Tensor result = Tensors.empty(along.dtype(), along.shape());
        if (result.numel() > 0) {
            long lines = result.numel() / along.op().results(along.lineLength());
            LinePass.forLines(along, lines, threads, () -> new RankedPass(along, operand, result));
        }
        return result;
    }

    @Override
    public void run(long first, long end) {
        int skipped = ranked.ranks() - written;
        for (long line = first; line < end; line++) {
            in.read(line);
            int[] places = ranked.places(in.line());
            if (op.kind().isIndices()) {
                RankedValues.places(places, skipped, written, (long[]) out.line());
            } else {
                RankedValues.values(dtype, in.line(), places, skipped, written, out.line());
            }
            out.write(line);
        }
    }
}
