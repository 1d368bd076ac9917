package io.github.broadloom.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TilingTest {
    private static final int FLOAT = Float.BYTES;

    private static Layout contiguous(long... sizes) {
        return Layout.contiguous(Shape.of(sizes));
    }

    private static LoopNest nest(Layout output, Layout... operands) {
        return LoopNest.of(output, List.of(operands));
    }

    private static int[] extents(LoopNest nest, Tiling tiling) {
        int[] extents = new int[nest.rank()];
        Arrays.setAll(extents, tiling::extent);
        return extents;
    }

    @Test
    void aTransposedOperandIsReadByWholeCacheLines() {
        LoopNest nest = nest(contiguous(4096, 4096), contiguous(4096, 4096).t(), contiguous(4096));
        assertThat(extents(nest, new Tiling(nest, FLOAT, Tiling.Cut.EVEN))).containsExactly(16, 128);
        assertThat(extents(nest, new Tiling(nest, Double.BYTES, Tiling.Cut.EVEN)))
                .containsExactly(8, 128);
    }

    @Test
    void aTransposedOperandWhoseLinesFitTheTileNeedsNoOther() {
        LoopNest nest = nest(contiguous(5000, 3), contiguous(3, 5000).t());
        assertThat(extents(nest, new Tiling(nest, FLOAT, Tiling.Cut.EVEN))[1]).isEqualTo(3);
        assertThat(extents(nest, new Tiling(nest, FLOAT, Tiling.Cut.EVEN))[0]).isGreaterThan(16);
    }

    @Test
    void whatARowRepeatsIsOneElementWhereRowsAreLong() {
        LoopNest images = nest(contiguous(8, 3, 224, 224), contiguous(8, 3, 224, 224), contiguous(3, 1, 1));
        Tiling tiling = new Tiling(images, FLOAT, Tiling.Cut.EVEN);
        assertThat(tiling.access(0)).isEqualTo(Access.VARYING);
        assertThat(tiling.access(1)).isEqualTo(Access.ROW);
        LoopNest rows = nest(contiguous(1000, 100), contiguous(1000, 100), contiguous(1000, 1));
        assertThat(new Tiling(rows, FLOAT, Tiling.Cut.EVEN).access(1)).isEqualTo(Access.ROW);
        LoopNest pixels = nest(contiguous(1000, 3), contiguous(1000, 3), contiguous(1000, 1), contiguous(3));
        Tiling flat = new Tiling(pixels, FLOAT, Tiling.Cut.EVEN);
        assertThat(flat.access(1)).isEqualTo(Access.VARYING);
        assertThat(flat.access(2)).isEqualTo(Access.VARYING);
        assertThat(flat.whole().rows()).as("one loop over whole pixels").isOne();
        assertThat(flat.whole().columns() % 3).isZero();
    }

    @Test
    void anAlignedTilingKeepsTheOrderOfElementsWhateverIsTransposed() {
        LoopNest nest = nest(contiguous(70, 1000), contiguous(1000, 70).t());
        Tiling tiling = new Tiling(nest, FLOAT, Tiling.Cut.ALIGNED);
        TileCursor cursor = new TileCursor(nest, tiling);
        long expected = 0;
        for (long tile = 0; tile < tiling.tiles(); tile++) {
            cursor.moveTo(tile);
            assertThat(cursor.firstElement()).isEqualTo(expected);
            expected += cursor.form().count();
        }
        assertThat(expected).isEqualTo(70_000);
    }

    @Test
    void aScalarIsOneTile() {
        Tiling tiling = new Tiling(nest(contiguous(), contiguous()), FLOAT, Tiling.Cut.EVEN);
        assertThat(tiling.tiles()).isOne();
        assertThat(tiling.whole().count()).isOne();
    }

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyElementIsInOneTileAndEveryTileCanBeGoneTo(long seed) {
        Random random = new Random(seed);
        long[] sizes = random.ints(random.nextInt(5), 1, 60).asLongStream().toArray();
        Layout output = contiguous(sizes);
        int[] order = random.ints(0, Math.max(1, sizes.length))
                .distinct()
                .limit(sizes.length)
                .toArray();
        long[] stored = Arrays.stream(order).mapToLong(dim -> sizes[dim]).toArray();
        int[] back = new int[sizes.length];
        for (int i = 0; i < order.length; i++) {
            back[order[i]] = i;
        }
        LoopNest nest = nest(output, contiguous(stored).permute(back));
        Tiling tiling = new Tiling(nest, 1 << random.nextInt(4), Tiling.Cut.values()[random.nextInt(2)]);
        TileCursor cursor = new TileCursor(nest, tiling);
        long[] first = new long[(int) tiling.tiles()];
        long elements = 0;
        for (int tile = 0; tile < first.length; tile++) {
            cursor.moveTo(tile);
            first[tile] = cursor.firstElement();
            elements += cursor.form().count();
            assertThat(cursor.form().count())
                    .isEqualTo(cursor.form().rows() * cursor.form().columns());
        }
        assertThat(elements).isEqualTo(output.shape().numel());
        assertThat(first).as("no tile begins where another does").doesNotHaveDuplicates();
        for (int i = 0; i < 20; i++) {
            int tile = random.nextInt(first.length);
            cursor.moveTo(tile);
            assertThat(cursor.firstElement()).isEqualTo(first[tile]);
        }
    }
}
