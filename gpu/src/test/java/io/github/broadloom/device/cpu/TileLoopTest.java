package io.github.broadloom.device.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.codegen.KernelCompiler;
import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.codegen.PointwiseProgram;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ExprParser;
import io.github.broadloom.expr.Input;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A loop over any range of tiles gives these tiles' elements, whatever was loaded before. */
class TileLoopTest {

    /** Columns of a matrix that does not lie row-major, plus a row that repeats, plus one number that repeats everywhere. */
    private static long[] run(int rows, int columns, int firstTile) {
        Tensor x = Tensors.arange((long) rows * columns).view(columns, rows).t();
        Tensor row = Tensors.arange(columns);
        Tensor one = Tensors.of(1_000_000L);
        Expr expr =
                ExprParser.parse("x + row + one", Map.of("x", Input.of(x), "row", Input.of(row), "one", Input.of(one)));
        PointwiseProgram program = PointwiseProgram.of(expr);
        List<Tensor> tensors = program.leaves().stream()
                .map(leaf -> (Tensor) ((Input) leaf).source())
                .toList();
        LoopNest nest = LoopNest.of(
                Layout.contiguous(expr.shape()),
                tensors.stream().map(Tensor::layout).toList());
        Tiling tiling = new Tiling(nest, Long.BYTES, Tiling.Cut.EVEN);
        assertThat(tiling.tiles()).as("of several pieces for each row").isGreaterThan(2L * rows - 1);
        long[] got = new long[rows * columns];
        TileLoop loop = new TileLoop(program.spec(), KernelCompiler.pointwise(program.spec()), nest, tiling, tensors);
        loop.run(
                firstTile,
                tiling.tiles(),
                (elements, count, tile, first) -> System.arraycopy(elements, 0, got, (int) first, count));
        for (int i = (int) tiling.firstElement(firstTile); i < got.length; i++) {
            int r = i / columns;
            int c = i % columns;
            assertThat(got[i]).as("row %d column %d", r, c).isEqualTo((long) c * rows + r + c + 1_000_000);
        }
        return got;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void aRangeMayBeginAnywhere(int firstTile) {
        run(3, 257, firstTile);
    }

    @Test
    void whatComesBeforeTheRangeIsNotTouched() {
        assertThat(run(3, 257, 2)).startsWith(0, 0, 0);
    }
}
