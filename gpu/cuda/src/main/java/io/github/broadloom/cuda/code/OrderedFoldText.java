package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.FoldForm.Leaf;
import io.github.broadloom.kernels.reduce.PairwiseTree;

/**
 * A fold whose order shows: sums and products of floating values, and moments. Aligned blocks of values become nodes, which go onto a
 * stack; what is left at the end are as many nodes as the number of values has binary digits. Of a whole line they are joined from
 * the left; those of a range are left in memory, and the next launch goes on from there.
 */
final class OrderedFoldText extends FoldKernelText {
    private final FoldStepText steps;

    OrderedFoldText(FoldStage stage, Target target) {
        super(stage, target);
        this.steps = new FoldStepText(type, form, stage.levels());
    }

    @Override
    String steps() {
        return steps.ordered();
    }

    @Override
    String body() {
        String stack = form.isWarp() ? " stack = " + type.identity() : " stack[" + stage.levels() + "]";
        return "  acc" + stack + ";\n  Index j = 0;\n" + values() + (part.isWhole() ? total() : leaveNodes());
    }

    private String values() {
        StringBuilder text = new StringBuilder();
        int lanes = form.lanes();
        int packet = form.packet();
        boolean moments = form.leaf() == Leaf.MOMENTS;
        if (moments && form.unroll() > 1) {
            text.append(loop(form.step(), push(form.step(), read("blocks", "j"))));
        }
        if (moments) {
            text.append(loop(PairwiseTree.BLOCK, push(PairwiseTree.BLOCK, read("block", "j"))));
        } else if (form.unroll() > 1) {
            String all = lanes > 1 ? "gather(node, lane" + n(packet) + ")" : "joined(node" + n(packet) + ")";
            text.append(loop(form.step(), readStep() + push(form.step(), all)));
        }
        if (packet > 1 && !moments) {
            text.append(loop(lanes * packet, push(lanes * packet, gathered(read("packet", packet), packet))));
        }
        text.append(loop(lanes, push(lanes, gathered(read("value", 1), 1))));
        if (lanes > 1) {
            text.append("""
                  if (j < count) {
                    const u32 values = (u32) (count - j);
                    const u32 own = lane < values ? lane : values - 1u;
                    settle(stack, READ, lane, values{n});
                  }
                """.replace("READ", read("value", "j + own")).replace("{n}", n(1)));
        }
        return text.toString();
    }

    /** The argument that says how many values of the operand are in so many that come, where joins ask for it. */
    private String n(int values) {
        return type.isMoments() ? ", " + (values == 1 ? "" : values + ".0 * ") + "p.weight" : "";
    }

    private String gathered(String value, int packet) {
        return form.lanes() > 1 ? "gather(" + value + ", lane" + n(packet) + ")" : value;
    }

    private String push(int values, String node) {
        String head = form.isWarp() ? "push(stack, lane, %du, j, " : "push<%d>(stack, j, ";
        return "    " + head.formatted(Integer.numberOfTrailingZeros(values)) + node + n(values) + ");\n";
    }

    /** Does something for each {@code node} that is left, the leftmost first. */
    private String forEachNode(String statements) {
        String loop = form.isWarp()
                ? "  for (int level = (int) p.levels - 1; level >= 0; level--) {\n"
                : "#pragma unroll\n  for (int level = %d; level >= 0; level--) {\n".formatted(stage.levels() - 1);
        String node = form.isWarp() ? "from_lane(stack, (u32) level)" : "stack[level]";
        return loop + "    if (count >> level & 1u) {\n      const acc node = " + node + ";\n" + statements.indent(6)
                + "    }\n  }\n";
    }

    private String total() {
        String text = type.isMoments()
                ? "  double before = 0.0;\n  bool begun = false;\n" + forEachNode("""
                    const double n = (double) (1ull << level) * p.weight;
                    total = begun ? join(total, node, before, n) : node;
                    before += n;
                    begun = true;
                    """)
                : "  bool begun = false;\n" + forEachNode("""
                    total = begun ? join(total, node) : node;
                    begun = true;
                    """);
        return begin()
                + text
                + (stage.extras() > 0 ? joinExtras() : "")
                + part.leaf()
                + store(part.leafPlace(), "total").indent(2);
    }

    /** Joins what earlier launches left behind the last whole range. */
    private String joinExtras() {
        String text = type.isMoments() ? """
              Index e = 0;
              double n = p.weight;
              for (int level = (int) p.shift - 1; level >= 0; level--) {
                n *= 0.5;
                if (p.tail >> level & 1u) {
                  total = join(total, EXTRA, before, n);
                  before += n;
                  e++;
                }
              }
            """ : """
                  for (Index e = 0; e < p.extras; e++) {
                    total = join(total, EXTRA);
                  }
                """;
        return text.replace("EXTRA", line.call("value", "count + e"));
    }

    /** Stores the nodes of a range as they are; behind the last one those that earlier launches left. */
    private String leaveNodes() {
        String step = part.nextLeaf();
        String text = part.leaf() + forEachNode(store(part.leafPlace(), "node") + step);
        if (stage.extras() == 0) {
            return text;
        }
        return text
                + """
                  if (count >> p.level == 0u) {
                    for (Index e = 0; e < p.extras; e++) {
                      const acc node = EXTRA;
                STORE    }
                  }
                """.replace("EXTRA", line.call("value", "p.count + e"))
                        .replace("STORE", (store(part.leafPlace(), "node") + step).indent(6));
    }
}
