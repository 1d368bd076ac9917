package io.github.broadloom.cpu.code;

import io.github.broadloom.cpu.code.DirectKernel.Reach;
import io.github.broadloom.cpu.code.DirectStages.Stage;
import io.github.broadloom.cpu.simd.RowPieces;
import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.cpu.simd.SourceCompiler;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Writes a {@link KernelSpec} as a {@link DirectKernel} on the Vector API: short programs of float32 and float16, whose operands may
 * be integers, and bools that choose. They cost less than to copy their operands into tiles and the result out of one. Halves are
 * converted in loops of their own, piece by piece of a row; other dtypes go this way where that is faster, or the only one. So do
 * functions: they are calls between the loops.
 */
public final class DirectKernelRenderer {
    private static final String CLASS_NAME = "io.github.broadloom.kernel.DirectKernelOfRows";

    private static final String CLASS = """
            package io.github.broadloom.kernel;

            import io.github.broadloom.cpu.code.DirectKernel;
            import io.github.broadloom.cpu.simd.Casts;
            import io.github.broadloom.cpu.simd.RowPieces;
            import io.github.broadloom.cpu.simd.Simd;
            import io.github.broadloom.dtype.*;
            SEGMENTS
            import java.nio.ByteBuffer;
            import java.nio.ByteOrder;
            import java.util.List;
            import jdk.incubator.vector.ByteVector;
            import jdk.incubator.vector.FloatVector;
            import jdk.incubator.vector.IntVector;
            import jdk.incubator.vector.ShortVector;
            import jdk.incubator.vector.VectorMask;
            import jdk.incubator.vector.VectorOperators;
            import jdk.incubator.vector.VectorSpecies;

            public final class DirectKernelOfRows implements DirectKernel {
                private static final ByteOrder ORDER = ByteOrder.nativeOrder();
                private static final VectorSpecies FLOATS = FloatVector.SPECIES_256;
                private static final VectorSpecies INTS = IntVector.SPECIES_256;
                private static final VectorSpecies SHORTS = ShortVector.SPECIES_128;
                private static final VectorSpecies BYTES = ByteVector.SPECIES_64;
            NUMBERS

                public void run(Object[] in, int[] at, int[] steps, int rows, int columns) {
            PLACES
                    for (int r = 0; r < rows; r++) {
            ROW
            COLUMNS
                    }
                }

            WITH
            }
            """;

    private static final String SEGMENT_IMPORTS = """
            import io.github.broadloom.cpu.simd.Segments;
            import java.lang.foreign.MemorySegment;
            """;

    private static final String PIECE_INDENT = "            ";
    private static final String LOOP_INDENT = "                ";

    private final KernelSpec spec;
    private final Reach reach;
    private final List<DirectOperand> operands;
    private final boolean inPieces;
    private final DirectStages stages;
    private final DirectValues values;

    private DirectKernelRenderer(KernelSpec spec, Reach reach) {
        this.spec = spec;
        this.reach = reach;
        this.inPieces = reach.isStaged(spec.dtype())
                || spec.operands().stream().anyMatch(operand -> reach.isStaged(operand.dtype()));
        this.operands = IntStream.range(0, spec.operands().size())
                .mapToObj(i -> DirectOperand.of(i, spec.operands().get(i), inPieces, reach))
                .toList();
        this.stages = new DirectStages(spec);
        this.values = new DirectValues(spec, operands, stages);
    }

    /** Whether there is such a kernel: of a program that {@link DirectPrograms} takes, on a JVM that has vectors. */
    public static boolean supports(KernelSpec spec) {
        return Simd.haveEights() && DirectPrograms.fits(spec);
    }

    /** Whether it goes by pieces in any case: functions are of arrays. */
    public static boolean isByPieces(KernelSpec spec) {
        return DirectPrograms.calls(spec) > 0;
    }

    public static String render(KernelSpec spec, Reach reach) {
        return new DirectKernelRenderer(spec, reach).source();
    }

    /** The kernel of a program that {@link #supports} takes. */
    public static DirectKernel compile(KernelSpec spec, Reach reach) {
        return SourceCompiler.compile(CLASS_NAME, render(spec, reach), DirectKernel.class);
    }

    private String source() {
        NumberFields numbers = new NumberFields(spec);
        return CLASS.replace("SEGMENTS\n", reach == Reach.IN_SEGMENTS ? SEGMENT_IMPORTS : "")
                .replace("NUMBERS\n", numbers.declarations())
                .replace(
                        "WITH\n",
                        NumberFields.setter("DirectKernel with", "DirectKernelOfRows", "this", numbers.assignments()))
                .replace("PLACES\n", places())
                .replace("ROW\n", row())
                .replace("COLUMNS\n", columns());
    }

    private int result() {
        return spec.steps().size() - 1;
    }

    private int target() {
        return spec.operands().size();
    }

    private boolean stagesResult() {
        return reach.isStaged(spec.dtype());
    }

    private boolean writesSegment() {
        return reach == Reach.IN_SEGMENTS && !stagesResult();
    }

    private String places() {
        String indent = "        ";
        StringBuilder text = new StringBuilder();
        if (inPieces) {
            text.append("%sRowPieces pieces = RowPieces.ofThread();\n".formatted(indent));
        }
        operands.forEach(operand -> text.append(operand.declaration()));
        text.append("%1$sByteBuffer p%2$d = (ByteBuffer) in[%2$d];\n".formatted(indent, target()));
        if (writesSegment()) {
            text.append(DirectOperand.SEGMENT.replace("#", Integer.toString(target())));
        }
        if (stagesResult()) {
            text.append("%1$sfloat[] h%2$d = pieces.floats(%2$d);\n".formatted(indent, target()));
        }
        List<String> arrays = stages.arrays();
        for (int i = 0; i < arrays.size(); i++) {
            text.append("%sfloat[] %s = pieces.floats(%d);\n".formatted(indent, arrays.get(i), target() + 1 + i));
        }
        return text.toString();
    }

    /** Where the row begins, and what is the same in all of it. */
    private String row() {
        StringBuilder text = new StringBuilder();
        operands.forEach(operand -> text.append(operand.row()));
        text.append("%1$sint a%2$d = at[%2$d] + r * steps[%2$d];\n".formatted(PIECE_INDENT, target()));
        for (int step = 0; step <= result(); step++) {
            if (stages.isSingle(step)) {
                text.append(values.declareScalar(PIECE_INDENT, step)).append(values.broadcast(PIECE_INDENT, step));
            } else if (stages.isBeforeLoops(step)) {
                text.append(values.declareVector(PIECE_INDENT, step));
            }
        }
        return text.toString();
    }

    /** What is done with a row: at once, or piece by piece. */
    private String columns() {
        String whole = PIECE_INDENT + "int whole = n & -8;\n";
        if (!inPieces) {
            return PIECE_INDENT + "int n = columns;\n" + whole + stages();
        }
        StringBuilder piece = new StringBuilder(PIECE_INDENT)
                .append("int n = Math.min(columns - first, %d);\n".formatted(RowPieces.LENGTH));
        operands.forEach(operand -> piece.append(operand.piece()));
        piece.append("%1$sint b%2$d = a%2$d + %3$d * first;\n"
                        .formatted(PIECE_INDENT, target(), spec.dtype().bytes()))
                .append(whole)
                .append(stages())
                .append(stagesResult() ? write() : "");
        return PIECE_INDENT
                + "for (int first = 0; first < columns; first += %d) {\n".formatted(RowPieces.LENGTH)
                + piece.toString().indent(4)
                + PIECE_INDENT
                + "}\n";
    }

    private String write() {
        Optional<String> narrow = ArrayCalls.store(spec.dtype());
        String text = narrow.isPresent()
                ? "%1$s%3$s(h%2$d, pieces.stored(), n);\n%1$spieces.writeStored(p%2$d, b%2$d, n);\n"
                : "%1$spieces.write(h%2$d, p%2$d, b%2$d, n);\n";
        return text.formatted(PIECE_INDENT, target(), narrow.orElse(""));
    }

    private String stages() {
        StringBuilder text = new StringBuilder();
        for (int number = 0; number < stages.list().size(); number++) {
            Stage stage = stages.list().get(number);
            boolean writes =
                    number == stages.list().size() - 1 && stage.calls().stream().noneMatch(call -> call == result());
            if (writes || !stage.stores().isEmpty()) {
                text.append(loop("for (int c = 0; c < whole; c += 8) {\n", vectors(number, writes)));
                text.append(loop("for (int c = whole; c < n; c++) {\n", rest(number, writes)));
            }
            stage.calls().forEach(call -> text.append(call(call)));
        }
        return text.toString();
    }

    private static String loop(String head, String body) {
        return PIECE_INDENT + head + body + PIECE_INDENT + "}\n";
    }

    private String call(int step) {
        Operation operation = (Operation) spec.steps().get(step);
        int arity = operation.op().arity();
        List<String> args = new ArrayList<>();
        operation.args().subList(0, arity).forEach(arg -> args.add(stages.array(arg)));
        operation.args().subList(arity, operation.args().size()).forEach(arg -> args.add("s" + arg));
        return PIECE_INDENT + operation.op().arrayCall(operation.compute(), args, stages.array(step), "n") + ";\n";
    }

    private String vectors(int stage, boolean writes) {
        StringBuilder text = new StringBuilder();
        for (int step : stages.list().get(stage).values()) {
            if (stages.isWaiting(step, stage)) {
                text.append("%sFloatVector v%d = FloatVector.fromArray(FLOATS, %s, c);\n"
                        .formatted(LOOP_INDENT, step, stages.array(step)));
            } else if (!stages.isBeforeLoops(step)) {
                text.append(values.declareVector(LOOP_INDENT, step));
            }
        }
        for (int step : stages.list().get(stage).stores()) {
            text.append(LOOP_INDENT).append("v%d.intoArray(%s, c);\n".formatted(step, stages.array(step)));
        }
        if (writes) {
            text.append(LOOP_INDENT).append("v%d.".formatted(result()));
            text.append(
                    stagesResult()
                            ? "intoArray(h%d, c);\n".formatted(target())
                            : (writesSegment()
                                            ? "intoMemorySegment(m%d, %s, ORDER);\n"
                                            : "intoByteBuffer(p%d, %s, ORDER);\n")
                                    .formatted(target(), written()));
        }
        return text.toString();
    }

    /** The elements that fill no vector. */
    private String rest(int stage, boolean writes) {
        StringBuilder text = new StringBuilder();
        for (int step : stages.list().get(stage).values()) {
            text.append(
                    stages.isWaiting(step, stage)
                            ? LOOP_INDENT + "float s%d = %s[c];\n".formatted(step, stages.array(step))
                            : values.declareScalar(LOOP_INDENT, step));
        }
        for (int step : stages.list().get(stage).stores()) {
            text.append(LOOP_INDENT).append("%s[c] = s%d;\n".formatted(stages.array(step), step));
        }
        if (writes) {
            text.append(LOOP_INDENT)
                    .append(
                            stagesResult()
                                    ? "h%d[c] = s%d;\n".formatted(target(), result())
                                    : "p%d.putFloat(%s, s%d);\n".formatted(target(), written(), result()));
        }
        return text.toString();
    }

    /** Where a float of the result goes. */
    private String written() {
        return "%s%d + 4 * c".formatted(inPieces ? "b" : "a", target());
    }
}
