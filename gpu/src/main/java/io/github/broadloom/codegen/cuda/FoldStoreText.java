package io.github.broadloom.codegen.cuda;

import io.github.broadloom.codegen.cuda.CudaArgument.Address;
import io.github.broadloom.codegen.cuda.FoldKernelText.Target;
import java.util.List;

/** The device function {@code store}, which writes finished accumulators: as elements of the result, or as nodes for the next launch. */
final class FoldStoreText {
    private final FoldType type;
    private final int columns;
    private final Target target;

    /** @param columns how many results an {@code acc} has */
    FoldStoreText(FoldType type, int columns, Target target) {
        this.type = type;
        this.columns = columns;
        this.target = target;
    }

    void declare(KernelParameters parameters, Address result, List<Address> nodes, double divisor) {
        for (int c = 0; c < nodes.size(); c++) {
            parameters.pointer(type.nodeTypes().get(c), "node" + c, nodes.get(c));
        }
        parameters.pointer(type.resultType(), "result", result);
        parameters.number("divisor", divisor);
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
        if (target == Target.RESULT) {
            return "__stcs(p.result + %s, %s);\n".formatted(place, type.result(acc));
        }
        StringBuilder text = new StringBuilder();
        for (int c = 0; c < type.components(); c++) {
            text.append("__stcg(p.node%d + %s, %s);\n".formatted(c, place, type.component(c, acc)));
        }
        return text.toString();
    }
}
