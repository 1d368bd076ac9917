package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.Pieces.Piece;
import io.github.broadloom.kernels.KernelSpec;
import java.util.List;

/**
 * Kernels that store the result in packets from its first element to its last, whatever the loops are. Operands that lie as the result
 * does come in packets, too; others element by element, their indices carried on from one to the next. Up to a packet less one
 * elements at the end are done singly, in the last tile.
 */
final class FlatKernel extends PointwiseKernel {
    private static final int MOST_SINGLE = 16;

    private final List<Integer> packets;
    private final List<Integer> singles;
    private final int unroll;

    FlatKernel(KernelSpec spec, Loops loops, int vector) {
        super(spec, loops, vector);
        this.packets = varying().stream().filter(loops::isDense).toList();
        this.singles = varying().stream().filter(k -> !loops.isDense(k)).toList();
        this.unroll = singles.isEmpty() ? unroll() : Math.max(1, Math.min(unroll(), MOST_SINGLE / vector));
        for (int loop = 1; loop < loops.rank(); loop++) {
            int at = loop;
            parameters.word("n" + loop, piece -> piece.sizes()[at]);
        }
        parameters.word("packets", piece -> piece.elements() / vector);
        parameters.word("elements", Piece::elements);
    }

    @Override
    String family() {
        return singles.isEmpty() ? "contiguous" : "flat";
    }

    @Override
    String about() {
        return "packets of " + vector + (singles.isEmpty() ? "" : ", broadcast operands singly");
    }

    @Override
    long blocks(Piece piece) {
        return Math.max(1, CudaLaunch.ceilDiv(piece.elements() / vector, (long) THREADS * unroll));
    }

    @Override
    String kernel(String entry) {
        CodeText code = new CodeText();
        code.line("// %d packets; the last tile has those that are left, and the elements behind them."
                .formatted(THREADS * unroll));
        code.open("template <bool LAST> BL_DEVICE void tile(const Par& p)");
        code.line("const u32 first = blockIdx.x * %d + threadIdx.x;".formatted(THREADS * unroll));
        declareError(code);
        loadConstants(code);
        packets.forEach(k -> code.line("%s %s[%d];".formatted(packetType(k), stream(k), unroll)));
        singles.forEach(k -> code.line("%s %s[%d][%d];".formatted(type(k), stream(k), unroll, vector)));
        if (!varying().isEmpty()) {
            openPackets(code);
            loads(code);
            code.close();
        }
        openPackets(code);
        store(code);
        code.close();
        tail(code);
        reportError(code);
        code.close();
        rowOfTiles(code, entry);
        return code.toString();
    }

    private void openPackets(CodeText code) {
        code.unrolled("u", unroll);
        code.line("const u32 packet = first + u * %d;".formatted(THREADS));
        code.line("if (LAST && packet >= p.packets) break;");
    }

    private void loads(CodeText code) {
        for (int k : packets) {
            code.line("%s[u] = bl_stream<%d>(p.%s + packet * %d);".formatted(stream(k), vector, stream(k), vector));
        }
        if (!singles.isEmpty()) {
            code.line("const u32 element = packet * %d;".formatted(vector));
            Indices.OF_ELEMENT.declareCarried(code, "element", loops, singles);
            code.unrolled("j", vector);
            singles.forEach(k -> code.line("%s[u][j] = %s;".formatted(stream(k), load(k, offset(k, 1)))));
            Indices.OF_ELEMENT.advance(code, loops, singles);
            code.close();
        }
    }

    private void store(CodeText code) {
        code.line("%s y;".formatted(packetType(loops.result())));
        code.line("#pragma unroll");
        List<String> elements = operands().stream()
                .map(k -> stream(k) + (packets.contains(k) ? "[u].e[j]" : singles.contains(k) ? "[u][j]" : ""))
                .toList();
        code.line("for (u32 j = 0; j < %d; j++) y.e[j] = %s;".formatted(vector, value(elements)));
        code.line("bl_store(p.y + packet * %d, y);".formatted(vector));
    }

    private void tail(CodeText code) {
        code.line("const u32 element = p.packets * %d + threadIdx.x;".formatted(vector));
        code.open("if (LAST && element < p.elements)");
        List<String> elements = operands().stream()
                .map(k -> loops.isConstant(k) ? stream(k) : load(k, loops.isDense(k) ? "element" : offset(k, 1)))
                .toList();
        String store = "__stcs(p.y + element, " + value(elements) + ");";
        Indices.OF_ELEMENT.declare(code, "element", loops.rank(), store);
        code.line(store);
        code.close();
    }
}
