package io.github.broadloom.codegen.cuda;

import io.github.broadloom.lanes.Folds;

/**
 * The device functions that fold blocks of {@value Folds#BLOCK} neighbours along a line, each in two passes: its mean, then the squared
 * distances from it. A warp has two values of each block in every lane.
 *
 * <p>They are summed as eight rows of eight: first the rows, which are eight lanes apart, then what is left of each column. With several blocks at a
 * time lanes exchange halves, as long as they have more than one: 5 shuffles for each block instead of 14. A lane ends with one block
 * then, and neighbours are joined from lane to lane.
 */
final class MomentBlocksText {
    /** Blocks that are folded together. */
    static final int TOGETHER = 8;

    private final FoldForm form;
    private final FoldLineText line;

    MomentBlocksText(FoldForm form, FoldLineText line) {
        this.form = form;
        this.line = line;
    }

    /** {@code block}, for a single one, and {@code blocks} where the form has several. */
    String functions() {
        return (form.unroll() > 1 ? ONE + "\n" + SEVERAL : ONE)
                .replace("{, error}", line.mayFail() ? ", bool& " + CudaProgramText.ERROR : "")
                .replace("{first}", line.call("value", "j"))
                .replace("{second}", line.call("value", "j + 32u"))
                .replace("{first of k}", line.call("value", "j + k * 64u"))
                .replace("{second of k}", line.call("value", "j + k * 64u + 32u"));
    }

    private static final String ONE = """
            BL_DEVICE double block_sum(double x, double y) {
              x += __shfl_xor_sync(0xffffffffu, x, 8u);
              y += __shfl_xor_sync(0xffffffffu, y, 8u);
              x += __shfl_xor_sync(0xffffffffu, x, 16u);
              y += __shfl_xor_sync(0xffffffffu, y, 16u);
              double sum = x + y;
              sum += __shfl_xor_sync(0xffffffffu, sum, 1u);
              sum += __shfl_xor_sync(0xffffffffu, sum, 2u);
              return sum + __shfl_xor_sync(0xffffffffu, sum, 4u);
            }

            // The moments of 64 neighbours: two for each lane, the j-th and the one 32 later.
            BL_DEVICE acc block(const Par& p, const Line& at, Index j{, error}) {
              const double x = {first}.c0;
              const double y = {second}.c0;
              const double mean = block_sum(x, y) * 0.015625;
              const double dx = x - mean;
              const double dy = y - mean;
              return {mean, block_sum(dx * dx, dy * dy)};
            }
            """;

    private static final String SEVERAL = """
            // The lower lane keeps the sums of the first N of 2 N blocks, and the upper one those of the others.
            template <int N>
            BL_DEVICE void sum_halves(double (&v)[8], u32 lane, u32 distance) {
            #pragma unroll
              for (int k = 0; k < N; k++) {
                const bool upper = (lane & distance) != 0u;
                const double own = upper ? v[k + N] : v[k];
                v[k] = own + __shfl_xor_sync(0xffffffffu, upper ? v[k] : v[k + N], distance);
              }
            }

            // The sum of one of eight blocks, whose number is the bits 8, 16 and 1 of the lane.
            BL_DEVICE double sum_of_eight(double (&x)[8], double (&y)[8], u32 lane) {
              sum_halves<4>(x, lane, 8u);
              sum_halves<4>(y, lane, 8u);
              sum_halves<2>(x, lane, 16u);
              sum_halves<2>(y, lane, 16u);
              x[0] += y[0];
              x[1] += y[1];
              sum_halves<1>(x, lane, 1u);
              double sum = x[0];
              sum += __shfl_xor_sync(0xffffffffu, sum, 2u);
              return sum + __shfl_xor_sync(0xffffffffu, sum, 4u);
            }

            // The moments of eight blocks of 64 neighbours.
            BL_DEVICE acc blocks(const Par& p, const Line& at, Index j{, error}) {
              const u32 lane = threadIdx.x % 32u;
              double x[8], y[8], dx[8], dy[8];
            #pragma unroll
              for (u32 k = 0; k < 8u; k++) {
                dx[k] = x[k] = {first of k}.c0;
                dy[k] = y[k] = {second of k}.c0;
              }
              const double mean = sum_of_eight(dx, dy, lane) * 0.015625;
            #pragma unroll
              for (u32 k = 0; k < 8u; k++) {
                const double center = __shfl_sync(0xffffffffu, mean, (k & 4u) << 1u | (k & 2u) << 3u | (k & 1u));
                dx[k] = (x[k] - center) * (x[k] - center);
                dy[k] = (y[k] - center) * (y[k] - center);
              }
              acc node = {mean, sum_of_eight(dx, dy, lane)};
              node = meet(node, lane, 1u, 64.0);
              node = meet(node, lane, 16u, 128.0);
              return meet(node, lane, 8u, 256.0);
            }
            """;
}
