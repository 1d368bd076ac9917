package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cpu.code.JavaRenderer;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.kernels.PointwiseProgram;
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

    private static final int ROWS = 3;
    private static final int COLUMNS = 257;
    private static final int DEPTH = 4;

    /**
     * Numbers that do not lie row-major, plus a column that repeats, plus a line that repeats for every row and column.
     */
    private static long[] run(int firstTile) {
        Tensor x = Tensors.arange(ROWS * COLUMNS * DEPTH)
                .view(COLUMNS, ROWS, DEPTH)
                .transpose(0, 1);
        Tensor column = Tensors.arange(COLUMNS).view(COLUMNS, 1);
        Tensor line = Tensors.of(1_000_000L, 2_000_000L, 3_000_000L, 4_000_000L);
        Expr expr = ExprParser.parse(
                "x + column + line", Map.of("x", Input.of(x), "column", Input.of(column), "line", Input.of(line)));
        PointwiseProgram program = PointwiseProgram.of(expr);
        List<Tensor> tensors = program.leaves().stream()
                .map(leaf -> (Tensor) ((Input) leaf).source())
                .toList();
        LoopNest nest = LoopNest.of(
                Layout.contiguous(expr.shape()),
                tensors.stream().map(Tensor::layout).toList());
        Tiling tiling = new Tiling(nest, Long.BYTES, Tiling.Cut.EVEN);
        assertThat(tiling.tiles()).as("of several pieces for each row").isEqualTo(5 * ROWS);
        long[] got = new long[ROWS * COLUMNS * DEPTH];
        long[] begin = {Long.MAX_VALUE};
        TileLoop loop = new TileLoop(
                new TileLoop.Program(program.spec(), JavaRenderer.compile(program.spec())), nest, tiling, tensors);
        loop.run(firstTile, tiling.tiles(), (elements, count, at) -> {
            long first = at.firstElement();
            begin[0] = Math.min(begin[0], first);
            System.arraycopy(elements, 0, got, (int) first, count);
        });
        for (int i = (int) begin[0]; i < got.length; i++) {
            int k = i % DEPTH;
            int c = i / DEPTH % COLUMNS;
            int r = i / DEPTH / COLUMNS;
            long expected = (c * ROWS + r) * DEPTH + k + c + (k + 1) * 1_000_000;
            assertThat(got[i]).as("element [%d, %d, %d]", r, c, k).isEqualTo(expected);
        }
        return got;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 9, 14})
    void aRangeMayBeginAnywhere(int firstTile) {
        run(firstTile);
    }

    @Test
    void whatComesBeforeTheRangeIsNotTouched() {
        assertThat(run(2)).startsWith(0, 0, 0);
    }
}
