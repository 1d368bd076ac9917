package io.github.broadloom.cpu.products;

import io.github.broadloom.device.PackedProducts;
import io.github.broadloom.dtype.ValueType;
import io.github.broadloom.expr.Contraction;

/** Products of packed matrices by {@link MicroKernels}, panel after panel, so that a tile of columns stays in the first cache while the rows pass by. */
public final class PackedGemm implements PackedProducts {
    private final MicroKernels kernels = MicroKernelSource.of(ValueType.FLOAT);

    @Override
    public int rowTile() {
        return MicroKernels.ROWS;
    }

    @Override
    public int columnTile() {
        return MicroKernels.COLUMNS;
    }

    @Override
    public int rowsAtATime() {
        return 16 * rowTile();
    }

    @Override
    public void multiply(
            float[] rows, int firstRow, int rowCount, float[] columns, int columnCount, int places, float[] products) {
        kernels.clear(products, rowCount * columnCount);
        int panels = Math.max(1, Math.round(places / (float) Contraction.PANEL)); // none of a few places
        int panel = (places + panels - 1) / panels;
        for (int place = 0; place < places; place += panel) {
            int here = Math.min(panel, places - place);
            for (int column = 0; column < columnCount; column += MicroKernels.COLUMNS) {
                int b = column * places + place * MicroKernels.COLUMNS;
                for (int row = 0; row < rowCount; row += MicroKernels.ROWS) {
                    int a = (firstRow + row) * places + place * MicroKernels.ROWS;
                    kernels.multiply(rows, a, columns, b, here, products, row * columnCount + column, columnCount);
                }
            }
        }
    }

    @Override
    public int firstUpTo(float[] values, int from, int end, double limit) {
        return kernels.firstUpTo(values, from, end, limit);
    }
}
