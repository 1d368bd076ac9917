package io.github.broadloom.cuda.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.code.Pieces.Piece;
import io.github.broadloom.dtype.DType;
import java.util.List;
import org.junit.jupiter.api.Test;

class PiecesTest {
    private static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT32);

    private static Loops loops(long[] sizes, long[] operand, long[] result) {
        return new Loops(sizes, new long[][] {operand, result}, FLOATS);
    }

    @Test
    void whatFitsIsOnePiece() {
        List<Piece> pieces = Pieces.of(loops(new long[] {10, 10}, new long[] {0, 1}, new long[] {10, 1}), 100);
        assertThat(pieces).hasSize(1);
        assertThat(pieces.get(0).offsets()).containsExactly(0, 0);
    }

    @Test
    void cutsFallOnMultiplesOfSixteen() {
        List<Piece> pieces = Pieces.of(loops(new long[] {1000}, new long[] {1}, new long[] {1}), 300);
        assertThat(pieces).extracting(piece -> piece.sizes()[0]).containsExactly(288L, 288L, 288L, 136L);
        assertThat(pieces).extracting(piece -> piece.offsets()[0]).containsExactly(0L, 288L, 576L, 864L);
    }

    @Test
    void anOperandThatLiesFarApartCuts() {
        List<Piece> pieces = Pieces.of(loops(new long[] {64, 2}, new long[] {100, 1}, new long[] {2, 1}), 2000);
        assertThat(pieces).extracting(piece -> piece.sizes()[0]).containsExactly(16L, 16L, 16L, 16L);
        assertThat(pieces).extracting(piece -> piece.offsets()[0]).containsExactly(0L, 1600L, 3200L, 4800L);
        assertThat(pieces).extracting(piece -> piece.offsets()[1]).containsExactly(0L, 32L, 64L, 96L);
    }

    @Test
    void rowsThatAreTooLongAreCutThemselves() {
        List<Piece> pieces = Pieces.of(loops(new long[] {2, 40}, new long[] {40, 1}, new long[] {40, 1}), 20);
        assertThat(pieces).extracting(piece -> piece.offsets()[1]).containsExactly(0L, 16L, 32L, 40L, 56L, 72L);
        assertThat(pieces).allSatisfy(piece -> assertThat(piece.sizes()[0]).isOne());
    }
}
