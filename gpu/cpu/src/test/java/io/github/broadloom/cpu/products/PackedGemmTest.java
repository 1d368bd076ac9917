package io.github.broadloom.cpu.products;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Products of packed matrices are the sums of the products of their elements. */
class PackedGemmTest {
    private static final PackedGemm GEMM = new PackedGemm();
    private final Random random = new Random(5);

    private float[] lines(int count, int places) {
        float[] lines = new float[count * places];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = (float) random.nextGaussian();
        }
        return lines;
    }

    private static int full(int count, int tile) {
        return (count + tile - 1) / tile * tile;
    }

    private static float[] packed(float[] lines, int count, int places, int tile) {
        float[] packed = new float[full(count, tile) * places];
        GEMM.pack(lines, count, places, tile, packed);
        return packed;
    }

    @ParameterizedTest
    @CsvSource({"1,1,1", "4,16,7", "9,33,129", "13,20,384", "25,50,385", "7,17,1000", "3,5,0"})
    void elementsAreSumsOfProducts(int rows, int columns, int places) {
        float[] a = lines(rows, places);
        float[] b = lines(columns, places);
        int fullRows = full(rows, GEMM.rowTile());
        int fullColumns = full(columns, GEMM.columnTile());
        float[] products = new float[fullRows * fullColumns + 1];
        products[fullRows * fullColumns] = 3;
        float[] packedRows = packed(a, rows, places, GEMM.rowTile());
        float[] packedColumns = packed(b, columns, places, GEMM.columnTile());
        GEMM.multiply(packedRows, 0, fullRows, packedColumns, fullColumns, places, products);
        for (int row = 0; row < fullRows; row++) {
            for (int column = 0; column < fullColumns; column++) {
                double sum = 0;
                double magnitude = 0;
                for (int p = 0; p < places && row < rows && column < columns; p++) {
                    double product = (double) a[row * places + p] * b[column * places + p];
                    sum += product;
                    magnitude += Math.abs(product);
                }
                assertThat((double) products[row * fullColumns + column])
                        .as("%s, %s", row, column)
                        .isCloseTo(sum, within((places + 2) * 0x1p-24 * magnitude));
            }
        }
        assertThat(products[fullRows * fullColumns]).as("behind them").isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"1", "2"})
    void someOfTheRowsAreMultiplied(int tiles) {
        int first = tiles * GEMM.rowTile();
        float[] a = lines(first + GEMM.rowTile(), 5);
        float[] b = packed(lines(GEMM.columnTile(), 5), GEMM.columnTile(), 5, GEMM.columnTile());
        float[] all = new float[(first + GEMM.rowTile()) * GEMM.columnTile()];
        float[] last = new float[GEMM.rowTile() * GEMM.columnTile()];
        float[] rows = packed(a, first + GEMM.rowTile(), 5, GEMM.rowTile());
        GEMM.multiply(rows, 0, first + GEMM.rowTile(), b, GEMM.columnTile(), 5, all);
        GEMM.multiply(rows, first, GEMM.rowTile(), b, GEMM.columnTile(), 5, last);
        for (int i = 0; i < last.length; i++) {
            assertThat(last[i]).isEqualTo(all[first * GEMM.columnTile() + i]);
        }
    }
}
