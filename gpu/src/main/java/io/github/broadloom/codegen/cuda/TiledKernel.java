package io.github.broadloom.codegen.cuda;

import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.cuda.Pieces.Piece;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Kernels for operands that lie the other way round than the result, as those of a transposed matrix do. A block does a square of two
 * loops, whose indices are {@code row} and {@code column}: the operands are read along the rows' loop, in which they have no gaps,
 * turned in shared memory, and the result is stored along the columns, in which it has none. The rows of a square in shared memory are
 * longer than the square, so that both ways of reading it touch every bank once.
 */
final class TiledKernel implements PointwiseKernel {
    private final KernelParts parts;
    private final Loops loops;
    private final int rowLoop;
    private final int side;
    private final int unroll;
    private final List<Integer> turned;

    TiledKernel(KernelSpec spec, Loops loops) {
        this.parts = new KernelParts(spec, loops);
        this.loops = loops;
        this.rowLoop = Tiling.turnedLoop(loops);
        this.side = Tiling.side(loops);
        this.unroll = side * side / THREADS;
        this.turned = Tiling.turned(loops);
        parts.fields().divisor("tile_rows", piece -> tiles(piece, rowLoop));
        parts.fields().divisor("tile_columns", piece -> tiles(piece, loops.inner()));
        parts.fields().word("rows", piece -> piece.sizes()[rowLoop]);
        parts.fields().word("columns", piece -> piece.sizes()[loops.inner()]);
        for (int loop : outer()) {
            parts.fields().divisor("n" + loop, piece -> piece.sizes()[loop]);
        }
    }

    /** The loops around the squares. */
    private List<Integer> outer() {
        return IntStream.range(0, loops.inner())
                .filter(loop -> loop != rowLoop)
                .boxed()
                .toList();
    }

    private long tiles(Piece piece, int loop) {
        return (piece.sizes()[loop] + side - 1) / side;
    }

    @Override
    public CudaSource source() {
        String entry = parts.entry("tiled");
        return parts.source(entry, "squares of " + side + " turned in shared memory", kernel(entry));
    }

    @Override
    public long blocks(Piece piece) {
        long blocks = tiles(piece, rowLoop) * tiles(piece, loops.inner());
        for (int loop : outer()) {
            blocks *= piece.sizes()[loop];
        }
        return blocks;
    }

    @Override
    public Fields fields() {
        return parts.fields();
    }

    private String kernel(String entry) {
        CodeText code = new CodeText();
        turned.forEach(k -> code.line(
                "typedef %s Square%d[%d][%d];".formatted(parts.type(k), k, side, Tiling.pitch(loops, k, side))));
        code.blank();
        code.line("// The square at row0 and column0; one at the edge is not whole.");
        code.open("template <bool EDGE> BL_DEVICE void tile(%s)".formatted(String.join(", ", tileParameters())));
        code.line("const u32 lane = threadIdx.x %% %d;".formatted(side));
        code.line("const u32 first = threadIdx.x / %d;".formatted(side));
        parts.declareError(code);
        parts.loadConstants(code);
        load(code);
        store(code);
        parts.reportError(code);
        code.close();
        code.blank();
        entry(code, entry);
        return code.toString();
    }

    private List<String> tileParameters() {
        List<String> parameters = new ArrayList<>(List.of("const Par& p"));
        turned.forEach(k -> parameters.add("Square" + k + "& square" + k));
        outer().forEach(loop -> parameters.add("u32 i" + loop));
        parameters.addAll(List.of("u32 row0", "u32 column0"));
        return parameters;
    }

    private void load(CodeText code) {
        List<Integer> direct = direct();
        turned.forEach(k -> code.line("%s turned%d[%d];".formatted(parts.type(k), k, unroll)));
        direct.forEach(k -> code.line("%s %s[%d];".formatted(parts.type(k), KernelParts.stream(k), unroll)));
        code.unrolled("u", unroll);
        place(code, "lane", "first + u * " + THREADS / side);
        code.line("if (EDGE && (row >= p.rows || column >= p.columns)) continue;");
        turned.forEach(k -> code.line("turned%d[u] = %s;".formatted(k, parts.load(k, offset(k)))));
        code.close();
        if (!direct.isEmpty()) {
            code.unrolled("u", unroll);
            place(code, "first + u * " + THREADS / side, "lane");
            code.line("if (EDGE && (row >= p.rows || column >= p.columns)) continue;");
            direct.forEach(k -> code.line("%s[u] = %s;".formatted(KernelParts.stream(k), parts.load(k, offset(k)))));
            code.close();
        }
        code.line("#pragma unroll");
        if (turned.size() == 1) {
            int k = turned.get(0);
            code.line("for (u32 u = 0; u < %d; u++) square%d[first + u * %d][lane] = turned%d[u];"
                    .formatted(unroll, k, THREADS / side, k));
        } else {
            code.open("for (u32 u = 0; u < %d; u++)".formatted(unroll));
            turned.forEach(
                    k -> code.line("square%d[first + u * %d][lane] = turned%d[u];".formatted(k, THREADS / side, k)));
            code.close();
        }
        code.line("__syncthreads();");
    }

    private void store(CodeText code) {
        code.unrolled("u", unroll);
        place(code, "first + u * " + THREADS / side, "lane");
        code.line("if (EDGE && (row >= p.rows || column >= p.columns)) continue;");
        List<String> elements = new ArrayList<>();
        for (int k : parts.operands()) {
            String square = "square" + k + "[lane][first + u * " + THREADS / side + "]";
            String plain = KernelParts.stream(k) + (loops.isConstant(k) ? "" : "[u]");
            elements.add(turned.contains(k) ? square : plain);
        }
        code.line("__stcs(p.y + %s, %s);".formatted(offset(loops.result()), parts.value(elements)));
        code.close();
    }

    private void place(CodeText code, String row, String column) {
        code.line("const u32 row = row0 + %s;".formatted(row));
        code.line("const u32 column = column0 + %s;".formatted(column));
    }

    /** The operands that are neither turned nor constant. */
    private List<Integer> direct() {
        return parts.operands().stream()
                .filter(k -> !turned.contains(k) && !loops.isConstant(k))
                .toList();
    }

    private String offset(int stream) {
        return parts.offset(stream, 1)
                .replaceAll("\\bi" + rowLoop + "\\b", "row")
                .replaceAll("\\bi" + loops.inner() + "\\b", "column");
    }

    private void entry(CodeText code, String entry) {
        code.open("extern \"C\" __global__ void __launch_bounds__(%d) %s(const Par p)".formatted(THREADS, entry));
        turned.forEach(k -> code.line("__shared__ Square%d square%d;".formatted(k, k)));
        code.line("const u32 above = bl_quotient(blockIdx.x, p.tile_columns);");
        code.line("const u32 column0 = (blockIdx.x - above * p.tile_columns.divisor) * %d;".formatted(side));
        String left = "above";
        if (outer().isEmpty()) {
            code.line("const u32 row0 = above * %d;".formatted(side));
        } else {
            code.line("const u32 around = bl_quotient(above, p.tile_rows);");
            code.line("const u32 row0 = (above - around * p.tile_rows.divisor) * %d;".formatted(side));
            left = "around";
        }
        List<Integer> outer = outer();
        for (int i = outer.size() - 1; i >= 0; i--) {
            int loop = outer.get(i);
            if (i == 0) {
                code.line("const u32 i%d = %s;".formatted(loop, left));
            } else {
                code.line("const u32 q%d = bl_quotient(%s, p.n%d);".formatted(loop, left, loop));
                code.line("const u32 i%d = %s - q%d * p.n%d.divisor;".formatted(loop, left, loop, loop));
                left = "q" + loop;
            }
        }
        String arguments = callArguments();
        code.line("const bool whole = row0 + %d <= p.rows && column0 + %d <= p.columns;".formatted(side, side));
        code.line("if (whole) tile<false>(%s);".formatted(arguments));
        code.line("else tile<true>(%s);".formatted(arguments));
        code.close();
    }

    private String callArguments() {
        List<String> arguments = new ArrayList<>(List.of("p"));
        turned.forEach(k -> arguments.add("square" + k));
        outer().forEach(loop -> arguments.add("i" + loop));
        arguments.addAll(List.of("row0", "column0"));
        return String.join(", ", arguments);
    }
}
