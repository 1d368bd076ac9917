package io.github.broadloom.plan;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.plan.Source.Residence;
import io.github.broadloom.shape.Shape;
import org.jspecify.annotations.Nullable;

/** Expressions over sources without elements, and their plans. */
final class Plans {
    static final long MIB = 1 << 20;
    static final Settings SETTINGS = Settings.defaults().withChunkBytes(16 * MIB);

    private Plans() {}

    private record Fake(
            String name, Residence residence, @Nullable ChunkGrid grid, DType dtype, Shape shape) implements Source {
        @Override
        public String origin() {
            return "fake";
        }
    }

    static Expr input(String name, Residence residence, @Nullable RowGrid grid, long... shape) {
        Shape sizes = Shape.of(shape);
        @Nullable ChunkGrid cuts = grid == null ? null : ChunkGrid.of(sizes, grid);
        Fake source = new Fake(name, residence, cuts, DType.FLOAT32, sizes);
        return Input.of(source, source.dtype(), source.shape());
    }

    /** Of blocks on the cluster. */
    static Expr blocks(String name, Shape shape, ChunkGrid cuts) {
        return Input.of(new Fake(name, Residence.CLUSTER, cuts, DType.FLOAT32, shape), DType.FLOAT32, shape);
    }

    static Expr file(String name, long... shape) {
        return input(name, Residence.FILE, null, shape);
    }

    static Expr local(String name, long... shape) {
        return input(name, Residence.DRIVER, null, shape);
    }

    static Expr apply(String op, Expr... args) {
        return Expr.apply(Op.of(op), args);
    }

    static Expr mean(Expr operand, int... dims) {
        return Expr.reduce(Reduction.MEAN, operand, KeepDim.DROP, dims);
    }

    static Plan plan(Expr expr) {
        return new Planner(SETTINGS).plan(expr, Want.VALUE);
    }

    static Operand operand(Stage stage, String name) {
        return stage.operands().stream()
                .filter(o -> o.source().name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
