package io.github.broadloom.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowGridTest {
    @ParameterizedTest
    @CsvSource({"10,1,1", "10,3,3", "10,10,10", "10,99,10", "0,4,1", "1,4,1", "7,2,2"})
    void chunksAreAsManyAsAskedForAndDifferByOneRow(long rows, int asked, int expected) {
        RowGrid grid = RowGrid.ofChunks(rows, asked);
        assertThat(grid.chunks()).isEqualTo(expected);
        assertThat(grid.rows()).isEqualTo(rows);
        for (int i = 0; i < grid.chunks(); i++) {
            assertThat(grid.end(i) - grid.start(i)).isBetween(rows / expected, rows / expected + 1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1000,100,1600,16",
        "1000,100,1500,16",
        "1000,100,2300,32",
        "1000,5000,1600,1",
        "10,1,1600,10",
        "3567,602112,16777216,32"
    })
    void rowsOfAChunkAreThePowerOfTwoNearestToTheBytes(long rows, long rowBytes, long chunkBytes, long expected) {
        assertThat(RowGrid.ofBytes(rows, rowBytes, chunkBytes).mostRows()).isEqualTo(expected);
    }

    @Test
    void everyRowIsFoundInItsChunk() {
        RowGrid grid = RowGrid.of(0, 3, 4, 9);
        int[] chunks = {0, 0, 0, 1, 2, 2, 2, 2, 2};
        for (int row = 0; row < 9; row++) {
            assertThat(grid.chunkOf(row)).isEqualTo(chunks[row]);
        }
    }

    @Test
    void overlappingChunksAreThoseThatShareARow() {
        RowGrid grid = RowGrid.of(0, 3, 4, 9);
        assertThat(grid.overlapping(0, 3)).containsExactly(0);
        assertThat(grid.overlapping(2, 4)).containsExactly(0, 1);
        assertThat(grid.overlapping(3, 9)).containsExactly(1, 2);
        assertThat(grid.overlapping(0, 9)).containsExactly(0, 1, 2);
        assertThat(RowGrid.whole(0).overlapping(0, 0)).containsExactly(0);
    }

    @Test
    void boundsThatDoNotAscendAreRefused() {
        for (long[] bounds : new long[][] {{}, {0}, {1, 2}, {0, 2, 2}, {0, 3, 2}, {0, 0, 0}, {0, 0, 4}}) {
            assertThatThrownBy(() -> RowGrid.of(bounds)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void equalChunksTravelAsTheirSize() throws IOException, ClassNotFoundException {
        for (RowGrid grid : List.of(
                RowGrid.ofRows(100_003, 2),
                RowGrid.ofChunks(1000, 7),
                RowGrid.of(0, 3, 4, 9),
                RowGrid.whole(0),
                RowGrid.ofRows(5, 2))) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(grid);
            }
            assertThat(bytes.size()).isLessThan(400);
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
                assertThat(in.readObject()).isEqualTo(grid);
            }
        }
    }
}
