package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.FoldForm.Leaf;
import java.util.ArrayList;
import java.util.List;

/**
 * The kernel of one launch of a fold, as CUDA C: a team of lanes finds its line, or its range of one, folds it, and stores what comes
 * out. How values are folded depends on whether their order shows; see {@link OrderedFoldText} and {@link FreeFoldText}.
 */
abstract class FoldKernelText {
    static final int THREADS = 256;
    static final String ENTRY = "bl_fold";

    /** What becomes of a finished accumulator. */
    enum Target {
        RESULT,
        NODE,
        /** Each lane of the team has it: what folds is a function of a kernel that goes on. */
        RETURNED,
        /** It is a value of the next fold of the same kernel. */
        SHARED
    }

    final FoldStage stage;
    final FoldType type;
    final FoldForm form;
    final FoldLineText line;
    final FoldPartText part;
    private final Target target;

    FoldKernelText(FoldStage stage, Target target) {
        this.stage = stage;
        this.type = stage.type();
        this.form = stage.form();
        this.line = new FoldLineText(stage.source(), type, form);
        this.part = target == Target.SHARED ? FoldPartText.ofWarp() : stage.part();
        this.target = target;
    }

    static FoldKernelText of(FoldStage stage, Target target) {
        return stage.type().isExact() ? new FreeFoldText(stage, target) : new OrderedFoldText(stage, target);
    }

    abstract String steps();

    /** The statements that fold {@code count} values from the {@code first}, and store what they become. */
    abstract String body();

    /** Adds what the kernel needs to its parameters: where results and nodes go, and how many values are in each that comes. */
    void declare(KernelParameters parameters, List<Address> results, List<Address> nodes, double weight) {
        line.declare(parameters);
        storing().declare(parameters, results, nodes);
        parameters.number("weight", weight);
        parameters.index("jobs", stage.jobs());
        parameters.index("levels", stage.levels());
        stage.declare(parameters);
    }

    private FoldStoreText storing() {
        return new FoldStoreText(type, form.columns(), target);
    }

    String text() {
        return functions() + "\n" + storing().function() + "\n" + kernel();
    }

    /**
     * The functions, the last of which is one of a line that is near: {@code fold} gives each lane what the line becomes, {@code leave} puts the nodes of
     * a warp's range behind those of the warps before it.
     */
    String folding() {
        boolean whole = target == Target.RETURNED;
        return functions()
                + (whole ? "\n" : "\n" + storing().function() + "\n")
                + "BL_DEVICE %s(const Par& p, const Line& at, u32 lane%s) {\n"
                        .formatted(
                                whole ? "acc fold" : "void leave",
                                (whole ? "" : ", u32 team, u32 warp") + line.errorParameter())
                + (whole ? "  const Index count = p.count;\n" : part.statements())
                + body()
                + "}\n";
    }

    private String functions() {
        List<String> parts = new ArrayList<>();
        parts.add(FoldStepText.accumulator(type, form.columns()));
        parts.add(steps());
        parts.add(line.functions());
        if (form.leaf() == Leaf.MOMENTS) {
            parts.add(new MomentBlocksText(type, form, line).functions());
        }
        return String.join("\n", parts.stream().filter(each -> !each.isEmpty()).toList());
    }

    private String kernel() {
        StringBuilder text = new StringBuilder(
                "extern \"C\" __global__ void __launch_bounds__(%s) %s(const Par p) {\n".formatted(bounds(), ENTRY));
        text.append(job()).append(part.statements());
        text.append("  const Line at = line_at(p, line);\n");
        return text.append(line.declareError())
                .append(body())
                .append(line.reportError())
                .append("}\n")
                .toString();
    }

    /** Behind the first launch threads are few, so that none needs to do with few registers. */
    private String bounds() {
        return stage.shift() == 0 ? "" + THREADS : THREADS + ", 1";
    }

    private String job() {
        String thread = "  const Index thread = (Index) blockIdx.x * %du + threadIdx.x;\n".formatted(THREADS);
        if (form.lanes() == 1) {
            return thread + "  const Index job = thread;\n  if (job >= p.jobs) {\n    return;\n  }\n";
        }
        return thread + """
              const Index team = thread / LANESu;
              const u32 lane = threadIdx.x % LANESu;
              const Index job = team < p.jobs ? team : p.jobs - 1u;  // a shuffle needs all lanes: some repeat the last job
            """.replace("LANES", Integer.toString(form.lanes()));
    }

    // ---- what folds have in common

    /** A call of {@code value} or {@code packet} for a place that is counted from the first of this team's values. */
    final String read(String function, String place) {
        return line.call(function, part.place(place));
    }

    final String read(String function, int width) {
        String own = form.lanes() > 1 ? " + lane" + (width > 1 ? " * " + width + "u" : "") : "";
        return read(function, "j" + own);
    }

    final String readStep() {
        String packet = form.lanes() > 1 ? "(u * " + form.lanes() + "u + lane)" : "u";
        String place = "j + " + packet + (form.packet() > 1 ? " * " + form.packet() + "u" : "");
        return """
                acc node[UNROLL];
            #pragma unroll
                for (u32 u = 0; u < UNROLLu; u++) {
                  node[u] = READ;
                }
            """.replace("UNROLL", Integer.toString(form.unroll())).replace("READ", read(packetFunction(), place));
    }

    final String packetFunction() {
        return form.packet() > 1 ? "packet" : "value";
    }

    static String loop(int step, String statements) {
        String loop = step == 1 ? "for (; j < count; j++)" : "for (; count - j >= %du; j += %du)".formatted(step, step);
        return "  " + loop + " {\n" + statements + "  }\n";
    }

    final String begin() {
        return form.columns() > 1
                ? "  acc total;\n#pragma unroll\n  for (u32 k = 0; k < %du; k++) {\n    total.c[k] = %s;\n  }\n"
                        .formatted(form.columns(), type.identity())
                : "  acc total = %s;\n".formatted(type.identity());
    }

    /** Stores an accumulator, by one lane of the team. */
    final String store(String place, String what) {
        if (target == Target.RETURNED) {
            return "return " + what + ";\n";
        }
        String call = "store(p, " + place + ", " + what + ");\n";
        String once = target == Target.SHARED ? "lane == 0u" : "lane == 0u && team == job";
        return form.lanes() > 1 ? "if (" + once + ") {\n  " + call + "}\n" : call;
    }
}
