package io.github.broadloom.cuda.code;

import io.github.broadloom.kernels.KernelSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Squares that are turned element by element. The rows of a square in shared memory are longer than the square, so that both ways of reading it touch every
 * bank once.
 */
final class TransposeKernel extends SquareKernel {
    private final int unroll = side * side / THREADS;
    /** The row of an element, or its column where it is read the other way. */
    private final String far = "first + u * " + THREADS / side;

    TransposeKernel(KernelSpec spec, Loops loops) {
        super(spec, loops, 1, TransposePlan.side(loops), TransposePlan.side(loops));
    }

    @Override
    String about() {
        return "squares of " + side + " turned in shared memory";
    }

    @Override
    String square(int operand) {
        return "%s Square%d[%d][%d]".formatted(type(operand), operand, side, TransposePlan.pitch(loops, operand, side));
    }

    @Override
    void square(CodeText code) {
        load(code);
        code.line("#pragma unroll");
        List<String> puts = turned.stream()
                .map(k -> "square%d[%s][lane] = turned%d[u];".formatted(k, far, k))
                .toList();
        String loop = "for (u32 u = 0; u < %d; u++)".formatted(unroll);
        if (puts.size() == 1) {
            code.line(loop + " " + puts.get(0));
        } else {
            code.open(loop);
            puts.forEach(code::line);
            code.close();
        }
        code.line("__syncthreads();");
        store(code);
    }

    private void load(CodeText code) {
        turned.forEach(k -> code.line("%s turned%d[%d];".formatted(type(k), k, unroll)));
        direct().forEach(k -> code.line("%s %s[%d];".formatted(type(k), stream(k), unroll)));
        code.unrolled("u", unroll);
        place(code, "lane", far);
        turned.forEach(k -> code.line("turned%d[u] = %s;".formatted(k, load(k, offset(k)))));
        code.close();
        if (!direct().isEmpty()) {
            code.unrolled("u", unroll);
            place(code, far, "lane");
            direct().forEach(k -> code.line("%s[u] = %s;".formatted(stream(k), load(k, offset(k)))));
            code.close();
        }
    }

    private void store(CodeText code) {
        code.unrolled("u", unroll);
        place(code, far, "lane");
        List<String> elements = new ArrayList<>();
        for (int k : operands()) {
            String plain = stream(k) + (loops.isConstant(k) ? "" : "[u]");
            elements.add(turned.contains(k) ? "square" + k + "[lane][" + far + "]" : plain);
        }
        code.line("__stcs(p.y + %s, %s);".formatted(offset(loops.result()), value(elements)));
        code.close();
    }
}
