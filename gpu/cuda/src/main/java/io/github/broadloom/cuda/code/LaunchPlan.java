package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.device.Memo;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.LineProgram;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The launches of a pass. To write a kernel takes a millisecond, far longer than to start it, so the plans are kept by all that decides them:
 * the program, where operands and results lie, and how they are aligned. What was planned last stays, in one store for all devices of the
 * process; plans of one kernel share its text.
 *
 * @param launches one after the other
 * @param scratchBytes how much scratch memory they need, 0 for none
 * @param reportsErrors whether one of them sets the error flag
 */
public record LaunchPlan(List<CudaLaunch> launches, long scratchBytes, boolean reportsErrors) {
    private static final int CAPACITY = 2048;

    public static final LaunchPlan NOTHING = new LaunchPlan(List.of(), 0, false);

    private static final Memo<Record, LaunchPlan> PLANS = new Memo<>(CAPACITY);
    private static final Memo<PartialsKey, PartialLaunches> PARTIALS = new Memo<>(CAPACITY);
    private static final Memo<CudaSource, CudaSource> SOURCES = new Memo<>(CAPACITY);

    /** What a buffer has and where it lies, and the power of two up to 16 that divides its address. */
    public record Place(DType dtype, Layout layout, int alignment) {
        public static Place of(Tensor tensor) {
            Layout layout = tensor.layout();
            long aligned = Math.min(PointwiseLaunches.PACKET_BYTES, Long.lowestOneBit(tensor.deviceAddress()));
            // a better alignment is no better, and the address has the offset already
            Layout here = layout.offset() == 0 ? layout : Layout.of(layout.shape(), layout.strides(), 0);
            return new Place(tensor.dtype(), here, (int) aligned);
        }
    }

    private record PointwiseKey(KernelSpec spec, List<Place> operands, Place target) {}

    private record ReductionKey(KernelSpec spec, List<Fold> folds, List<Place> operands) {}

    private record LineKey(
            List<KernelSpec> specs,
            List<List<Integer>> read,
            List<Fold> folds,
            Shape values,
            List<Place> operands,
            int alignment) {}

    private record ScanKey(KernelSpec spec, LineOp op, Shape values, List<Integer> dims, List<Place> operands) {}

    private record ProductKey(List<Place> operands, Place target) {}

    private record LeastKey(List<Place> operands, Place products, int count) {}

    private record PartialsKey(KernelSpec spec, List<Fold> folds, List<Place> operands, long firstRow) {}

    private record Fold(Reduction reduction, Shape values, List<Integer> dims, double correction) {
        static List<Fold> of(List<Reduce> reductions) {
            return reductions.stream().map(Fold::of).toList();
        }

        private static Fold of(Reduce reduce) {
            return new Fold(reduce.reduction(), reduce.operand().shape(), listed(reduce.dims()), reduce.correction());
        }
    }

    private static List<Integer> listed(int[] dims) {
        return Arrays.stream(dims).boxed().toList();
    }

    public static LaunchPlan of(KernelSpec spec, List<Place> operands, Place target) {
        return PLANS.value(new PointwiseKey(spec, operands, target), key -> {
            LoopNest nest = LoopNest.of(target.layout, layouts(operands));
            return of(PointwiseLaunches.of(spec, nest, alignments(operands, target)), 0, operands.size());
        });
    }

    public static LaunchPlan of(KernelSpec spec, List<Reduce> reductions, List<Place> operands) {
        return PLANS.value(
                new ReductionKey(spec, Fold.of(reductions), operands),
                key -> ReductionLaunches.of(spec, reductions, layouts(operands), alignments(operands)));
    }

    /** The launch of a pointwise program with the reductions of its lines, into a contiguous target; {@link #NOTHING} where there is none. */
    public static LaunchPlan of(LineProgram lines, List<Place> operands, Place target) {
        List<PointwiseProgram> programs = lines.programs();
        LineKey lineKey = new LineKey(
                programs.stream().map(PointwiseProgram::spec).toList(),
                programs.stream().map(lines::operands).toList(),
                Fold.of(lines.reductions()),
                lines.shape(),
                operands,
                target.alignment);
        return PLANS.value(
                lineKey,
                key -> LineLaunches.of(lines, layouts(operands), alignments(operands, target))
                        .map(launch -> of(List.of(launch), 0, operands.size()))
                        .orElse(NOTHING));
    }

    public static LaunchPlan of(KernelSpec spec, Along scan, List<Place> operands) {
        Shape values = scan.operand().shape();
        return PLANS.value(
                new ScanKey(spec, scan.op(), values, listed(scan.dims()), operands),
                key -> ScanLaunches.of(spec, scan, layouts(operands), alignments(operands)));
    }

    /** The launches of products of matrices: each place has three dimensions, of which the first is the matrix. */
    public static LaunchPlan of(List<Place> operands, Place target) {
        return PLANS.value(
                new ProductKey(operands, target),
                key -> ProductLaunches.of(target.dtype, operands.get(0).layout, operands.get(1).layout, target.layout));
    }

    /**
     * The launches of a product of two matrices, and of the kernel that keeps the least of its rows in a further result; it is given the number of the first column.
     *
     * @param count of each row
     */
    public static LaunchPlan of(List<Place> operands, Place products, int count) {
        return PLANS.value(new LeastKey(operands, products, count), key -> {
            LaunchPlan product =
                    ProductLaunches.of(products.dtype, operands.get(0).layout, operands.get(1).layout, products.layout);
            List<CudaLaunch> launches = new ArrayList<>(product.launches);
            launches.add(LeastKernel.of(products.layout, operands.size(), count, errorSlot(operands.size()) + 2));
            return of(launches, product.scratchBytes, operands.size());
        });
    }

    /** How the nodes of a chunk of rows are computed; see {@link PartialLaunches#of}. */
    public static PartialLaunches partials(
            KernelSpec spec, List<Reduce> reductions, long firstRow, List<Place> operands) {
        return PARTIALS.value(
                new PartialsKey(spec, Fold.of(reductions), operands, firstRow),
                key -> PartialLaunches.of(spec, reductions, firstRow, layouts(operands), alignments(operands)));
    }

    /** Launches with a number of operands, of kernels whose texts others have, too. */
    static LaunchPlan of(List<CudaLaunch> launches, long scratchBytes, int operandCount) {
        int error = errorSlot(operandCount);
        boolean reportsErrors = launches.stream()
                .flatMap(launch -> launch.arguments().stream())
                .anyMatch(argument -> argument instanceof Address address && address.slot() == error);
        List<CudaLaunch> shared = launches.stream()
                .map(launch -> new CudaLaunch(
                        SOURCES.value(launch.source(), same -> same),
                        launch.blocks(),
                        launch.threads(),
                        launch.arguments()))
                .toList();
        return new LaunchPlan(shared, scratchBytes, reportsErrors);
    }

    /** Behind the operands and the result. */
    public static int errorSlot(int operandCount) {
        return operandCount + 1;
    }

    private static List<Layout> layouts(List<Place> places) {
        return places.stream().map(Place::layout).toList();
    }

    private static int[] alignments(List<Place> places) {
        return places.stream().mapToInt(Place::alignment).toArray();
    }

    private static int[] alignments(List<Place> operands, Place target) {
        return alignments(Stream.concat(operands.stream(), Stream.of(target)).toList());
    }
}
