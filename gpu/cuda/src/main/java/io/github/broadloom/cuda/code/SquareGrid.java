package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.Pieces.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The squares of two loops, a block each: which one a block does, and where the elements at its {@code row} and {@code column} lie. The
 * columns are those of the innermost loop; the loops around both have one index for a whole square.
 */
final class SquareGrid {
    private final KernelParts parts;
    private final Loops loops;
    private final int rowLoop;
    private final int side;

    SquareGrid(KernelParts parts, int rowLoop, int side) {
        this.parts = parts;
        this.loops = parts.loops();
        this.rowLoop = rowLoop;
        this.side = side;
        parts.fields().divisor("tile_rows", piece -> tiles(piece, rowLoop));
        parts.fields().divisor("tile_columns", piece -> tiles(piece, loops.inner()));
        parts.fields().word("rows", piece -> piece.sizes()[rowLoop]);
        parts.fields().word("columns", piece -> piece.sizes()[loops.inner()]);
        for (int loop : around()) {
            parts.fields().divisor("n" + loop, piece -> piece.sizes()[loop]);
        }
    }

    private List<Integer> around() {
        return IntStream.range(0, loops.inner())
                .filter(loop -> loop != rowLoop)
                .boxed()
                .toList();
    }

    private long tiles(Piece piece, int loop) {
        return (piece.sizes()[loop] + side - 1) / side;
    }

    /** How many squares a piece has. */
    long blocks(Piece piece) {
        long blocks = tiles(piece, rowLoop) * tiles(piece, loops.inner());
        for (int loop : around()) {
            blocks *= piece.sizes()[loop];
        }
        return blocks;
    }

    /** Where a stream's element at {@code row} and {@code column} lies. */
    String offset(int stream) {
        return parts.offset(stream, 1)
                .replaceAll("\\bi" + rowLoop + "\\b", "row")
                .replaceAll("\\bi" + loops.inner() + "\\b", "column");
    }

    /** Opens the function that does a square. */
    void openTile(CodeText code, List<Integer> turned) {
        List<String> parameters = new ArrayList<>(List.of("const Par& p"));
        turned.forEach(k -> parameters.add("Square" + k + "& square" + k));
        around().forEach(loop -> parameters.add("u32 i" + loop));
        parameters.addAll(List.of("u32 row0", "u32 column0"));
        code.line("// The square at row0 and column0; one at the edge is not whole.");
        code.open("template <bool EDGE> BL_DEVICE void tile(" + String.join(", ", parameters) + ")");
    }

    /** The kernel, which finds its square and calls that function. */
    void entry(CodeText code, String entry, List<Integer> turned) {
        code.open("extern \"C\" __global__ void __launch_bounds__(%d) %s(const Par p)"
                .formatted(PointwiseKernel.THREADS, entry));
        turned.forEach(k -> code.line("__shared__ Square%d square%d;".formatted(k, k)));
        code.line("const u32 above = bl_quotient(blockIdx.x, p.tile_columns);");
        code.line("const u32 column0 = (blockIdx.x - above * p.tile_columns.divisor) * %d;".formatted(side));
        if (around().isEmpty()) {
            code.line("const u32 row0 = above * %d;".formatted(side));
        } else {
            code.line("const u32 around = bl_quotient(above, p.tile_rows);");
            code.line("const u32 row0 = (above - around * p.tile_rows.divisor) * %d;".formatted(side));
            indicesAround(code);
        }
        List<String> arguments = new ArrayList<>(List.of("p"));
        turned.forEach(k -> arguments.add("square" + k));
        around().forEach(loop -> arguments.add("i" + loop));
        arguments.addAll(List.of("row0", "column0"));
        String call = "(" + String.join(", ", arguments) + ");";
        code.line("const bool whole = row0 + %d <= p.rows && column0 + %d <= p.columns;".formatted(side, side));
        code.line("if (whole) tile<false>" + call);
        code.line("else tile<true>" + call);
        code.close();
    }

    private void indicesAround(CodeText code) {
        List<Integer> around = around();
        String left = "around";
        for (int i = around.size() - 1; i > 0; i--) {
            int loop = around.get(i);
            code.line("const u32 q%d = bl_quotient(%s, p.n%d);".formatted(loop, left, loop));
            code.line("const u32 i%d = %s - q%d * p.n%d.divisor;".formatted(loop, left, loop, loop));
            left = "q" + loop;
        }
        code.line("const u32 i%d = %s;".formatted(around.get(0), left));
    }
}
