package io.github.broadloom.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RechunkTest {
    private static ChunkGrid grid(Shape shape, long... chunk) {
        RowGrid[] cuts = new RowGrid[chunk.length];
        for (int d = 0; d < cuts.length; d++) {
            cuts[d] = RowGrid.ofRows(shape.size(d), chunk[d]);
        }
        return ChunkGrid.of(shape, cuts);
    }

    private static double chunkElements(ChunkGrid grid) {
        return grid.largest().numel();
    }

    @Test
    void piecesArePairsOfChunksWithElementsInCommon() {
        Random random = new Random(5);
        for (int round = 0; round < 50; round++) {
            Shape shape = Shape.of(1 + random.nextInt(12), 1 + random.nextInt(9), 1 + random.nextInt(5));
            ChunkGrid from = grid(shape, 1 + random.nextInt(5), 1 + random.nextInt(5), 1 + random.nextInt(5));
            ChunkGrid to = grid(shape, 1 + random.nextInt(5), 1 + random.nextInt(5), 1 + random.nextInt(5));
            int pairs = 0;
            for (int chunk = 0; chunk < to.chunks(); chunk++) {
                pairs += from.overlapping(to.box(chunk)).size();
            }
            assertThat(Rechunk.pieces(from, to)).isEqualTo(pairs);
        }
    }

    @Test
    void fewPiecesGoInOneGo() {
        Shape shape = Shape.of(4000, 721, 1440);
        ChunkGrid byTime = grid(shape, 4);
        ChunkGrid byPlace = grid(shape, 4000, 8, 144);
        assertThat(Rechunk.pieces(byTime, byPlace)).isEqualTo(1000 * 91 * 10);
        assertThat(Rechunk.between(byTime, byPlace, 1e7)).isEmpty();
    }

    @Test
    void aTranspositionOfManyChunksGoesThroughBlocksThatAreNoLarger() {
        Shape shape = Shape.of(1_600_000, 1_600_000);
        ChunkGrid rows = grid(shape, 16); // 100,000 chunks
        ChunkGrid columns = grid(shape, 1_600_000, 16);
        assertThat(Rechunk.pieces(rows, columns)).isEqualTo(1e10);
        List<ChunkGrid> between = Rechunk.between(rows, columns, 1e7);
        assertThat(between).hasSize(2);
        List<ChunkGrid> all = new ArrayList<>(between);
        all.add(0, rows);
        all.add(columns);
        for (int i = 1; i < all.size(); i++) {
            assertThat(Rechunk.pieces(all.get(i - 1), all.get(i))).isLessThanOrEqualTo(1e7);
            assertThat(chunkElements(all.get(i))).isLessThanOrEqualTo(1.1 * chunkElements(rows));
        }
    }

    @Test
    void whatNothingHelpsIsLeft() {
        Shape shape = Shape.of(100);
        ChunkGrid ones = grid(shape, 1);
        assertThat(Rechunk.between(ones, grid(shape, 3), 10)).isEmpty();
    }
}
