package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.FoldKernelText.Target;
import io.github.broadloom.expr.Reduce;
import java.util.List;

/** The device function {@code store}, which writes finished accumulators: as elements of the result, or as nodes for the next launch. */
record FoldStoreText(FoldType type, int columns, Target target) {
    void declare(KernelParameters parameters, List<Address> results, List<Address> nodes) {
        for (int c = 0; c < nodes.size(); c++) {
            parameters.pointer(type.nodeTypes().get(c).cudaName(), "node" + c, nodes.get(c));
        }
        for (int r = 0; r < results.size(); r++) {
            Reduce reduce = type.reductions().get(r);
            parameters.pointer(reduce.dtype().cudaName(), "result" + number(r), results.get(r));
            parameters.number("divisor" + number(r), Math.max(0, reduce.reducedCount() - reduce.correction()));
        }
    }

    private String number(int reduction) {
        return type.reductions().size() == 1 ? "" : "" + reduction;
    }

    String function() {
        String begin = "BL_DEVICE void store(const Par& p, Index place, acc total) {\n";
        if (columns == 1) {
            return begin + statements("place", "total").indent(2) + "}\n";
        }
        return begin + "#pragma unroll\n  for (u32 k = 0; k < %du; k++) {\n".formatted(columns)
                + statements("(place + k)", "total.c[k]").indent(4) + "  }\n}\n";
    }

    private String statements(String place, String acc) {
        StringBuilder text = new StringBuilder();
        if (target == Target.RESULT) {
            for (int r = 0; r < type.reductions().size(); r++) {
                String element = type.result(type.reductions().get(r), acc, "p.divisor" + number(r));
                text.append("__stcs(p.result%s + %s, %s);\n".formatted(number(r), place, element));
            }
            return text.toString();
        }
        List<String> components = type.components(acc);
        for (int c = 0; c < components.size(); c++) {
            String store = target == Target.SHARED ? "node%d[%s] = %s;\n" : "__stcg(p.node%d + %s, %s);\n";
            text.append(store.formatted(c, place, components.get(c)));
        }
        return text.toString();
    }
}
