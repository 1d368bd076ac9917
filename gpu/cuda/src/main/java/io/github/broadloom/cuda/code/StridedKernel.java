package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.Pieces.Piece;
import io.github.broadloom.kernels.KernelSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Kernels whose threads each take some packets of the innermost loop, or some single elements, and find where the packet lies in every
 * stream. All loads of a thread stand before what uses them, so that they are under way together.
 */
final class StridedKernel implements PointwiseKernel {
    private final KernelParts parts;
    private final Loops loops;
    private final int vector;
    private final int unroll;
    private final String unit;

    StridedKernel(KernelSpec spec, Loops loops, int vector) {
        this.parts = new KernelParts(spec, loops);
        this.loops = loops;
        this.vector = vector;
        this.unroll = Unrolling.of(loops, vector, parts.operands());
        this.unit = vector > 1 ? "packet" : "element";
        for (int loop = 1; loop < loops.rank(); loop++) {
            int at = loop;
            int by = loop == loops.inner() ? vector : 1;
            parts.fields().divisor("n" + loop, piece -> piece.sizes()[at] / by);
        }
        parts.fields().word(unit + "s", piece -> piece.elements() / vector);
    }

    @Override
    public CudaSource source() {
        String family = vector > 1 ? "inner" : "strided";
        String entry = parts.entry(family);
        String about = vector > 1 ? "packets of " + vector + " within the innermost loop" : "element by element";
        return parts.source(entry, about, kernel(entry));
    }

    @Override
    public long blocks(Piece piece) {
        long tile = (long) THREADS * unroll;
        return (piece.elements() / vector + tile - 1) / tile;
    }

    @Override
    public Fields fields() {
        return parts.fields();
    }

    private String kernel(String entry) {
        CodeText code = new CodeText();
        code.line("// %d %ss; only in the last tile some are past the end.".formatted(THREADS * unroll, unit));
        code.open("template <bool LAST> BL_DEVICE void tile(const Par& p)");
        code.line("const u32 first = blockIdx.x * %d + threadIdx.x;".formatted(THREADS * unroll));
        parts.declareError(code);
        parts.loadConstants(code);
        declareLoaded(code);
        eachUnit(code, loads());
        eachUnit(code, store());
        parts.reportError(code);
        code.close();
        code.blank();
        TileRowKernel.entry(code, entry);
        return code.toString();
    }

    private void declareLoaded(CodeText code) {
        for (int k : varying()) {
            String type = isPacket(k) ? "bl_Packet<" + parts.type(k) + ", " + vector + ">" : parts.type(k);
            code.line("%s %s[%d];".formatted(type, KernelParts.stream(k), unroll));
        }
    }

    private List<Integer> varying() {
        return parts.operands().stream().filter(k -> !loops.isConstant(k)).toList();
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
        Indices.declare(code, unit, loops.rank(), String.join("\n", lines));
        lines.forEach(code::line);
        code.close();
    }

    private List<String> loads() {
        List<String> lines = new ArrayList<>();
        for (int k : varying()) {
            String from = "p." + KernelParts.stream(k) + " + " + place(k);
            String function = loops.isVisitedOnce(k) ? "bl_stream" : "bl_cached";
            String load = isPacket(k) ? function + "<" + vector + ">(" + from + ")" : parts.load(k, place(k));
            lines.add(KernelParts.stream(k) + "[u] = " + load + ";");
        }
        return lines;
    }

    private String place(int stream) {
        if (loops.isDense(stream)) {
            return vector > 1 ? "packet * " + vector : "element";
        }
        return parts.offset(stream, vector);
    }

    private List<String> store() {
        String to = "p.y + " + place(loops.result());
        if (vector == 1) {
            return List.of("__stcs(" + to + ", " + parts.value(elements()) + ");");
        }
        return List.of(
                "bl_Packet<" + parts.resultType() + ", " + vector + "> y;",
                "#pragma unroll",
                "for (u32 j = 0; j < " + vector + "; j++) y.e[j] = " + parts.value(elements()) + ";",
                "bl_store(" + to + ", y);");
    }

    private List<String> elements() {
        return parts.operands().stream()
                .map(k -> KernelParts.stream(k) + (loops.isConstant(k) ? "" : isPacket(k) ? "[u].e[j]" : "[u]"))
                .toList();
    }
}
