package io.github.broadloom.spark;

import static io.github.broadloom.plan.Strategy.ALIGN;
import static io.github.broadloom.plan.Strategy.GRID;
import static io.github.broadloom.plan.Strategy.REPLICATE;
import static io.github.broadloom.plan.Strategy.RESLICE;
import static io.github.broadloom.plan.Strategy.SHUFFLE;

import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.plan.Strategy;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The kinds of expressions over two tensors: x and y [11, 6, 4], a [11, 5] and b [7, 5], m [11, 9] and n [9, 7]. */
final class CutKinds {
    static final String DISTANCES = "sum((a.unsqueeze(1) - b.unsqueeze(0)) ** 2, -1)";

    private CutKinds() {}

    /**
     * An expression.
     *
     * @param strategies that some cuts of its tensors take
     */
    record Kind(String expression, Strategy... strategies) {
        Tensor local(Map<String, Tensor> tensors) {
            return LazyTensor.eval(expression, tensors).compute();
        }

        /** Whether the expression speaks of the tensor. */
        boolean uses(String name) {
            return expression.matches(".*\\b" + name + "\\b.*");
        }

        @Override
        public String toString() {
            return expression;
        }
    }

    static Stream<Kind> all() {
        return Stream.of(pointwise(), grids(), reductions(), moves(), products(), stages(), neighbours())
                .flatMap(List::stream);
    }

    private static List<Kind> pointwise() {
        return List.of(
                new Kind("where(x > y, x, y * 0.5) - x", ALIGN, RESLICE),
                new Kind("x * y[3] + y", ALIGN, RESLICE, REPLICATE),
                new Kind("x - y[:, :1] * x[:, :, 2:3]", ALIGN, RESLICE),
                new Kind("x[1:] - y[:10]", RESLICE),
                new Kind("x[2:9:2] * y[1:8:2]", RESLICE),
                new Kind("x - y[5:6]", ALIGN, REPLICATE));
    }

    private static List<Kind> grids() {
        return List.of(
                new Kind("a.unsqueeze(1) - b.unsqueeze(0)", GRID),
                new Kind("a.unsqueeze(0) * b.unsqueeze(1)", GRID),
                new Kind("x.unsqueeze(1) / y.unsqueeze(0)", GRID),
                new Kind(DISTANCES, GRID),
                new Kind("amin(" + DISTANCES + ", 1)", GRID),
                new Kind("argmin(" + DISTANCES + ", 1)", GRID),
                new Kind("argmin(" + DISTANCES + ", 0)", GRID),
                new Kind("sum(" + DISTANCES + ", 0)", GRID),
                new Kind("sum(" + DISTANCES + ")", GRID),
                new Kind("std(" + DISTANCES + ", 1)", GRID),
                new Kind("sum(amax(" + DISTANCES + ", 1) * 2, 0)", GRID),
                new Kind("mean(" + DISTANCES + ", 0) + var(amin(" + DISTANCES + ", 1))", GRID),
                new Kind("sqrt(amin(" + DISTANCES + ", 1, keepdim=True)) - a", GRID));
    }

    private static List<Kind> reductions() {
        return List.of(
                new Kind("sum(x * y, 0)", ALIGN, RESLICE),
                new Kind("mean(x - y, (0, 2))", ALIGN, RESLICE),
                new Kind("prod(x + y, 0)", ALIGN, RESLICE),
                new Kind("amin(x * y, (0, 1))", ALIGN, RESLICE),
                new Kind("amax(x - y)", ALIGN, RESLICE),
                new Kind("argmin(x * y, 0)", ALIGN, RESLICE),
                new Kind("argmax(x - y)", ALIGN, RESLICE),
                new Kind("any(x > y, 0)", ALIGN, RESLICE),
                new Kind("all(x > y - 1000, (0, 1))", ALIGN, RESLICE),
                new Kind("var(x * y, 0)", ALIGN, RESLICE),
                new Kind("std(x - y, (0, 2), keepdim=True)", ALIGN, RESLICE),
                new Kind("norm(x + y, 2, (0, 1))", ALIGN, RESLICE),
                new Kind("logsumexp(x - y, 0)", ALIGN, RESLICE),
                new Kind("count_nonzero(x * y, (0, 2))", ALIGN, RESLICE),
                new Kind("cumsum(x * y, 0)", ALIGN, RESLICE),
                new Kind("mean(x * y, (1, 2))", ALIGN, RESLICE),
                new Kind("topk(x - y, 3, 0)"),
                new Kind("kthvalue(x * y, 2, 0).indices"),
                new Kind("sort(x - y, 0)"),
                new Kind("argsort(x * y, 1, descending=True)", ALIGN, RESLICE),
                new Kind("median(x - y, 0)"));
    }

    /** Elements that are looked up, groups and windows: how they come depends on how small the cuts are. */
    private static List<Kind> neighbours() {
        return Stream.of(
                        "take_along_dim(x - y, argsort(x, 1), 1) * 2",
                        "take_along_dim(x, argsort(y, 0), 0) - y",
                        "groupby_reduce(x - y, int64(x > y), 2, dim=1)",
                        "groupby_reduce(x - y, int64(y[:, :1, :1] > 0), 2, dim=0, func='mean')",
                        "x - take_along_dim(groupby_reduce(x, int64(y > 0), 2), int64(y > 0), 0)",
                        "groupby_reduce(x, int64(y > 0), 3, func='median')",
                        "x.unfold(0, 3, 1).sum(-1)",
                        "x.unfold(0, 11, 1) * 2",
                        "(x.unfold(0, 2, 2) * y[:5].unsqueeze(-1)).sum((1, 3))",
                        "rolling(x - y, 0, 4, 'max')",
                        "diff(x - y, n=2, dim=0)")
                .map(Kind::new)
                .toList();
    }

    private static List<Kind> moves() {
        return List.of(
                new Kind("permute(x, 1, 0, 2) + permute(y, 1, 0, 2)", SHUFFLE),
                new Kind("m.t() * 2", RESLICE),
                new Kind("reshape(x, 12, 22) - reshape(y, 12, 22)", RESLICE),
                new Kind("reshape(x * y, 22, 12)", RESLICE),
                new Kind("flip(x, 0) - y", RESLICE),
                new Kind("cat((x, y, x[4:5]), 0) * 2", RESLICE),
                new Kind("cat((x, y), 1) + 1", ALIGN, RESLICE),
                new Kind("stack((x, y), 0) - y", GRID),
                new Kind("stack((x, y), 2)", ALIGN, RESLICE));
    }

    private static List<Kind> products() {
        return List.of(
                new Kind("m @ n", GRID),
                new Kind("x @ y.transpose(1, 2)", ALIGN, RESLICE),
                new Kind("einsum('bij,bkj->bik', x, y)", ALIGN, RESLICE),
                new Kind("einsum('ij,kj->ki', a, b)", GRID),
                new Kind("amax(m @ n, 1)", GRID));
    }

    /** Stages that read what stages before them leave, on the driver and in chunks. */
    private static List<Kind> stages() {
        return List.of(
                new Kind("(x - mean(x, 0)) / std(x, 0) * y", ALIGN, RESLICE, REPLICATE),
                new Kind("cumsum(x, 0) - flip(cumsum(y, 0), 0)", ALIGN, RESLICE),
                new Kind("x * permute(cumsum(permute(y, 1, 0, 2), 1), 1, 0, 2)", ALIGN),
                new Kind("softmax(x - y, 0) * y", ALIGN, RESLICE, REPLICATE),
                new Kind("cumsum(argmin(" + DISTANCES + ", 1), 0) + a[:, 0]", GRID),
                new Kind("reshape(cumsum(x, 0), 22, 12)[3:14] * y[:, :3, 1:2].reshape(11, 3)[:, :1]", RESLICE),
                new Kind("(m - mean(m, 0)) @ (n * sum(n))", GRID));
    }
}
