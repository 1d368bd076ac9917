package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.FoldForm.Direction;
import io.github.broadloom.cuda.code.FoldForm.Leaf;
import io.github.broadloom.kernels.reduce.PairwiseTree;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The device functions that fold blocks of {@value PairwiseTree#BLOCK} neighbours along a line, each in two passes: its mean, then the squared
 * distances from it. The values stay in the registers of a warp in between.
 *
 * <p>A block is summed as eight rows of eight: first the rows, then what is left of each column. In the bits of a value's place in its block:
 * neighbours in bit 3 are added, then those in bits 4, 5, 0, 1 and 2. Some of these bits, and those of the block's number, tell the lane that has
 * a value, others the place in the lane's registers, as packets come from memory. Where neighbours are in different lanes, these exchange
 * halves of what they have, as long as they have more than one sum: a bit of the registers becomes one of the lane. In the end a lane has
 * one block's sum, and neighbours among the blocks are joined from lane to lane.
 */
record MomentBlocksText(FoldType type, FoldForm form, FoldLineText line) {
    private static final int WARP_BITS = 5;
    private static final int BLOCK_BITS = Integer.numberOfTrailingZeros(PairwiseTree.BLOCK);

    /** In which order neighbours are added, by the bits of their places. */
    private static final int[] ORDER = {3, 4, 5, 0, 1, 2};

    private static final int MOST_WIDTH = 8;

    static FoldForm form(FoldType type, int width, long length) {
        int together = type.valueBytes() > Float.BYTES ? 4 : 8; // so that 64 bytes are in flight, and stay in registers
        return length >= (long) PairwiseTree.BLOCK * together
                ? new FoldForm(Direction.ALONG, Leaf.MOMENTS, FoldForm.WARP, Math.min(MOST_WIDTH, width), together)
                : new FoldForm(Direction.ALONG, Leaf.MOMENTS, FoldForm.WARP, 1, 1);
    }

    /** {@code value}; {@code block}, for a single one, and {@code blocks} where the form has several. */
    String functions() {
        StringBuilder text = new StringBuilder(line.head("value", "acc"))
                .append("  const %s x = %s;\n  return %s;\n}\n\n"
                        .formatted(type.valueType(), line.call("element", "j"), type.lift("x", "j")))
                .append(namespaces())
                .append(HALVES)
                .append(new Blocks("block", 1, 1).functions());
        return form.unroll() > 1
                ? text.append('\n')
                        .append(new Blocks("blocks", form.unroll(), form.packet()).functions())
                        .toString()
                : text.toString();
    }

    /** Where there are several kinds of accumulators, the joins of each alone. */
    private String namespaces() {
        if (type.hasOneAccumulator()) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        int packets = form.unroll() > 1 ? form.step() / FoldForm.WARP / form.packet() : 1;
        for (FoldAccumulator each : type.accumulators()) {
            FoldForm own = each.isMoments()
                    ? new FoldForm(Direction.ALONG, Leaf.VALUE, FoldForm.WARP, 1, 1)
                    : new FoldForm(Direction.ALONG, Leaf.VALUE, FoldForm.WARP, form.packet(), packets);
            String steps = new FoldStepText(type.alone(each), own, 0).gathers();
            text.append("namespace %s {\n%s}\n\n".formatted(type.namespace(each), steps));
        }
        return text.toString();
    }

    private static final String HALVES = """
        // The lower lane keeps the first N of 2 N sums, and the upper one the others, each with the other lane's added.
        template <int N, int ALL>
        BL_DEVICE void add_halves(double (&v)[ALL], u32 lane, u32 distance) {
        #pragma unroll
          for (int k = 0; k < N; k++) {
            const bool upper = (lane & distance) != 0u;
            const double own = upper ? v[k + N] : v[k];
            v[k] = own + __shfl_xor_sync(0xffffffffu, upper ? v[k] : v[k + N], distance);
          }
        }

        """;

    private final class Blocks {
        private final String name;
        private final int blocks;
        private final int width;
        /** How many values a lane has, and how many of those are of one block. */
        private final int values;

        private final int ofBlock;
        /** Which bit of a value's place each bit of its place in the registers is; and each bit of its lane. */
        private final List<Integer> inLane = new ArrayList<>();

        private final int[] ofLane = new int[WARP_BITS];

        Blocks(String name, int blocks, int width) {
            this.name = name;
            this.blocks = blocks;
            this.width = width;
            this.values = blocks * PairwiseTree.BLOCK / FoldForm.WARP;
            int widthBits = Integer.numberOfTrailingZeros(width);
            for (int lane = 0; lane < WARP_BITS; lane++) {
                ofLane[lane] = widthBits + lane;
            }
            int bits = BLOCK_BITS + Integer.numberOfTrailingZeros(blocks);
            for (int bit = 0; bit < bits; bit++) {
                if (bit < widthBits || bit >= widthBits + WARP_BITS) {
                    inLane.add(bit);
                }
            }
            this.ofBlock = 1 << inLane.stream().filter(bit -> bit < BLOCK_BITS).count();
        }

        String functions() {
            List<Integer> kept = List.copyOf(inLane);
            int first = laneOf(ORDER[0]); // packets are short enough, so it is in another lane
            exchange(first);
            String sum = sum();
            return sum + "\n" + moments(first, kept);
        }

        private int laneOf(int bit) {
            return IntStream.range(0, WARP_BITS)
                    .filter(lane -> ofLane[lane] == bit)
                    .findFirst()
                    .orElse(-1);
        }

        /** After an exchange of halves the last bit of the registers is one of the lane. */
        private void exchange(int lane) {
            ofLane[lane] = inLane.remove(inLane.size() - 1);
        }

        private String sum() {
            StringBuilder text = new StringBuilder();
            text.append("// The sum of one of %d blocks, of whose sums of neighbours each lane has %d.\n"
                    .formatted(blocks, values / 2));
            text.append("BL_DEVICE double sum_of_%s(double (&v)[%d], u32 lane) {\n".formatted(name, values / 2));
            for (int step = 1; step < ORDER.length; step++) {
                int lane = laneOf(ORDER[step]);
                if (lane < 0) {
                    text.append(addInLane(inLane.indexOf(ORDER[step])));
                    inLane.remove((Integer) ORDER[step]);
                } else if (inLane.isEmpty()) {
                    text.append("  v[0] += __shfl_xor_sync(0xffffffffu, v[0], %du);\n".formatted(1 << lane));
                } else {
                    exchange(lane);
                    text.append("  add_halves<%d>(v, lane, %du);\n".formatted(1 << inLane.size(), 1 << lane));
                }
            }
            return text.append("  return v[0];\n}\n").toString();
        }

        private String addInLane(int place) {
            StringBuilder text = new StringBuilder();
            int stride = 1 << place;
            for (int k = 0; k < 1 << inLane.size() - 1; k++) {
                int from = k / stride * 2 * stride + k % stride;
                text.append("  v[%d] = v[%d] + v[%d];\n".formatted(k, from, from + stride));
            }
            return text.toString();
        }

        private String moments(int first, List<Integer> kept) {
            StringBuilder text = new StringBuilder(
                    "// The moments of %s of 64 neighbours.\n".formatted(blocks == 1 ? "a block" : blocks + " blocks"));
            String mostly = """
                  const u32 lane = threadIdx.x % 32u;
                  TYPE x[ALL];
                READ  const bool upper = (lane & DISTANCEu) != 0u;
                  double v[HALF];
                #pragma unroll
                  for (u32 k = 0; k < HALFu; k++) {
                    v[k] = (double) (upper ? x[k + HALFu] : x[k])
                        + (double) __shfl_xor_sync(0xffffffffu, upper ? x[k] : x[k + HALFu], DISTANCEu);
                  }
                  const double mean = sum_of_NAME(v, lane) * 0.015625;
                #pragma unroll
                  for (u32 b = 0; b < HALF_BLOCKSu; b++) {
                    const double lower_mean = CENTER_OF_B;
                    const double upper_mean = CENTER_OF_LAST;
                #pragma unroll
                    for (u32 k = b * OF_BLOCKu; k < b * OF_BLOCKu + LENGTHu; k++) {
                      const double d = (double) x[k] - lower_mean;
                      const double e = (double) x[k + HALFu] - upper_mean;
                      v[k] = (upper ? e * e : d * d) + __shfl_xor_sync(0xffffffffu, upper ? d * d : e * e, DISTANCEu);
                    }
                  }
                  MOMENTS::acc moments = {mean, sum_of_NAME(v, lane)};
                """;
            int groups = values / ofBlock;
            text.append(line.head(name, "acc"))
                    .append(mostly.replace("READ", read() + others())
                            .replace("CENTER_OF_B", groups > 1 ? center("b", kept) : "mean")
                            .replace("CENTER_OF_LAST", groups > 1 ? center("(b + " + groups / 2 + "u)", kept) : "mean")
                            .replace("HALF_BLOCKS", "" + Math.max(1, groups / 2))
                            .replace("OF_BLOCK", "" + ofBlock)
                            .replace("LENGTH", "" + (groups > 1 ? ofBlock : values / 2))
                            .replace("HALF", "" + values / 2)
                            .replace("ALL", "" + values)
                            .replace("DISTANCE", "" + (1 << first))
                            .replace("NAME", name)
                            .replace("TYPE", type.valueType())
                            .replace("MOMENTS::", type.hasOneAccumulator() ? "" : "as_moments::"));
            for (int bit = BLOCK_BITS; 1 << bit < blocks * PairwiseTree.BLOCK; bit++) {
                text.append("  moments = %smeet(moments, lane, %du, %d.0);\n"
                        .formatted(type.hasOneAccumulator() ? "" : "as_moments::", 1 << laneOf(bit), 1 << bit));
            }
            return text.append("  return %s;\n}\n"
                            .formatted(type.ofEach(each -> each.isMoments() ? "moments" : "of_" + each.name())))
                    .toString();
        }

        /** The lane that has the mean of a block, of which this lane has values. */
        private String center(String group, List<Integer> kept) {
            List<Integer> numbers =
                    kept.stream().filter(bit -> bit >= BLOCK_BITS).toList();
            List<String> terms = new ArrayList<>();
            int own = 0;
            for (int lane = 0; lane < WARP_BITS; lane++) {
                int at = numbers.indexOf(ofLane[lane]);
                if (at >= 0) {
                    terms.add("(%s >> %du & 1u) << %du".formatted(group, at, lane));
                } else {
                    own |= 1 << lane;
                }
            }
            return "__shfl_sync(0xffffffffu, mean, (lane & %du) | %s)".formatted(own, String.join(" | ", terms));
        }

        private String place(String packet, String k) {
            return "j + (" + packet + " * 32u + lane)" + (width > 1 ? " * " + width + "u + " + k : "");
        }

        /** Packets of neighbours, all before the first is used. */
        private String read() {
            String all = """
                #pragma unroll
                  for (u32 u = 0; u < PACKETSu; u++) {
                ONE  }
                """.replace("PACKETS", "" + values / width);
            if (width == 1) {
                return all.replace("ONE", "    x[u] = " + line.call("element", place("u", "")) + ";\n");
            }
            return all.replace("ONE", """
                    const Neighbours packet = PACKET;
                #pragma unroll
                    for (u32 k = 0; k < WIDTHu; k++) {
                      x[u * WIDTHu + k] = packet.e[k];
                    }
                """.replace(
                            "PACKET", line.call("neighbours", place("u", "0u").replace(" + 0u", "")))
                    .replace("WIDTH", "" + width));
        }

        /** What the other accumulators make of the values, in their own order. */
        private String others() {
            StringBuilder text = new StringBuilder();
            for (FoldAccumulator each : type.accumulators()) {
                if (!each.isMoments()) {
                    text.append(other(each));
                }
            }
            return text.toString();
        }

        private String other(FoldAccumulator each) {
            int packets = values / width;
            String one = "__::gather(node[%s], lane)";
            String all = packets == 1
                    ? one.formatted("0")
                    : blocks == 1
                            ? "__::join(" + one.formatted("0") + ", " + one.formatted("1") + ")"
                            : "__::gather(node, lane)";
            String lifted = width == 1
                    ? "    node[u] = %s;\n".formatted(each.lift("x[u]", place("u", "")))
                    : """
                        __::acc own[WIDTH];
                    #pragma unroll
                        for (u32 k = 0; k < WIDTHu; k++) {
                          own[k] = LIFTED;
                        }
                        node[u] = __::joined(own);
                    """.replace("WIDTH", "" + width)
                            .replace("LIFTED", each.lift("x[u * " + width + "u + k]", place("u", "k")));
            return """
                  __::acc of_KIND;
                  {
                    __::acc node[PACKETS];
                #pragma unroll
                    for (u32 u = 0; u < PACKETSu; u++) {
                LIFTED    }
                    of_KIND = ALL;
                  }
                """.replace("LIFTED", lifted.indent(2).replaceAll("(?m)^ +#", "#"))
                    .replace("PACKETS", "" + packets)
                    .replace("ALL", all)
                    .replace("KIND", each.name())
                    .replace("__", type.namespace(each));
        }
    }
}
