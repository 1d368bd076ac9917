package io.github.broadloom.cuda;

import io.github.broadloom.cuda.code.CudaLaunch;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.code.LeastKernel;
import io.github.broadloom.cuda.code.PointwiseLaunches;
import io.github.broadloom.cuda.code.ProductLaunches;
import io.github.broadloom.cuda.code.ReductionLaunches;
import io.github.broadloom.cuda.code.ScanLaunches;
import io.github.broadloom.cuda.compiler.CudaArchitecture;
import io.github.broadloom.device.LeastProducts;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The sources of many kernels, one for each operation, dtype and way in which operands lie. */
public final class KernelSources {
    private static final Shape MATRIX = Shape.of(48, 96);
    private static final Shape TRIPLES = Shape.of(50, 3);
    private static final Shape PAIRS = Shape.of(64, 64, 40);
    private static final int ALIGNED = 256;

    private KernelSources() {}

    /** The architectures that kernels are tried for, as far as a compiler knows them: from the oldest that works. */
    public static final List<String> ARCHITECTURES =
            List.of(CudaArchitecture.OLDEST, "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120");

    /** How the operands lie, of which the first is the largest. */
    @SuppressWarnings("ImmutableEnumChecker") // its fields do not change
    enum Lie {
        CONTIGUOUS(MATRIX, operand -> Layout.contiguous(MATRIX)),
        UNALIGNED(MATRIX, operand -> Layout.contiguous(MATRIX)),
        ROWS_AND_COLUMNS(MATRIX, operand -> Layout.contiguous(Shape.of(operand == 2 ? 48 : 1, operand == 2 ? 1 : 96))),
        TRIPLES_OF_PIXELS(
                TRIPLES,
                operand -> Layout.contiguous(
                        operand == 0 ? TRIPLES : Shape.of(operand == 2 ? 50 : 1, operand == 2 ? 1 : 3))),
        TRANSPOSED(
                MATRIX,
                operand -> operand == 0 ? Layout.contiguous(Shape.of(96, 48)).t() : Layout.contiguous(MATRIX)),
        STRIDED(MATRIX, operand -> Layout.of(MATRIX, new long[] {400, 2}, 0)),
        ALL_PAIRS(PAIRS, operand -> Layout.contiguous(Shape.of(operand == 1 ? 1 : 64, operand == 0 ? 1 : 64, 40)));

        private final Shape shape;
        private final IntFunction<Layout> operands;

        Lie(Shape shape, IntFunction<Layout> operands) {
            this.shape = shape;
            this.operands = operands;
        }
    }

    /** The kernel of an operation on operands of a dtype, unless it refuses that dtype. */
    static Optional<CudaSource> of(Op op, DType dtype, Lie lie) {
        Expr[] arguments = new Expr[op.arity()];
        for (int i = 0; i < arguments.length; i++) {
            boolean condition = op.name().equals("where") && i == 0;
            arguments[i] = input(i, condition ? DType.BOOL : dtype, lie);
        }
        try {
            return Optional.of(of(Expr.apply(op, arguments), lie));
        } catch (IllegalArgumentException refused) {
            return Optional.empty();
        }
    }

    /** Kernels of every family, with what is written for the machine itself: greater and smaller of two, and float16. */
    public static Stream<CudaSource> ofEveryFamily() {
        Stream<CudaSource> pointwise = Stream.of(Lie.values())
                .flatMap(lie ->
                        Stream.of(of(Op.of("maximum"), DType.FLOAT32, lie), of(Op.of("minimum"), DType.FLOAT16, lie)))
                .flatMap(Optional::stream);
        Stream<CudaSource> reductions = Stream.of(Reduction.SUM, Reduction.AMAX, Reduction.VAR, Reduction.ARGMAX)
                .flatMap(reduction -> Stream.of(Lie.CONTIGUOUS, Lie.ALL_PAIRS)
                        .flatMap(lie ->
                                Stream.of(0, -1).flatMap(dim -> ofReduction(reduction, DType.FLOAT32, lie, dim))));
        Stream<CudaSource> scans = Stream.of(0, 1).flatMap(dim -> ofScan("cumsum", DType.FLOAT32, Lie.CONTIGUOUS, dim));
        Stream<CudaSource> products =
                Stream.of(DType.FLOAT32, DType.FLOAT16).flatMap(dtype -> ofProduct(dtype, 300, 600, 40));
        Stream<CudaSource> least = Stream.of(12, LeastProducts.MOST)
                .map(count -> ofLeast(3, 5000, count).source());
        return Stream.of(pointwise, reductions, scans, products, least).flatMap(kernels -> kernels);
    }

    /** Keeps the least of the rows of a matrix, in slot 0, in slot 1. */
    static CudaLaunch ofLeast(long rows, long columns, int count) {
        return LeastKernel.of(Layout.contiguous(Shape.of(1, rows, columns)), 0, count, 1);
    }

    /** The kernels that cast from a dtype. */
    static Stream<CudaSource> casts(DType from) {
        Expr operand = input(0, from, Lie.CONTIGUOUS);
        return Stream.of(DType.values()).map(to -> of(Expr.cast(operand, to), Lie.CONTIGUOUS));
    }

    /** The kernels of a reduction of {@code x * y} along these dimensions, or all; none where it refuses the dtype. */
    static Stream<CudaSource> ofReduction(Reduction reduction, DType dtype, Lie lie, int... dims) {
        Expr product = Expr.apply(Op.of("mul"), input(0, dtype, lie), input(1, dtype, lie));
        try {
            Reduce reduce = Expr.reduce(reduction, product, KeepDim.DROP, dims).postOrder().stream()
                    .filter(Reduce.class::isInstance) // of any and all of bytes a cast stands above it
                    .map(Reduce.class::cast)
                    .findFirst()
                    .orElseThrow();
            PointwiseProgram program = PointwiseProgram.of(reduce.operand());
            int[] alignments = alignments(program, lie);
            return ReductionLaunches.of(program.spec(), List.of(reduce), operands(program, lie), alignments)
                    .launches()
                    .stream()
                    .map(CudaLaunch::source);
        } catch (IllegalArgumentException refused) {
            return Stream.empty();
        }
    }

    /** The kernels of {@code cumsum} or {@code cumprod} of {@code x * y} along a dimension. */
    static Stream<CudaSource> ofScan(String function, DType dtype, Lie lie, int dim) {
        Map<String, Expr> names = Map.of("x", input(0, dtype, lie), "y", input(1, dtype, lie));
        Along scan = ExprParser.parse(function + "(x * y, " + dim + ")", names).postOrder().stream()
                .filter(Along.class::isInstance)
                .map(Along.class::cast)
                .findFirst()
                .orElseThrow();
        PointwiseProgram program = PointwiseProgram.of(scan.operand());
        return ScanLaunches.of(program.spec(), scan, operands(program, lie), alignments(program, lie))
                .launches()
                .stream()
                .map(CudaLaunch::source);
    }

    /** The kernels of a product of a matrix by another one. */
    public static Stream<CudaSource> ofProduct(DType dtype, long rows, long places, long columns) {
        Layout left = Layout.contiguous(Shape.of(1, rows, places));
        Layout right = Layout.contiguous(Shape.of(1, places, columns));
        Layout product = Layout.contiguous(Shape.of(1, rows, columns));
        return ProductLaunches.of(dtype, left, right, product).launches().stream()
                .map(CudaLaunch::source);
    }

    private static Expr input(int operand, DType dtype, Lie lie) {
        return Input.of(operand, dtype, lie.operands.apply(operand).shape());
    }

    private static CudaSource of(Expr expr, Lie lie) {
        PointwiseProgram program = PointwiseProgram.of(expr);
        LoopNest nest = LoopNest.of(Layout.contiguous(lie.shape), operands(program, lie));
        IntStream ofResult = IntStream.of(alignment(expr.dtype(), lie));
        int[] alignments = IntStream.concat(IntStream.of(alignments(program, lie)), ofResult)
                .toArray();
        return PointwiseLaunches.of(program.spec(), nest, alignments).get(0).source();
    }

    private static List<Layout> operands(PointwiseProgram program, Lie lie) {
        return program.leaves().stream()
                .map(leaf -> lie.operands.apply((Integer) ((Input) leaf).source()))
                .toList();
    }

    private static int[] alignments(PointwiseProgram program, Lie lie) {
        return program.leaves().stream()
                .mapToInt(leaf -> alignment(leaf.dtype(), lie))
                .toArray();
    }

    private static int alignment(DType dtype, Lie lie) {
        return lie == Lie.UNALIGNED ? dtype.bytes() : ALIGNED;
    }

    /**
     * Several kernels in one text, each in a namespace of its own: a compiler takes little longer for forty of them than for one.
     */
    public static CudaSource together(List<CudaSource> kernels) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < kernels.size(); i++) {
            String kernel = kernels.get(i).text().replace("extern \"C\"", "");
            text.append("namespace kernel")
                    .append(i)
                    .append(" {\n")
                    .append(kernel)
                    .append("\n}\n");
        }
        return new CudaSource("together", text.toString());
    }
}
