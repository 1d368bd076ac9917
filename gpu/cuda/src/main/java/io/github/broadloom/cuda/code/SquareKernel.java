package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.Pieces.Piece;
import io.github.broadloom.kernels.KernelSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Kernels for operands that lie the other way round than the result, as those of a transposed matrix do. A block does a square of two
 * loops, whose indices are {@code row} and {@code column}: the operands are read along the rows' loop, in which they have no gaps,
 * turned in shared memory, and the result is stored along the columns, those of the innermost loop, in which it has none. The loops around both have one index
 * for a whole square.
 */
abstract class SquareKernel extends PointwiseKernel {
    final int side;
    final List<Integer> turned;
    private final int lanes;
    private final int rowLoop;
    private final List<Integer> around;

    SquareKernel(KernelSpec spec, Loops loops, int vector, int side, int lanes) {
        super(spec, loops, vector);
        this.side = side;
        this.lanes = lanes;
        this.turned = TransposePlan.turned(loops);
        this.rowLoop = TransposePlan.turnedLoop(loops);
        this.around = IntStream.range(0, loops.inner())
                .filter(loop -> loop != rowLoop)
                .boxed()
                .toList();
        parameters.word("tile_rows", piece -> tiles(piece, rowLoop));
        parameters.word("tile_columns", piece -> tiles(piece, loops.inner()));
        parameters.word("rows", piece -> piece.sizes()[rowLoop]);
        parameters.word("columns", piece -> piece.sizes()[loops.inner()]);
        around.forEach(loop -> parameters.word("n" + loop, piece -> piece.sizes()[loop]));
    }

    @Override
    final String family() {
        return "tiled";
    }

    private long tiles(Piece piece, int loop) {
        return CudaLaunch.ceilDiv(piece.sizes()[loop], side);
    }

    @Override
    final long blocks(Piece piece) {
        return around.stream()
                .mapToLong(loop -> piece.sizes()[loop])
                .reduce(tiles(piece, rowLoop) * tiles(piece, loops.inner()), (a, b) -> a * b);
    }

    abstract String square(int operand);

    abstract void square(CodeText code);

    @Override
    final String kernel(String entry) {
        CodeText code = new CodeText();
        turned.forEach(k -> code.line("typedef " + square(k) + ";"));
        code.blank();
        List<String> taken = new ArrayList<>(List.of("const Par& p"));
        turned.forEach(k -> taken.add("Square" + k + "& square" + k));
        around.forEach(loop -> taken.add("u32 i" + loop));
        taken.addAll(List.of("u32 row0", "u32 column0"));
        code.line("// The square at row0 and column0; one at the edge is not whole.");
        code.open("template <bool EDGE> BL_DEVICE void tile(" + String.join(", ", taken) + ")");
        code.line("const u32 lane = threadIdx.x %% %d;".formatted(lanes));
        code.line("const u32 first = threadIdx.x / %d;".formatted(lanes));
        declareError(code);
        loadConstants(code);
        square(code);
        reportError(code);
        code.close();
        code.blank();
        entry(code, entry);
        return code.toString();
    }

    /** The kernel, which finds its square and calls the function that does it. */
    private void entry(CodeText code, String entry) {
        code.open("extern \"C\" __global__ void __launch_bounds__(%d) %s(const Par p)".formatted(THREADS, entry));
        turned.forEach(k -> code.line("__shared__ Square%d square%d;".formatted(k, k)));
        code.line("const u32 above = blockIdx.x / p.tile_columns;");
        code.line("const u32 column0 = blockIdx.x %% p.tile_columns * %d;".formatted(side));
        if (around.isEmpty()) {
            code.line("const u32 row0 = above * %d;".formatted(side));
        } else {
            code.line("const u32 around = above / p.tile_rows;");
            code.line("const u32 row0 = above %% p.tile_rows * %d;".formatted(side));
            Indices.OF_ELEMENT.declarations("around", around).forEach(code::line);
        }
        List<String> given = new ArrayList<>(List.of("p"));
        turned.forEach(k -> given.add("square" + k));
        around.forEach(loop -> given.add("i" + loop));
        given.addAll(List.of("row0", "column0"));
        String call = "(" + String.join(", ", given) + ");";
        code.line("const bool whole = row0 + %d <= p.rows && column0 + %d <= p.columns;".formatted(side, side));
        code.line("if (whole) tile<false>" + call);
        code.line("else tile<true>" + call);
        code.close();
    }

    final String offset(int stream) {
        return offset(stream, 1)
                .replaceAll("\\bi" + rowLoop + "\\b", "row")
                .replaceAll("\\bi" + loops.inner() + "\\b", "column");
    }

    /** Declares the row and the column of an element, counted from those of the square, and leaves out those that are not there. */
    static void place(CodeText code, String row, String column) {
        code.line("const u32 row = row0 + %s;".formatted(row));
        code.line("const u32 column = column0 + %s;".formatted(column));
        code.line("if (EDGE && (row >= p.rows || column >= p.columns)) continue;");
    }

    final List<Integer> direct() {
        return varying().stream().filter(k -> !turned.contains(k)).toList();
    }
}
