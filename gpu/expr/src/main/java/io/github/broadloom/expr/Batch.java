package io.github.broadloom.expr;

import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * An expression for many rows at once: what {@code torch.vmap} does. Its inputs are the tensors of one row; in the result those that
 * differ from row to row have one more dimension, the first, along which the rows lie, and so has the value. Each row of it is what
 * the expression gives for that row by itself: dtypes are those of one row, where a zero-dim tensor promotes less than others do, and a
 * row's bits do not depend on which rows lie beside it.
 */
public final class Batch implements Expr.Visitor<Expr> {
    private final long rows;
    private final Function<Input, ? extends Expr> stacked;
    /** The nodes that differ from row to row, over all rows; the others are themselves. */
    private final Map<Expr, Expr> lifted = new IdentityHashMap<>();

    private Batch(long rows, Function<Input, ? extends Expr> stacked) {
        this.rows = rows;
        this.stacked = stacked;
    }

    /**
     * The expression for many rows.
     *
     * @param row over the tensors of one row, which are no local ones: of those, a view would be another input
     * @param rows how many there are
     * @param stacked what stands for an input: itself where it is the same for all rows, else an expression of its dtype and of shape
     *     {@code [rows, …its shape]}
     * @return of shape {@code [rows, …the shape of row]} and the same dtype
     */
    public static Expr of(Expr row, long rows, Function<Input, ? extends Expr> stacked) {
        Batch batch = new Batch(rows, stacked);
        for (Expr node : row.postOrder()) {
            batch.visit(node);
        }
        return batch.everyRow(row);
    }

    private void visit(Expr node) {
        if (node instanceof Input) {
            Expr all = node.accept(this);
            if (all != node) {
                lifted.put(node, all);
            }
        } else if (node.children().stream().anyMatch(lifted::containsKey)) {
            lifted.put(node, Expr.cast(node.accept(this), node.dtype()));
        }
    }

    @Override
    public Expr input(Input input) {
        return stacked.apply(input);
    }

    @Override
    public Expr literal(Literal literal) {
        return literal;
    }

    @Override
    public Expr cast(Cast cast) {
        return Expr.cast(over(cast.operand()), cast.dtype());
    }

    @Override
    public Expr rearrange(Rearrange rearrange) {
        return Expr.rearrange(over(rearrange.operand()), rearrange.viewOp().behindFirst());
    }

    @Override
    public Expr concat(Concat concat) {
        return Expr.concat(concat.children().stream().map(this::everyRow).toList(), concat.dim() + 1);
    }

    @Override
    public Expr contraction(Contraction contraction) {
        return Expr.contract(
                withRows(contraction.left()), withRows(contraction.right()), behindFirst(contraction.dims()));
    }

    @Override
    public Expr gather(Gather gather) {
        return gather.recipe()
                .behindFirst()
                .over(gather.children().stream().map(this::withRows).toList());
    }

    @Override
    public Expr filter(Filter filter) {
        throw new IllegalArgumentException(
                "Cannot pick by a mask in each of many rows: how many elements it picks would be another number in each");
    }

    @Override
    public Expr search(Search search) {
        return search.recipe().over(List.of(withRows(search.lines()), everyRow(search.values())));
    }

    @Override
    public Expr grouped(Grouped grouped) {
        Expr operand = everyRow(grouped.operand());
        return grouped.behindFirst(operand, withRows(grouped.told()));
    }

    /** A node over all rows, or itself where it is the same for all. */
    private Expr over(Expr node) {
        return lifted.getOrDefault(node, node);
    }

    /** The arguments are converted first: among themselves they would promote as tensors of many rows do. */
    @Override
    public Expr apply(Apply apply) {
        List<Expr> args = apply.children();
        int rank = apply.shape().rank();
        if (apply.op() == Ops.EXPAND_AS) {
            return Expr.expand(aligned(args.get(0), rank), behindRows(apply.shape()));
        }
        Expr[] all = new Expr[args.size()];
        for (int i = 0; i < all.length; i++) {
            Expr arg = args.get(i);
            all[i] = arg instanceof Literal ? arg : Expr.cast(aligned(arg, rank), apply.argumentType(i));
        }
        return Expr.apply(apply.op(), all);
    }

    /** A node with its dimensions behind that of the rows, where the broadcast result of that rank has them. */
    private Expr aligned(Expr node, int rank) {
        Expr all = lifted.get(node);
        if (all == null) {
            return node;
        }
        for (int missing = rank - node.shape().rank(); missing > 0; missing--) {
            all = ViewOps.unsqueeze(all, 1);
        }
        return all;
    }

    @Override
    public Expr reduce(Reduce reduce) {
        Expr operand = over(reduce.operand());
        int[] dims = reduce.dims();
        if (dims.length == 0 || reduce.reduction().isPosition() && dims.length > 1) {
            Expr lines = Expr.reduce(reduce.reduction(), asLine(operand), reduce.correction(), KeepDim.DROP, 1);
            return shaped(lines, reduce.shape());
        }
        return Expr.reduce(reduce.reduction(), operand, reduce.correction(), reduce.keepDim(), behindFirst(dims));
    }

    @Override
    public Expr along(Along along) {
        Expr operand = over(along.operand());
        int[] dims = along.dims();
        if (dims.length != 1) {
            return shaped(Along.of(along.op(), asLine(operand), KeepDim.DROP, 1), along.shape());
        }
        return Along.of(along.op(), operand, along.keepDim(), behindFirst(dims));
    }

    /** All values of a row as one line. */
    private Expr asLine(Expr all) {
        return ViewOps.reshape(all, rows, all.shape().numel() / Math.max(1, rows));
    }

    private Expr shaped(Expr all, Shape row) {
        return ViewOps.reshape(all, behindRows(row));
    }

    private long[] behindRows(Shape row) {
        return row.withLeading(rows).toArray();
    }

    /** The same dimension first in both operands of a product; of size one where the rows have the operand in common. */
    private Expr withRows(Expr node) {
        Expr all = lifted.get(node);
        return all == null ? ViewOps.unsqueeze(node, 0) : all;
    }

    private Expr everyRow(Expr node) {
        Expr all = lifted.get(node);
        return all == null ? Expr.expand(node, behindRows(node.shape())) : all;
    }

    private static int[] behindFirst(int... dims) {
        return Arrays.stream(dims).map(dim -> dim + 1).toArray();
    }
}
