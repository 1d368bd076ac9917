package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.shape.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * The launches of products of matrices, with the bits of the CPU. Where there are fewer tiles than keep a device busy, the panels are cut into ranges of a power of two, and
 * their nodes joined by a second kernel.
 */
public final class ProductLaunches {
    private static final int LEFT = 0;
    private static final int RIGHT = 1;
    private static final int OPERANDS = 2;
    private static final int RESULT = OPERANDS;
    /** Behind the error flag, which no product sets. */
    private static final int SCRATCH = 4;

    private ProductLaunches() {}

    /**
     * The launches for operands of one dtype.
     *
     * @param left matrices, rows, places; all of size one at least
     * @param right matrices, places, columns
     * @param result matrices, rows, columns
     */
    public static LaunchPlan of(DType dtype, Layout left, Layout right, Layout result) {
        Operand rows = new Operand(LEFT, left, 1, 2);
        Operand columns = new Operand(RIGHT, right, 2, 1);
        boolean isTall = rows.lines() >= columns.lines();
        return isTall
                ? new Product(dtype, rows, columns, result).launches()
                : new Product(dtype, columns, rows, result.transpose(1, 2)).launches();
    }

    /** An operand of which the lines are rows or columns of the product. */
    private record Operand(int slot, Layout layout, int lineDim, int placeDim) {
        long lines() {
            return layout.shape().size(lineDim);
        }

        long places() {
            return layout.shape().size(placeDim);
        }

        boolean isAlong() {
            return places() > 1
                    && (lines() == 1 || Math.abs(layout.stride(placeDim)) <= Math.abs(layout.stride(lineDim)));
        }

        void declare(KernelParameters parameters, String name, String type) {
            parameters.pointer("const " + type, name, new Address(slot, 0));
            parameters.stride(name + "_matrix", layout.stride(0));
            parameters.stride(name + "_line", layout.stride(lineDim));
            parameters.stride(name + "_place", layout.stride(placeDim));
        }
    }

    private record Product(DType dtype, Operand left, Operand right, Layout result) {
        private long matrices() {
            return result.shape().size(0);
        }

        LaunchPlan launches() {
            ProductTile tile = ProductTile.of(dtype, matrices(), left.lines(), right.lines());
            long panels = CudaLaunch.ceilDiv(left.places(), Contraction.PANEL);
            long tiles = tile.count(matrices(), left.lines(), right.lines());
            boolean isEnough = tiles >= ProductTile.ENOUGH_BLOCKS;
            int level = isEnough ? digits(panels - 1) : 0; // of the nodes that ranges are
            while (!isEnough && tiles * CudaLaunch.ceilDiv(panels, 2L << level) >= ProductTile.ENOUGH_BLOCKS) {
                level++;
            }
            long ranges = CudaLaunch.ceilDiv(panels, 1L << level);
            List<CudaLaunch> launches = new ArrayList<>();
            ProductKernelText kernel = new ProductKernelText(
                    dtype,
                    tile,
                    left.isAlong(),
                    right.isAlong(),
                    level == 0 ? 0 : digits(Math.min(panels, 1L << level)),
                    ranges == 1);
            KernelParameters parameters = parameters(ranges);
            parameters.index("row_tiles", tile.rowTiles(left.lines()));
            parameters.index("column_tiles", tile.columnTiles(right.lines()));
            parameters.index("range_places", Math.min(left.places(), (long) Contraction.PANEL << level));
            long threads = tiles * ranges * ProductTile.THREADS;
            launches.add(parameters.launch(ProductKernelText.ENTRY, kernel.text(), threads, ProductTile.THREADS));
            if (ranges == 1) {
                return LaunchPlan.of(launches, 0, OPERANDS);
            }
            long elements = result.shape().numel();
            String join = ProductKernelText.joined(dtype, digits(ranges));
            launches.add(parameters(ranges).launch(ProductKernelText.JOIN_ENTRY, join, elements, ProductTile.THREADS));
            return LaunchPlan.of(launches, ranges * elements * ProductKernelText.sumBytes(dtype), OPERANDS);
        }

        private KernelParameters parameters(long ranges) {
            long elements = result.shape().numel();
            long most = Math.max(elements * ranges, Math.max(size(left), size(right)));
            KernelParameters parameters = new KernelParameters(most);
            String stored = dtype.cudaName();
            left.declare(parameters, "left", stored);
            right.declare(parameters, "right", stored);
            parameters.pointer(stored, "result", new Address(RESULT, 0));
            parameters.stride("result_matrix", result.stride(0));
            parameters.stride("result_row", result.stride(1));
            parameters.stride("result_column", result.stride(2));
            parameters.pointer(ProductKernelText.sumType(dtype), "nodes", new Address(SCRATCH, 0));
            parameters.index("matrices", matrices());
            parameters.index("rows", left.lines());
            parameters.index("columns", right.lines());
            parameters.index("places", left.places());
            parameters.index("ranges", ranges);
            parameters.index("elements", elements);
            return parameters;
        }

        private static long size(Operand operand) {
            return operand.layout().shape().numel();
        }

        private static int digits(long number) {
            return Long.SIZE - Long.numberOfLeadingZeros(number);
        }
    }
}
