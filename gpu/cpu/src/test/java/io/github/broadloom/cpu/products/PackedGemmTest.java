package io.github.broadloom.cpu.products;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.broadloom.device.PackedProducts;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Products of packed matrices are the sums of the products of their elements, by our own kernels and by a BLAS of the machine. */
@ParameterizedClass
@EnumSource
class PackedGemmTest {
    enum Gemm {
        OWN,
        BLAS
    }

    private final PackedProducts gemm;

    PackedGemmTest(Gemm whose) {
        Optional<PackedProducts> own = Optional.of(new PackedGemm());
        Optional<PackedProducts> found = whose == Gemm.OWN ? own : NativeGemm.find(Map.of("OPENBLAS_NUM_THREADS", "1"));
        assumeTrue(found.isPresent(), "no libblas.so.3 on this machine that is worth it, as that of OpenBLAS is");
        gemm = found.orElseThrow();
    }

    @Test
    void aLibraryOfManyThreadsIsLeftAlone() {
        assertThat(NativeGemm.find(Map.of("OPENBLAS_NUM_THREADS", "2"))).isEmpty();
    }

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

    private float[] packed(float[] lines, int count, int places, int tile) {
        float[] packed = new float[full(count, tile) * places];
        gemm.pack(lines, count, places, tile, packed);
        return packed;
    }

    @ParameterizedTest
    @CsvSource({"1,1,1", "4,16,7", "9,33,129", "13,20,384", "25,50,385", "7,17,1000", "3,5,0"})
    void elementsAreSumsOfProducts(int rows, int columns, int places) {
        float[] a = lines(rows, places);
        float[] b = lines(columns, places);
        int fullRows = full(rows, gemm.rowTile());
        int fullColumns = full(columns, gemm.columnTile());
        float[] products = new float[fullRows * fullColumns + 1];
        products[fullRows * fullColumns] = 3;
        float[] packedRows = packed(a, rows, places, gemm.rowTile());
        float[] packedColumns = packed(b, columns, places, gemm.columnTile());
        gemm.multiply(packedRows, 0, fullRows, packedColumns, fullColumns, places, products);
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
        int first = tiles * gemm.rowTile();
        float[] a = lines(first + gemm.rowTile(), 5);
        float[] b = packed(lines(gemm.columnTile(), 5), gemm.columnTile(), 5, gemm.columnTile());
        float[] all = new float[(first + gemm.rowTile()) * gemm.columnTile()];
        float[] last = new float[gemm.rowTile() * gemm.columnTile()];
        float[] rows = packed(a, first + gemm.rowTile(), 5, gemm.rowTile());
        gemm.multiply(rows, 0, first + gemm.rowTile(), b, gemm.columnTile(), 5, all);
        gemm.multiply(rows, first, gemm.rowTile(), b, gemm.columnTile(), 5, last);
        for (int i = 0; i < last.length; i++) {
            assertThat(last[i]).isEqualTo(all[first * gemm.columnTile() + i]);
        }
    }
}
