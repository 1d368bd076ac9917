package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.Pieces.Piece;
import io.github.broadloom.kernels.KernelSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Kernels that store the result in packets from its first element to its last, whatever the loops are. Operands that lie as the result
 * does come in packets, too; others element by element, their indices carried on from one to the next. Up to a packet less one
 * elements at the end are done singly, in the last tile.
 */
final class FlatKernel implements PointwiseKernel {
    /** Registers for elements that are loaded singly. */
    private static final int MOST_SINGLE = 16;

    private final KernelParts parts;
    private final Loops loops;
    private final int vector;
    private final int unroll;

    FlatKernel(KernelSpec spec, Loops loops, int vector) {
        this.parts = new KernelParts(spec, loops);
        this.loops = loops;
        this.vector = vector;
        this.unroll = unroll();
        for (int loop = 1; loop < loops.rank(); loop++) {
            int at = loop;
            parts.fields().divisor("n" + loop, piece -> piece.sizes()[at]);
        }
        parts.fields().word("packets", piece -> piece.elements() / vector);
        parts.fields().word("elements", Piece::elements);
    }

    private int unroll() {
        int wanted = Unrolling.of(loops, vector, parts.operands());
        return singles().isEmpty() ? wanted : Math.max(1, Math.min(wanted, MOST_SINGLE / vector));
    }

    @Override
    public CudaSource source() {
        String entry = parts.entry(singles().isEmpty() ? "contiguous" : "flat");
        String about = "packets of " + vector + (singles().isEmpty() ? "" : ", broadcast operands singly");
        return parts.source(entry, about, kernel(entry));
    }

    @Override
    public long blocks(Piece piece) {
        long tile = (long) THREADS * unroll;
        return Math.max(1, (piece.elements() / vector + tile - 1) / tile);
    }

    @Override
    public Fields fields() {
        return parts.fields();
    }

    private List<Integer> packets() {
        return parts.operands().stream()
                .filter(k -> !loops.isConstant(k) && loops.isDense(k))
                .toList();
    }

    private List<Integer> singles() {
        return parts.operands().stream()
                .filter(k -> !loops.isConstant(k) && !loops.isDense(k))
                .toList();
    }

    private String kernel(String entry) {
        CodeText code = new CodeText();
        code.line("// %d packets; the last tile has those that are left, and the elements behind them."
                .formatted(THREADS * unroll));
        code.open("template <bool LAST> BL_DEVICE void tile(const Par& p)");
        code.line("const u32 first = blockIdx.x * %d + threadIdx.x;".formatted(THREADS * unroll));
        parts.declareError(code);
        parts.loadConstants(code);
        declareLoaded(code);
        if (!packets().isEmpty() || !singles().isEmpty()) {
            openPackets(code);
            loads(code);
            code.close();
        }
        openPackets(code);
        store(code);
        code.close();
        tail(code);
        parts.reportError(code);
        code.close();
        code.blank();
        TileRowKernel.entry(code, entry);
        return code.toString();
    }

    private void declareLoaded(CodeText code) {
        packets()
                .forEach(k -> code.line(
                        "bl_Packet<%s, %d> %s[%d];".formatted(parts.type(k), vector, KernelParts.stream(k), unroll)));
        singles()
                .forEach(k ->
                        code.line("%s %s[%d][%d];".formatted(parts.type(k), KernelParts.stream(k), unroll, vector)));
    }

    private void openPackets(CodeText code) {
        code.unrolled("u", unroll);
        code.line("const u32 packet = first + u * %d;".formatted(THREADS));
        code.line("if (LAST && packet >= p.packets) break;");
    }

    private void loads(CodeText code) {
        for (int k : packets()) {
            code.line("%s[u] = bl_stream<%d>(p.%s + packet * %d);"
                    .formatted(KernelParts.stream(k), vector, KernelParts.stream(k), vector));
        }
        if (!singles().isEmpty()) {
            code.line("const u32 element = packet * %d;".formatted(vector));
            IndexCarry.declare(code, loops, singles(), "element");
            code.unrolled("j", vector);
            for (int k : singles()) {
                code.line("%s[u][j] = %s;".formatted(KernelParts.stream(k), parts.load(k, parts.offset(k, 1))));
            }
            IndexCarry.advance(code, loops, singles());
            code.close();
        }
    }

    private void store(CodeText code) {
        code.line("bl_Packet<%s, %d> y;".formatted(parts.resultType(), vector));
        code.line("#pragma unroll");
        List<String> elements = new ArrayList<>();
        for (int k : parts.operands()) {
            String suffix = loops.isConstant(k) ? "" : loops.isDense(k) ? "[u].e[j]" : "[u][j]";
            elements.add(KernelParts.stream(k) + suffix);
        }
        code.line("for (u32 j = 0; j < %d; j++) y.e[j] = %s;".formatted(vector, parts.value(elements)));
        code.line("bl_store(p.y + packet * %d, y);".formatted(vector));
    }

    private void tail(CodeText code) {
        code.line("const u32 element = p.packets * %d + threadIdx.x;".formatted(vector));
        code.open("if (LAST && element < p.elements)");
        List<String> elements = new ArrayList<>();
        for (int k : parts.operands()) {
            String place = loops.isDense(k) ? "element" : parts.offset(k, 1);
            elements.add(loops.isConstant(k) ? KernelParts.stream(k) : parts.load(k, place));
        }
        String store = "__stcs(p.y + element, " + parts.value(elements) + ");";
        Indices.declare(code, "element", loops.rank(), store);
        code.line(store);
        code.close();
    }
}
