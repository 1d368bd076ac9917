package io.github.broadloom.codegen.cuda;

import io.github.broadloom.codegen.cuda.CudaArgument.Address;
import io.github.broadloom.codegen.cuda.FoldForm.Direction;
import io.github.broadloom.codegen.cuda.FoldForm.Leaf;
import io.github.broadloom.codegen.cuda.FoldKernelText.Target;
import java.util.List;
import java.util.Optional;

/**
 * The kernel that scans ranges of lines, as CUDA C: a thread goes along a range of 2^level values and stores the prefix that ends with
 * each. Neighbouring threads take the same range of lines, which may be neighbours in memory.
 *
 * <p>The prefix of n values is that of the n &amp; (n - 1) before it, joined with the node that is the rest, as on the CPU. So a thread keeps for
 * each level the latest node, and the prefix that ends before it.
 *
 * @param source the lines
 * @param inner how many of the neighbouring lines lie between one result of a line and the next
 * @param prefixes where the prefixes are that end with each whole range; empty where a line is a single range, and not whole
 */
record ScanKernelText(
        FoldSource source, FoldType type, long inner, int level, Optional<Address> prefixes, Target target) {
    static final int THREADS = 256;
    static final String ENTRY = "bl_scan";

    /** Values that are read before the first is used. */
    private static final int UNROLL = 8;

    /** How many ranges a line has. */
    private long ranges() {
        return (source.length() + (1L << level) - 1) >>> level;
    }

    /** One for each range of each line. */
    long threads() {
        return source.lines() * ranges();
    }

    private FoldLineText line() {
        return new FoldLineText(source, new FoldForm(Direction.ALONG, Leaf.VALUE, 1, 1, 1));
    }

    private FoldStoreText store() {
        return new FoldStoreText(type, 1, target);
    }

    /** Adds what the kernel needs to its parameters. */
    void declare(KernelParameters parameters, Address result) {
        line().declare(parameters);
        store().declare(parameters, result, target == Target.NODE ? List.of(result) : List.of(), 1);
        prefixes.ifPresent(
                address -> parameters.pointer("const " + type.nodeTypes().get(0), "prefixes", address));
        parameters.index("jobs", threads());
        parameters.index("count", source.length());
        parameters.index("lines", source.lines());
        parameters.index("inner", inner);
    }

    /** The functions and the kernel: the translation unit but the prelude and the struct {@code Par}. */
    String text() {
        FoldLineText line = line();
        return String.join(
                "\n",
                FoldStepText.accumulator(type, 1),
                ADVANCE.replace("LEVELS", Integer.toString(level)),
                line.functions(),
                store().function(),
                (prefixes.isPresent() ? KERNEL.replace("{before}", BEFORE).replace("{whole}", WHOLE) : KERNEL)
                        .replace("{before}", "")
                        .replace("{whole}", "")
                        .replace("{error}", line.mayFail() ? "  bool bl_error = false;\n" : "")
                        .replace("{report}", line.mayFail() ? "  if (bl_error) {\n    __stcg(p.error, 1u);\n  }\n" : "")
                        .replace("{several}", line.call("value", "first + j + u"))
                        .replace("{one}", line.call("value", "first + j"))
                        .replace("NEUTRAL", type.neutral())
                        .replace("LEVELS", Integer.toString(level))
                        .replace("UNROLL", Integer.toString(UNROLL))
                        .replace("THREADS", Integer.toString(THREADS))
                        .replace("ENTRY", ENTRY));
    }

    // A recursion and no loop: each place of the arrays is then a register.
    private static final String ADVANCE = """
            // The prefix that ends with the j-th value of a range, or with the node that ends there; before[LEVEL] is the latest that ends with
            // a whole node of that level.
            template <u32 LEVEL>
            BL_DEVICE acc advance(acc (&latest)[LEVELS], acc (&before)[LEVELS + 1], Index j, acc node) {
              acc prefix = node;
              if constexpr (LEVEL < LEVELSu) {
                if ((j >> LEVEL & 1u) == 0u) {
                  latest[LEVEL] = node;
                  prefix = join(before[LEVEL + 1u], node);
                } else {
                  prefix = advance<LEVEL + 1u>(latest, before, j, join(latest[LEVEL], node));
                }
              }
              before[LEVEL] = prefix;
              return prefix;
            }
            """;

    private static final String KERNEL = """
            extern "C" __global__ void __launch_bounds__(THREADS) ENTRY(const Par p) {
              const Index job = (Index) blockIdx.x * THREADSu + threadIdx.x;
              if (job >= p.jobs) {
                return;
              }
              const Index line = job % p.lines;
              const Index range = job / p.lines;
              const Index first = range << LEVELSu;
              const Index left = p.count - first;
              const Index count = left >> LEVELSu != 0u ? (Index) 1 << LEVELSu : left;
              const Line at = line_at(p, line);
            {error}  acc start = NEUTRAL;
            {before}  acc latest[LEVELS];
              acc before[LEVELS + 1];
            #pragma unroll
              for (u32 level = 0; level <= LEVELSu; level++) {
                before[level] = start;
              }
              Index place = line / p.inner * p.inner * p.count + line % p.inner + first * p.inner;
              Index j = 0;
              for (; count - j >= UNROLLu; j += UNROLLu) {
                acc v[UNROLL];
            #pragma unroll
                for (u32 u = 0; u < UNROLLu; u++) {
                  v[u] = {several};
                }
            #pragma unroll
                for (u32 u = 0; u < UNROLLu; u++) {
                  v[u] = advance<0u>(latest, before, j + u, v[u]);
                }
            {whole}#pragma unroll
                for (u32 u = 0; u < UNROLLu; u++) {
                  store(p, place, v[u]);
                  place += p.inner;
                }
              }
              for (; j < count; j++) {
                store(p, place, advance<0u>(latest, before, j, {one}));
                place += p.inner;
              }
            {report}}
            """;

    private static final String BEFORE = """
              if (range > 0u) {
                start = __ldg(p.prefixes + (range - 1u) * p.lines + line);
              }
            """;

    // Nodes of several ranges are in it.
    private static final String WHOLE = """
                if (j + UNROLLu == (Index) 1 << LEVELSu) {
                  v[UNROLL - 1] = __ldg(p.prefixes + range * p.lines + line);
                }
            """;
}
