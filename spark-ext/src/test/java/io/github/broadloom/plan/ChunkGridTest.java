package io.github.broadloom.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChunkGridTest {
    private static final Shape SHAPE = Shape.of(10, 7, 3);
    private static final ChunkGrid GRID = ChunkGrid.of(SHAPE, RowGrid.of(0, 4, 10), RowGrid.of(0, 1, 6, 7));

    @Test
    void chunksAreEveryCombinationOfRangesInRowMajorOrder() {
        assertThat(GRID.chunks()).isEqualTo(6);
        assertThat(GRID.box(0)).hasToString("[0:4, 0:1, 0:3]");
        assertThat(GRID.box(1)).hasToString("[0:4, 1:6, 0:3]");
        assertThat(GRID.box(5)).hasToString("[4:10, 6:7, 0:3]");
        assertThat(GRID.largest()).isEqualTo(Shape.of(6, 5, 3));
        assertThat(GRID).hasToString("6 chunks (2 x 3) of up to 6 x 5");
    }

    @Test
    void everyElementIsInOneChunk() {
        Set<String> seen = new HashSet<>();
        for (int chunk = 0; chunk < GRID.chunks(); chunk++) {
            Box box = GRID.box(chunk);
            for (long i = box.start(0); i < box.end(0); i++) {
                for (long j = box.start(1); j < box.end(1); j++) {
                    assertThat(seen.add(i + "," + j)).isTrue();
                }
            }
        }
        assertThat(seen).hasSize(70);
    }

    @Test
    void overlappingChunksAreThoseThatShareAnElement() {
        assertThat(GRID.overlapping(Box.of(new long[] {3, 2, 0}, new long[] {5, 3, 1})))
                .containsExactly(1, 4);
        assertThat(GRID.overlapping(Box.whole(SHAPE))).hasSize(6);
        assertThat(GRID.overlapping(Box.of(new long[] {3, 2, 0}, new long[] {5, 2, 1})))
                .isEmpty();
    }

    @Test
    void dimensionsThatAreNotCutNeedNoCuts() {
        assertThat(ChunkGrid.of(SHAPE, RowGrid.whole(10), RowGrid.whole(7))).isEqualTo(ChunkGrid.whole(SHAPE));
        assertThat(ChunkGrid.of(SHAPE, RowGrid.of(0, 4, 10), RowGrid.whole(7)).cutsRowsAlone())
                .isTrue();
        assertThat(ChunkGrid.of(SHAPE, RowGrid.whole(10), RowGrid.of(0, 3, 7)).cutsRowsAlone())
                .isFalse();
        assertThat(ChunkGrid.whole(Shape.SCALAR).chunks()).isEqualTo(1);
        assertThat(ChunkGrid.whole(Shape.SCALAR).overlapping(Box.whole(Shape.SCALAR)))
                .containsExactly(0);
    }

    @Test
    void cutsOfAnotherSizeAreRefused() {
        assertThatThrownBy(() -> ChunkGrid.of(SHAPE, RowGrid.of(0, 4, 9)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dimension 0 has another size");
    }

    @Test
    void blocksOfWholePiecesKeepRowsWholeWhereTheyAreNotTooLarge() {
        Shape hours = Shape.of(8760, 721, 1440);
        ChunkGrid byHour = ChunkGrid.ofPieces(hours, Shape.of(1, 721, 1440), DType.FLOAT32, 16 << 20);
        assertThat(byHour.largest()).isEqualTo(Shape.of(4, 721, 1440));
        ChunkGrid tiles = ChunkGrid.ofPieces(hours, Shape.of(24, 180, 360), DType.FLOAT32, 16 << 20);
        assertThat(tiles.largest()).isEqualTo(Shape.of(24, 721, 1440)); // 100 MB
        ChunkGrid byPlace = ChunkGrid.ofPieces(hours, Shape.of(8760, 10, 10), DType.FLOAT32, 16 << 20);
        assertThat(byPlace.largest()).isEqualTo(Shape.of(8760, 10, 40));
        ChunkGrid ofOneRow = ChunkGrid.ofPieces(
                Shape.of(1488, 181, 360), Shape.of(1488, 20, 60), DType.FLOAT32, 48 << 20); // whole rows are all of it
        assertThat(ofOneRow.largest()).isEqualTo(Shape.of(1488, 20, 360));
        assertThat(ofOneRow.chunks()).isEqualTo(10);
        assertThat(ChunkGrid.ofPieces(Shape.of(3, 0), Shape.of(1, 1), DType.INT8, 100)
                        .chunks())
                .isEqualTo(1);
    }
}
