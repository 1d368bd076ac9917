package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.FoldForm.Direction;
import io.github.broadloom.cuda.code.FoldForm.Leaf;
import io.github.broadloom.cuda.code.FoldKernelText.Target;
import java.util.List;
import java.util.Optional;

/**
 * The kernel that scans ranges of lines, as CUDA C: a thread goes along a range of 2^level values and stores the prefix that ends with
 * each. Neighbouring threads take the same range of lines, which may be neighbours in memory. Where the values of a line are neighbours
 * instead, the lanes of a warp read and store those of one range after the other, and shared memory turns them.
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

    /** Neighbours of a range that a warp reads together: a sector of memory or more. */
    private static final int SPAN = 16;

    private long ranges() {
        return CudaLaunch.ceilDiv(source.length(), 1L << level);
    }

    long threads() {
        return source.lines() * ranges();
    }

    /** Whether the values of a line are neighbours in memory, and so are the results. */
    private boolean isAlongMemory() {
        return inner == 1
                && source.operands().stream()
                        .allMatch(operand -> operand.innermost(true) == 0 || operand.innermost(true) == 1);
    }

    private FoldLineText line() {
        return new FoldLineText(source, type, new FoldForm(Direction.ALONG, Leaf.VALUE, 1, 1, 1));
    }

    private FoldStoreText store() {
        return new FoldStoreText(type, 1, target);
    }

    void declare(KernelParameters parameters, Address result) {
        line().declare(parameters);
        store().declare(parameters, List.of(result), target == Target.NODE ? List.of(result) : List.of());
        prefixes.ifPresent(
                address -> parameters.pointer("const " + type.nodeTypes().get(0).cudaName(), "prefixes", address));
        parameters.index("jobs", threads());
        parameters.index("count", source.length());
        parameters.index("lines", source.lines());
        parameters.index("inner", inner);
    }

    String text() {
        FoldLineText line = line();
        String kernel = isAlongMemory() ? TURNED : IN_PLACE;
        return String.join(
                "\n",
                FoldStepText.accumulator(type, 1),
                ADVANCE.replace("LEVELS", Integer.toString(level)),
                line.functions(),
                store().function(),
                kernel.replace("{begin}", BEGIN)
                        .replace("{before}", prefixes.isPresent() ? BEFORE : "")
                        .replace("{whole}", prefixes.isEmpty() ? "" : isAlongMemory() ? WHOLE_TURNED : WHOLE)
                        .replace("{error}", line.declareError())
                        .replace("{report}", line.reportError())
                        .replace("{several}", line.call("value", "first + j + u"))
                        .replace("{one}", line.call("value", "first + j"))
                        .replace("{of row}", line.call("value", "begin + j + column"))
                        .replace("NEUTRAL", type.ofEach(FoldAccumulator::neutral))
                        .replace("LEVELS", Integer.toString(level))
                        .replace("UNROLL", Integer.toString(UNROLL))
                        .replace("SPAN", Integer.toString(SPAN))
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

    private static final String BEGIN = """
          const Index line = job % p.lines;
          const Index range = job / p.lines;
          const Index first = range << LEVELSu;
          const Index left = p.count - first;
          const Index count = left >> LEVELSu != 0u ? (Index) 1 << LEVELSu : left;
        {error}  acc start = NEUTRAL;
        {before}  acc latest[LEVELS];
          acc before[LEVELS + 1];
        #pragma unroll
          for (u32 level = 0; level <= LEVELSu; level++) {
            before[level] = start;
          }
        """;

    private static final String IN_PLACE = """
        extern "C" __global__ void __launch_bounds__(THREADS) ENTRY(const Par p) {
          const Index job = (Index) blockIdx.x * THREADSu + threadIdx.x;
          if (job >= p.jobs) {
            return;
          }
        {begin}  const Line at = line_at(p, line);
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

    private static final String TURNED = """
        extern "C" __global__ void __launch_bounds__(THREADS) ENTRY(const Par p) {
          __shared__ acc rows[THREADS][SPAN + 1];  // one for each thread's range; neighbours begin in different banks
          const Index thread = (Index) blockIdx.x * THREADSu + threadIdx.x;
          const Index job = thread < p.jobs ? thread : p.jobs - 1u;  // a warp's lanes work for each other: some repeat the last job
        {begin}  const Index own = thread < p.jobs ? count : 0u;
          const u32 row = threadIdx.x / 32u * 32u + threadIdx.x % 32u / SPANu;
          const u32 column = threadIdx.x % SPANu;
          for (Index j = 0; __any_sync(0xffffffffu, j < own); j += SPANu) {
            acc v[SPAN];
        #pragma unroll
            for (u32 u = 0; u < SPANu; u++) {
              const u32 lane = (row + u * (32u / SPANu)) % 32u;
              const Index end = __shfl_sync(0xffffffffu, own, lane);
              const Index begin = __shfl_sync(0xffffffffu, first, lane);
              const Line at = line_at(p, __shfl_sync(0xffffffffu, line, lane));
              v[u] = NEUTRAL;
              if (j + column < end) {
                v[u] = {of row};
              }
            }
        #pragma unroll
            for (u32 u = 0; u < SPANu; u++) {
              rows[row + u * (32u / SPANu)][column] = v[u];
            }
            __syncwarp();
        #pragma unroll
            for (u32 k = 0; k < SPANu; k++) {
              if (j + k < own) {
                rows[threadIdx.x][k] = advance<0u>(latest, before, j + k, rows[threadIdx.x][k]);
              }
            }
        {whole}    __syncwarp();
        #pragma unroll
            for (u32 u = 0; u < SPANu; u++) {
              const u32 from = row + u * (32u / SPANu);
              const Index end = __shfl_sync(0xffffffffu, own, from % 32u);
              const Index begin = __shfl_sync(0xffffffffu, first, from % 32u);
              const Index whose = __shfl_sync(0xffffffffu, line, from % 32u);
              if (j + column < end) {
                store(p, whose * p.count + begin + j + column, rows[from][column]);
              }
            }
            __syncwarp();
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

    private static final String WHOLE_TURNED = """
            if (j + SPANu == (Index) 1 << LEVELSu && count >> LEVELSu != 0u) {
              rows[threadIdx.x][SPAN - 1] = __ldg(p.prefixes + range * p.lines + line);
            }
        """;
}
