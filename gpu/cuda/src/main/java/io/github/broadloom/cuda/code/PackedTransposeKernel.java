package io.github.broadloom.cuda.code;

import io.github.broadloom.kernels.KernelSpec;
import java.util.List;

/**
 * Squares of elements of 1 and 2 bytes, of which 4 or 2 make a word: they are turned in registers, word by word, and
 * shared memory moves whole words. A word of the square has the elements of one row in some neighbouring columns. The rows of a
 * thread's words stand a warp apart, so that a warp writes neighbouring words.
 */
final class PackedTransposeKernel extends SquareKernel {
    private static final int LANES = 32;
    private static final int WARPS = THREADS / LANES;
    /** So many bytes of the other operands a thread keeps while the squares are turned. */
    private static final int EARLY_BYTES = 128;

    /** How many of the square's rows a warp has. */
    private final int rounds = side / WARPS;

    private final boolean loadsEarly;

    PackedTransposeKernel(KernelSpec spec, Loops loops, int vector) {
        super(spec, loops, vector, LANES * vector, LANES);
        int bytes = direct().stream()
                .mapToInt(k -> loops.bytes(k) * (isPacket(k) ? vector : 1))
                .sum();
        this.loadsEarly = bytes * rounds <= EARLY_BYTES;
    }

    @Override
    String about() {
        return "squares of " + side + " turned in registers and shared memory, " + vector + " elements a word";
    }

    @Override
    String square(int operand) {
        return "%s Square%d[%d][%d]".formatted(packetType(operand), operand, LANES, side + 1);
    }

    @Override
    void square(CodeText code) {
        turn(code);
        if (loadsEarly && !direct().isEmpty()) {
            direct().forEach(k -> code.line("%s x%d[%d];".formatted(directType(k), k, rounds)));
            openRows(code);
            direct().forEach(k -> code.line("x%d[u] = %s;".formatted(k, loadDirect(k))));
            code.close();
        }
        code.line("__syncthreads();");
        store(code);
    }

    /** Reads words along the rows' loop, and writes words along the columns. */
    private void turn(CodeText code) {
        int words = LANES / WARPS;
        turned.forEach(k -> code.line("%s turned%d[%d][%d];".formatted(packetType(k), k, words, vector)));
        code.unrolled("u", words);
        code.unrolled("v", vector);
        place(code, "lane * %d".formatted(vector), "(first + u * 8) * %d + v".formatted(vector));
        turned.forEach(k -> code.line("turned%d[u][v] = %s;".formatted(k, loadPacket(k, offset(k)))));
        code.close();
        code.close();
        code.unrolled("u", words);
        code.unrolled("w", vector);
        for (int k : turned) {
            code.line("%s word%d;".formatted(packetType(k), k));
            code.line("#pragma unroll");
            code.line("for (u32 v = 0; v < %d; v++) word%d.e[v] = turned%d[u][v].e[w];".formatted(vector, k, k));
            code.line("square%d[first + u * 8][w * 32 + lane] = word%d;".formatted(k, k));
        }
        code.close();
        code.close();
    }

    private boolean isPacket(int operand) {
        return loops.innerStride(operand) == 1;
    }

    private String directType(int operand) {
        return isPacket(operand) ? packetType(operand) : type(operand);
    }

    private String loadDirect(int operand) {
        return isPacket(operand) ? loadPacket(operand, offset(operand)) : load(operand, offset(operand));
    }

    /** Along the columns, a word for each lane, a row for each warp. */
    private void openRows(CodeText code) {
        code.unrolled("u", rounds);
        place(code, "first + u * 8", "lane * %d".formatted(vector));
    }

    private void store(CodeText code) {
        openRows(code);
        code.line("const u32 place = (first + u * 8) %% %d * 32 + (first + u * 8) / %d;".formatted(vector, vector));
        turned.forEach(k -> code.line("const %s x%d = square%d[lane][place];".formatted(packetType(k), k, k)));
        if (!loadsEarly) {
            direct().forEach(k -> code.line("const %s x%d = %s;".formatted(directType(k), k, loadDirect(k))));
        }
        code.line("%s y;".formatted(packetType(loops.result())));
        code.line("#pragma unroll");
        List<String> elements = operands().stream()
                .map(k -> "x" + k + (loadsEarly && direct().contains(k) ? "[u]" : "") + (isElement(k) ? ".e[v]" : ""))
                .toList();
        code.line("for (u32 v = 0; v < %d; v++) y.e[v] = %s;".formatted(vector, value(elements)));
        code.line("bl_store(p.y + %s, y);".formatted(offset(loops.result())));
        code.close();
    }

    /** Whether an operand differs from element to element of a word. */
    private boolean isElement(int operand) {
        return turned.contains(operand) || isPacket(operand);
    }
}
