package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.Pieces.Piece;
import io.github.broadloom.kernels.KernelSpec;
import java.util.List;

/**
 * Kernels whose threads each take some packets of the innermost loop, or some single elements, and find where the packet lies in every
 * stream. All loads of a thread stand before what uses them, so that they are under way together.
 */
final class StridedKernel extends PointwiseKernel {
    private final int unroll = unroll();
    private final String unit;

    StridedKernel(KernelSpec spec, Loops loops, int vector) {
        super(spec, loops, vector);
        this.unit = vector > 1 ? "packet" : "element";
        for (int loop = 1; loop < loops.rank(); loop++) {
            int at = loop;
            int by = loop == loops.inner() ? vector : 1;
            parameters.word("n" + loop, piece -> piece.sizes()[at] / by);
        }
        parameters.word(unit + "s", piece -> piece.elements() / vector);
    }

    @Override
    String family() {
        return vector > 1 ? "inner" : "strided";
    }

    @Override
    String about() {
        return vector > 1 ? "packets of " + vector + " within the innermost loop" : "element by element";
    }

    @Override
    long blocks(Piece piece) {
        return CudaLaunch.ceilDiv(piece.elements() / vector, (long) THREADS * unroll);
    }

    @Override
    String kernel(String entry) {
        CodeText code = new CodeText();
        code.line("// %d %ss; only in the last tile some are past the end.".formatted(THREADS * unroll, unit));
        code.open("template <bool LAST> BL_DEVICE void tile(const Par& p)");
        code.line("const u32 first = blockIdx.x * %d + threadIdx.x;".formatted(THREADS * unroll));
        declareError(code);
        loadConstants(code);
        varying()
                .forEach(k ->
                        code.line("%s %s[%d];".formatted(isPacket(k) ? packetType(k) : type(k), stream(k), unroll)));
        eachUnit(
                code,
                varying().stream()
                        .map(k -> stream(k) + "[u] = " + loaded(k) + ";")
                        .toList());
        eachUnit(code, store());
        reportError(code);
        code.close();
        rowOfTiles(code, entry);
        return code.toString();
    }

    private boolean isPacket(int stream) {
        return vector > 1 && loops.innerStride(stream) == 1;
    }

    private void eachUnit(CodeText code, List<String> lines) {
        if (lines.isEmpty()) {
            return;
        }
        code.unrolled("u", unroll);
        code.line("const u32 %s = first + u * %d;".formatted(unit, THREADS));
        code.line("if (LAST && %s >= p.%ss) break;".formatted(unit, unit));
        Indices.OF_ELEMENT.declare(code, unit, loops.rank(), String.join("\n", lines));
        lines.forEach(code::line);
        code.close();
    }

    private String loaded(int operand) {
        return isPacket(operand) ? loadPacket(operand, place(operand)) : load(operand, place(operand));
    }

    private String place(int stream) {
        if (loops.isDense(stream)) {
            return vector > 1 ? "packet * " + vector : "element";
        }
        return offset(stream, vector);
    }

    private List<String> store() {
        String to = "p.y + " + place(loops.result());
        List<String> elements = operands().stream()
                .map(k -> stream(k) + (loops.isConstant(k) ? "" : isPacket(k) ? "[u].e[j]" : "[u]"))
                .toList();
        return vector == 1
                ? List.of("__stcs(" + to + ", " + value(elements) + ");")
                : List.of(
                        packetType(loops.result()) + " y;",
                        "#pragma unroll",
                        "for (u32 j = 0; j < " + vector + "; j++) y.e[j] = " + value(elements) + ";",
                        "bl_store(" + to + ", y);");
    }
}
