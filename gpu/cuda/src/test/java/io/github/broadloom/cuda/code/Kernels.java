package io.github.broadloom.cuda.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;

/** Kernels of expressions over inputs that are known by their layouts alone, at aligned addresses. */
final class Kernels {
    private Kernels() {}

    /** Not a record, for two of the same layout are two. */
    private static final class Named {
        final Layout layout;

        Named(Layout layout) {
            this.layout = layout;
        }
    }

    static Expr input(DType dtype, long... shape) {
        return input(dtype, Layout.contiguous(Shape.of(shape)));
    }

    /** A matrix of so many rows and columns that lies column by column. */
    static Expr transposed(DType dtype, long rows, long columns) {
        return input(dtype, Layout.contiguous(Shape.of(columns, rows)).t());
    }

    private static Expr input(DType dtype, Layout layout) {
        return Input.of(new Named(layout), dtype, layout.shape());
    }

    /** The launches for a contiguous result. */
    static List<CudaLaunch> launches(Expr expr) {
        PointwiseProgram program = PointwiseProgram.of(expr);
        List<Layout> layouts = program.leaves().stream()
                .map(leaf -> ((Named) ((Input) leaf).source()).layout)
                .toList();
        int[] alignments = new int[layouts.size() + 1];
        Arrays.fill(alignments, 256);
        LoopNest nest = LoopNest.of(Layout.contiguous(expr.shape()), layouts);
        return PointwiseLaunches.of(program.spec(), nest, alignments);
    }

    static CudaSource source(Expr expr) {
        return launches(expr).get(0).source();
    }
}
