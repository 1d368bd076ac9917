package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.Pieces.Piece;
import io.github.broadloom.kernels.KernelSpec;
import java.util.List;

/**
 * {@link TransposeKernel} for elements of 1 and 2 bytes, of which 4 or 2 make a word: the squares are turned in registers, word by word, and
 * shared memory moves whole words. A word of the square has the elements of one row in some neighbouring columns. The rows of a
 * thread's words stand a warp apart, so that a warp writes neighbouring words.
 */
final class PackedTransposeKernel implements PointwiseKernel {
    private static final int LANES = 32;

    /** So many bytes of the other operands a thread keeps while the squares are turned. */
    private static final int EARLY_BYTES = 128;

    private final KernelParts parts;
    private final Loops loops;
    private final SquareGrid grid;
    private final int vector;
    private final int side;
    private final List<Integer> turned;

    /** @param vector the elements of a word */
    PackedTransposeKernel(KernelSpec spec, Loops loops, int vector) {
        this.parts = new KernelParts(spec, loops);
        this.loops = loops;
        this.vector = vector;
        this.side = LANES * vector;
        this.turned = TransposePlan.turned(loops);
        this.grid = new SquareGrid(parts, TransposePlan.turnedLoop(loops), side);
    }

    @Override
    public CudaSource source() {
        String entry = parts.entry("tiled");
        String about = "squares of " + side + " turned in registers and shared memory, " + vector + " elements a word";
        return parts.source(entry, about, kernel(entry));
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
        for (int k : turned) {
            code.line(
                    "typedef bl_Packet<%s, %d> Square%d[%d][%d];".formatted(parts.type(k), vector, k, LANES, side + 1));
        }
        code.blank();
        grid.openTile(code, turned);
        code.line("const u32 lane = threadIdx.x % 32;");
        code.line("const u32 first = threadIdx.x / 32;");
        parts.declareError(code);
        parts.loadConstants(code);
        turn(code);
        loadDirect(code);
        code.line("__syncthreads();");
        store(code);
        parts.reportError(code);
        code.close();
        code.blank();
        grid.entry(code, entry, turned);
        return code.toString();
    }

    /** Reads words along the rows' loop, and writes words along the columns. */
    private void turn(CodeText code) {
        int rounds = LANES / (THREADS / LANES);
        turned.forEach(k ->
                code.line("bl_Packet<%s, %d> turned%d[%d][%d];".formatted(parts.type(k), vector, k, rounds, vector)));
        code.unrolled("u", rounds);
        code.unrolled("v", vector);
        code.line("const u32 row = row0 + lane * %d;".formatted(vector));
        code.line("const u32 column = column0 + (first + u * 8) * %d + v;".formatted(vector));
        code.line("if (EDGE && (row >= p.rows || column >= p.columns)) continue;");
        for (int k : turned) {
            code.line("turned%d[u][v] = %s<%d>(p.x%d + %s);".formatted(k, packetLoad(k), vector, k, grid.offset(k)));
        }
        code.close();
        code.close();
        code.unrolled("u", rounds);
        code.unrolled("w", vector);
        for (int k : turned) {
            code.line("bl_Packet<%s, %d> word%d;".formatted(parts.type(k), vector, k));
            code.line("#pragma unroll");
            code.line("for (u32 v = 0; v < %d; v++) word%d.e[v] = turned%d[u][v].e[w];".formatted(vector, k, k));
            code.line("square%d[first + u * 8][w * 32 + lane] = word%d;".formatted(k, k));
        }
        code.close();
        code.close();
    }

    private String packetLoad(int operand) {
        return loops.isVisitedOnce(operand) ? "bl_stream" : "bl_cached";
    }

    private List<Integer> direct() {
        return parts.operands().stream()
                .filter(k -> !turned.contains(k) && !loops.isConstant(k))
                .toList();
    }

    private boolean isPacket(int operand) {
        return loops.innerStride(operand) == 1;
    }

    private int rounds() {
        return side / (THREADS / LANES);
    }

    /** Whether the registers hold all that a thread reads of the other operands before the squares are turned. */
    private boolean loadsEarly() {
        int bytes = direct().stream()
                .mapToInt(k -> loops.bytes(k) * (isPacket(k) ? vector : 1))
                .sum();
        return bytes * rounds() <= EARLY_BYTES;
    }

    private void loadDirect(CodeText code) {
        if (direct().isEmpty() || !loadsEarly()) {
            return;
        }
        direct().forEach(k -> code.line("%s x%d[%d];".formatted(directType(k), k, rounds())));
        openRows(code);
        direct().forEach(k -> code.line("x%d[u] = %s;".formatted(k, directLoad(k))));
        code.close();
    }

    private String directType(int operand) {
        return isPacket(operand) ? "bl_Packet<%s, %d>".formatted(parts.type(operand), vector) : parts.type(operand);
    }

    private String directLoad(int operand) {
        String place = grid.offset(operand);
        return isPacket(operand)
                ? "%s<%d>(p.x%d + %s)".formatted(packetLoad(operand), vector, operand, place)
                : parts.load(operand, place);
    }

    /** Along the columns, a word for each lane, a row for each warp. */
    private void openRows(CodeText code) {
        code.unrolled("u", rounds());
        code.line("const u32 row = row0 + first + u * 8;");
        code.line("const u32 column = column0 + lane * %d;".formatted(vector));
        code.line("if (EDGE && (row >= p.rows || column >= p.columns)) continue;");
    }

    private void store(CodeText code) {
        boolean early = loadsEarly();
        openRows(code);
        code.line("const u32 place = (first + u * 8) %% %d * 32 + (first + u * 8) / %d;".formatted(vector, vector));
        for (int k : turned) {
            code.line("const bl_Packet<%s, %d> x%d = square%d[lane][place];".formatted(parts.type(k), vector, k, k));
        }
        for (int k : early ? List.<Integer>of() : direct()) {
            code.line("const %s x%d = %s;".formatted(directType(k), k, directLoad(k)));
        }
        code.line("bl_Packet<%s, %d> y;".formatted(parts.resultType(), vector));
        code.line("#pragma unroll");
        List<String> elements = parts.operands().stream()
                .map(k -> "x" + k + (early && direct().contains(k) ? "[u]" : "") + (isElement(k) ? ".e[v]" : ""))
                .toList();
        code.line("for (u32 v = 0; v < %d; v++) y.e[v] = %s;".formatted(vector, parts.value(elements)));
        code.line("bl_store(p.y + %s, y);".formatted(grid.offset(loops.result())));
        code.close();
    }

    /** Whether an operand differs from element to element of a word. */
    private boolean isElement(int operand) {
        return turned.contains(operand) || isPacket(operand);
    }
}
