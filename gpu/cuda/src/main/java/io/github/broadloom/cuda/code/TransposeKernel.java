package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.Pieces.Piece;
import io.github.broadloom.kernels.KernelSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Kernels for operands that lie the other way round than the result, as those of a transposed matrix do. A block does a square of two
 * loops, whose indices are {@code row} and {@code column}: the operands are read along the rows' loop, in which they have no gaps,
 * turned in shared memory, and the result is stored along the columns, in which it has none. The rows of a square in shared memory are
 * longer than the square, so that both ways of reading it touch every bank once.
 */
final class TransposeKernel implements PointwiseKernel {
    private final KernelParts parts;
    private final Loops loops;
    private final SquareGrid grid;
    private final int side;
    private final int unroll;
    private final List<Integer> turned;

    TransposeKernel(KernelSpec spec, Loops loops) {
        this.parts = new KernelParts(spec, loops);
        this.loops = loops;
        this.side = TransposePlan.side(loops);
        this.unroll = side * side / THREADS;
        this.turned = TransposePlan.turned(loops);
        this.grid = new SquareGrid(parts, TransposePlan.turnedLoop(loops), side);
    }

    @Override
    public CudaSource source() {
        String entry = parts.entry("tiled");
        return parts.source(entry, "squares of " + side + " turned in shared memory", kernel(entry));
    }

    @Override
    public long blocks(Piece piece) {
        return grid.blocks(piece);
    }

    @Override
    public Fields fields() {
        return parts.fields();
    }

    private String kernel(String entry) {
        CodeText code = new CodeText();
        turned.forEach(k -> code.line(
                "typedef %s Square%d[%d][%d];".formatted(parts.type(k), k, side, TransposePlan.pitch(loops, k, side))));
        code.blank();
        grid.openTile(code, turned);
        code.line("const u32 lane = threadIdx.x %% %d;".formatted(side));
        code.line("const u32 first = threadIdx.x / %d;".formatted(side));
        parts.declareError(code);
        parts.loadConstants(code);
        load(code);
        store(code);
        parts.reportError(code);
        code.close();
        code.blank();
        grid.entry(code, entry, turned);
        return code.toString();
    }

    private void load(CodeText code) {
        List<Integer> direct = direct();
        turned.forEach(k -> code.line("%s turned%d[%d];".formatted(parts.type(k), k, unroll)));
        direct.forEach(k -> code.line("%s %s[%d];".formatted(parts.type(k), KernelParts.stream(k), unroll)));
        code.unrolled("u", unroll);
        place(code, "lane", "first + u * " + THREADS / side);
        code.line("if (EDGE && (row >= p.rows || column >= p.columns)) continue;");
        turned.forEach(k -> code.line("turned%d[u] = %s;".formatted(k, parts.load(k, grid.offset(k)))));
        code.close();
        if (!direct.isEmpty()) {
            code.unrolled("u", unroll);
            place(code, "first + u * " + THREADS / side, "lane");
            code.line("if (EDGE && (row >= p.rows || column >= p.columns)) continue;");
            direct.forEach(k ->
                    code.line("%s[u] = %s;".formatted(KernelParts.stream(k), parts.load(k, grid.offset(k)))));
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
        code.line("__stcs(p.y + %s, %s);".formatted(grid.offset(loops.result()), parts.value(elements)));
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
}
