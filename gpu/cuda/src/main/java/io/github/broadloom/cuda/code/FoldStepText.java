package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.FoldForm.Leaf;

/**
 * The device functions that join accumulators in the order of the values: {@code joined} what one lane has, {@code gather} what the lanes
 * of a team have, {@code push} and {@code settle} what came before with what comes next. They are the pairwise tree of the CPU: a
 * node of level l is the join of two neighbours of level l - 1, and what makes no whole node in the end is joined from the left.
 */
record FoldStepText(FoldType type, FoldForm form, int levels) {
    /** The definition of {@code acc}, what a lane folds at a time: so many results; and of its joins. */
    static String accumulator(FoldType type, int columns) {
        return columns == 1
                ? type.declaration()
                : type.declaration().replaceAll("\\bacc\\b", "one") + "\n"
                        + COLUMNS.replace("COLUMNS", Integer.toString(columns));
    }

    String ordered() {
        String own = form.isWarp() ? SETTLE + FROM_OTHERS + "\n" + PUSH_ACROSS : SETTLE + FROM_EACH + "\n" + PUSH;
        return gathers()
                + weighed(form.lanes() > 1 ? own : PUSH)
                        .replace("STACK", form.isWarp() ? "acc& stack" : "acc (&stack)[LEVELS]")
                        .replace("LEVELS", Integer.toString(levels))
                        .replace("LANE_BITS", Integer.toString(Integer.numberOfTrailingZeros(form.lanes())));
    }

    /** Those of them that join what the lanes of a team have. */
    String gathers() {
        StringBuilder text = new StringBuilder();
        boolean values = form.leaf() == Leaf.VALUE; // blocks of moments have functions of their own
        int inLane = Math.max(form.packet(), form.unroll() / Math.min(form.unroll(), form.lanes()));
        if (values && inLane > 1) {
            text.append(weighed(JOINED)).append('\n');
        }
        if (form.lanes() > 1) {
            text.append(lanes()).append('\n');
            text.append(weighed(values && form.unroll() > 1 ? MEET + "\n" + HALVE + "\n" + gather() : MEET))
                    .append('\n');
            text.append(weighed(gatherOne())).append('\n');
        }
        return text.toString();
    }

    /** The functions for a thread that folds lines by itself, in an order that shows, and no moments; the levels above the stack are in local memory. */
    static String stack(int levels, int rest) {
        String joined = JOINED.replaceAll("\\{[^{}\\n]*\\bn\\}|\\{twice\\}", "");
        return (joined + "\n" + PUSH_FAR)
                .replace("LEVELS", Integer.toString(levels))
                .replace("REST", Integer.toString(rest));
    }

    String free() {
        String joined = form.packet() > 1 || form.unroll() > 1 ? weighed(JOINED) : "";
        return form.lanes() == 1 ? joined : joined + (joined.isEmpty() ? "" : "\n") + lanes();
    }

    /** The arguments and statements that count the values in each node, where joins ask. */
    private String weighed(String text) {
        boolean asks = type.isMoments();
        String ordered =
                asks ? "(lane & distance) != 0u ? join(other, own, n) : join(own, other, n)" : "join(own, other)";
        return text.replace("{in order}", ordered)
                .replace("{, 2 n}", asks ? ", n * 2.0" : "")
                .replace("{, n}", asks ? ", n" : "")
                .replace("{, double n}", asks ? ", double n" : "")
                .replace("{twice}", asks ? "    n *= 2.0;\n" : "")
                .replace("{again}", asks ? "  n *= 2.0;\n" : "");
    }

    private String lanes() {
        String across = type.each("own", each -> "__shfl_xor_sync(0xffffffffu, " + each + ", distance)");
        String from = type.each("own", each -> "__shfl_sync(0xffffffffu, " + each + ", lane, " + form.lanes() + ")");
        return """
            // What the lane at that distance has.
            BL_DEVICE acc across(acc own, u32 distance) {
              return ACROSS;
            }

            // What that lane of the team has.
            BL_DEVICE acc from_lane(acc own, u32 lane) {
              return FROM;
            }
            """.replace("ACROSS", across).replace("FROM", from);
    }

    /**
     * With several packets in each lane, a lane keeps half of them and sends the other half, until it has one: far fewer shuffles than
     * to join each packet's accumulators by themselves. The halves meet last, for the packets of all lanes follow each other.
     */
    private String gather() {
        StringBuilder text =
                new StringBuilder("// What the lanes have of %d packets each, joined in the order of the values.\n"
                        .formatted(form.unroll()));
        text.append("BL_DEVICE acc gather(acc (&v)[%d], u32 lane{, double n}) {\n".formatted(form.unroll()));
        int left = form.unroll();
        int distance = 1;
        for (; left > 1 && distance < form.lanes(); distance *= 2) {
            left /= 2;
            text.append("  halve<%d>(v, lane, %du{, n});\n".formatted(left, distance))
                    .append("{again}");
        }
        int halved = distance;
        String node = "v[0]";
        if (left > 1) { // fewer lanes than packets
            text.append("  acc rest[%d];\n#pragma unroll\n  for (u32 k = 0; k < %du; k++) {\n    rest[k] = v[k];\n  }\n"
                    .formatted(left, left));
            node = "joined(rest{, n})";
        }
        text.append("  acc node = %s;\n".formatted(node));
        if (left > 1 && type.isMoments()) {
            text.append("  n *= %d.0;\n".formatted(left));
        }
        text.append(meets(distance));
        for (distance = halved / 2; distance > 0; distance /= 2) {
            text.append(meet(distance));
        }
        return text.append("  return node;\n}\n").toString();
    }

    private String gatherOne() {
        return """
            // What the lanes have, joined in their order.
            BL_DEVICE acc gather(acc node, u32 lane{, double n}) {
            """ + meets(1) + "  return node;\n}\n";
    }

    private String meets(int from) {
        StringBuilder text = new StringBuilder();
        for (int distance = from; distance < form.lanes(); distance *= 2) {
            text.append(meet(distance));
        }
        return text.toString();
    }

    private static String meet(int distance) {
        return "  node = meet(node, lane, %du{, n});\n{again}".formatted(distance);
    }

    private static final String COLUMNS = """
        // The accumulators of neighbouring lines.
        struct acc {
          one c[COLUMNS];
        };

        BL_DEVICE acc join(acc a, acc b) {
          acc both;
        #pragma unroll
          for (u32 k = 0; k < COLUMNSu; k++) {
            both.c[k] = join(a.c[k], b.c[k]);
          }
          return both;
        }
        """;

    private static final String JOINED = """
        // Neighbours in one lane.
        template <int N>
        BL_DEVICE acc joined(acc (&v)[N]{, double n}) {
        #pragma unroll
          for (int step = 1; step < N; step *= 2) {
        #pragma unroll
            for (int k = 0; k < N; k += 2 * step) {
              v[k] = join(v[k], v[k + step]{, n});
            }
        {twice}  }
          return v[0];
        }
        """;

    private static final String MEET = """
        // Both lanes at that distance get the join; the lower one has what comes first.
        BL_DEVICE acc meet(acc own, u32 lane, u32 distance{, double n}) {
          const acc other = across(own, distance);
          return {in order};
        }
        """;

    private static final String HALVE = """
        // The lower lane keeps the first N of 2 N, and the upper one the others, each joined with the other lane's.
        template <int N, int ALL>
        BL_DEVICE void halve(acc (&v)[ALL], u32 lane, u32 distance{, double n}) {
        #pragma unroll
          for (int k = 0; k < N; k++) {
            const bool upper = (lane & distance) != 0u;
            const acc own = upper ? v[k + N] : v[k];
            const acc other = across(upper ? v[k] : v[k + N], distance);
            v[k] = {in order};
          }
        }
        """;

    private static final String SETTLE = """
        // The last values, one in each lane and fewer than there are lanes: as many nodes as their number has binary digits.
        BL_DEVICE void settle(STACK, acc node, u32 lane, u32 values{, double n}) {
        #pragma unroll
          for (u32 level = 0; level < LANE_BITSu; level++) {
            const acc both = meet(node, lane, 1u << level{, n});
            if (((lane >> (level + 1u)) + 1u) << (level + 1u) <= values) {
              node = both;
            }
        {twice}  }
        """;

    private static final String FROM_EACH = """
        #pragma unroll
          for (u32 level = 0; level < LANE_BITSu; level++) {
            stack[level] = from_lane(node, values >> (level + 1u) << (level + 1u));
          }
        }
        """;

    private static final String FROM_OTHERS = """
          const u32 level = lane < LANE_BITSu ? lane : 0u;
          node = from_lane(node, values >> (level + 1u) << (level + 1u));
          if (level == lane) {
            stack = node;
          }
        }
        """;

    private static final String PUSH_ACROSS = """
        // Takes the node of the 2^level values from the j-th on, as a binary counter counts: neighbours are joined at once. Each lane has the
        // latest node of the level that is its number.
        BL_DEVICE void push(acc& stack, u32 lane, u32 level, Index j, acc node{, double n}) {
          for (; (j >> level & 1u) != 0u; level++) {
            node = join(from_lane(stack, level), node{, n});
        {twice}  }
          if (level == lane) {
            stack = node;
          }
        }
        """;

    // A recursion and no loop: each place of the stack is then a register.
    private static final String PUSH = """
        // Takes the node of the 2^LEVEL values from the j-th on, as a binary counter counts: neighbours are joined at once.
        template <u32 LEVEL>
        BL_DEVICE void push(acc (&stack)[LEVELS], Index j, acc node{, double n}) {
          if constexpr (LEVEL < LEVELSu) {
            if ((j >> LEVEL & 1u) == 0u) {
              stack[LEVEL] = node;
            } else {
              push<LEVEL + 1u>(stack, j, join(stack[LEVEL], node{, n}){, 2 n});
            }
          }
        }
        """;

    // What is above the stack comes seldom, so that it need not be in registers: a loop puts it into local memory.
    private static final String PUSH_FAR = """
        // Takes the node of the 2^LEVEL values from the j-th on, as a binary counter counts: neighbours are joined at once.
        template <u32 LEVEL>
        BL_DEVICE void push(acc (&stack)[LEVELS], acc (&rest)[REST], Index j, acc node) {
          if constexpr (LEVEL < LEVELSu) {
            if ((j >> LEVEL & 1u) == 0u) {
              stack[LEVEL] = node;
            } else {
              push<LEVEL + 1u>(stack, rest, j, join(stack[LEVEL], node));
            }
          } else {
            u32 level = 0;
            for (; (j >> (level + LEVEL) & 1u) != 0u; level++) {
              node = join(rest[level], node);
            }
            rest[level] = node;
          }
        }
        """;
}
