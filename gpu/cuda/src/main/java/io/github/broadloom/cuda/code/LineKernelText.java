package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduce;
import java.util.List;

/**
 * The kernel of {@link LineLaunches} as CUDA C, put together step by step: functions in namespaces, and the statements that call them. What is
 * near is {@code near0} and so on by the number of the leaf, a reduction's result {@code folded0} and so on.
 */
final class LineKernelText {
    static final String ENTRY = "bl_lines";

    private final LineTeam team;
    private final KernelParameters parameters;
    private final StringBuilder functions = new StringBuilder();
    private final StringBuilder body = new StringBuilder();
    private boolean mayFail;
    private boolean moments;

    LineKernelText(LineTeam team, KernelParameters parameters) {
        this.team = team;
        this.parameters = parameters;
    }

    /** Copies a leaf, behind so many packets of 16 bytes in what the team has of shared memory. */
    void copy(int leaf, DType dtype, LineWriteText copy, long packets) {
        String name = "copy" + leaf;
        String near = "near" + leaf;
        String type = dtype.cudaName();
        add(name, copy);
        index("begin" + leaf, packets);
        body.append("  %s* %s = (%s*) (memory + team * p.packets + p.begin%d);\n".formatted(type, near, type, leaf));
        body.append("  %s::write(p, %s::line_at(p, line), %s, lane);\n".formatted(name, name, near));
    }

    void meet() {
        body.append(team.warps() == 1 ? "  __syncwarp();\n" : "  __syncthreads();\n");
    }

    /** Folds what is {@code near} and {@code folded}; results are numbered as all reductions of the kernel are. */
    void fold(LineFoldText fold, List<String> near, List<Reduce> all) {
        functions.append(fold.functions(parameters));
        mayFail |= fold.mayFail();
        moments |= fold.type.isMoments();
        body.append(fold.call(lineAt(fold.name, near)).indent(2));
        for (Reduce reduce : fold.type.reductions()) {
            int r = all.indexOf(reduce);
            parameters.prefix("");
            parameters.number("divisor" + r, Math.max(0, reduce.reducedCount() - reduce.correction()));
            body.append("  const %s folded%d = %s;\n"
                    .formatted(
                            reduce.dtype().cudaName(),
                            r,
                            fold.type.result(reduce, fold.name + "_total", "p.divisor" + r)));
        }
    }

    void result(DType dtype, LineWriteText result, List<String> near, Address address) {
        add("result", result);
        mayFail |= result.line.mayFail();
        parameters.pointer(dtype.cudaName(), "result", address);
        body.append("  if (own == line) {\n    result::write(p, %s, p.result + line * p.count, lane%s);\n  }\n"
                .formatted(lineAt("result", near), result.line.errorArgument()));
    }

    private void add(String name, LineWriteText write) {
        parameters.prefix(name + "_");
        write.declare(parameters);
        functions.append(LineFoldText.within(name, write.functions()));
        parameters.prefix("");
    }

    private static String lineAt(String name, List<String> near) {
        String arguments = near.isEmpty() ? "" : ", " + String.join(", ", near);
        return name + "::line_at(p, line" + arguments + ")";
    }

    void index(String name, long value) {
        parameters.prefix("");
        parameters.index(name, value);
    }

    /** A compiler would rather spill than leave room for two blocks alone, where moments have nodes in registers beside them. */
    private String bounds() {
        boolean roomy = moments && team.threads() != FoldForm.WARP;
        return LineTeam.THREADS + (roomy ? ", 2" : "");
    }

    String text(int packets) {
        String head = """
            extern "C" __global__ void __launch_bounds__(BOUNDS) ENTRY(const Par p) {
              __shared__ uint4 memory[PACKETS];
              const u32 lane = threadIdx.x % TEAMu;
              const u32 team = threadIdx.x / TEAMu;
              const Index own = (Index) blockIdx.x * IN_BLOCKu + team;
              const Index line = own < p.lines ? own : p.lines - 1u;  // all threads meet: some repeat the last line
            """.replace("BOUNDS", bounds())
                .replace("ENTRY", ENTRY)
                .replace("PACKETS", "" + packets)
                .replace("TEAM", "" + team.threads())
                .replace("IN_BLOCK", "" + team.inBlock());
        String before = mayFail ? "  bool bl_error = false;\n" : "";
        String after = mayFail ? "  if (bl_error) {\n    __stcg(p.error, 1u);\n  }\n" : "";
        return functions + head + before + body + after + "}\n";
    }
}
