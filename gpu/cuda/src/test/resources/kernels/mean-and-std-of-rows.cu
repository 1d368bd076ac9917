typedef u32 Index;

struct Par {
  const float* x0;
  long long x0_line0;
  float* result0;
  double divisor0;
  float* result1;
  double divisor1;
  double weight;
  Index jobs;
  Index levels;
  Index count;
};

namespace as_sum {
typedef double acc;

BL_DEVICE acc join(acc a, acc b) {
  return a + b;
}
}

namespace as_moments {
// A mean, and the sum of the squared distances from it.
struct acc {
  double c0;
  double c1;
};

BL_DEVICE acc merged(acc a, acc b, double share, double spread) {
  const double d = b.c0 - a.c0;
  return {a.c0 + d * share, a.c1 + b.c1 + d * d * spread};
}

// The join of n values and the m that follow them.
BL_DEVICE acc join(acc a, acc b, double n, double m) {
  const double share = m / (n + m);
  return merged(a, b, share, n * share);
}

// The join of n values and as many.
BL_DEVICE acc join(acc a, acc b, double n) {
  return merged(a, b, 0.5, n * 0.5);
}
}

struct acc {
  as_sum::acc of_sum;
  as_moments::acc of_moments;
};

BL_DEVICE acc join(acc a, acc b, double n, double m) {
  return {as_sum::join(a.of_sum, b.of_sum), as_moments::join(a.of_moments, b.of_moments, n, m)};
}

BL_DEVICE acc join(acc a, acc b, double n) {
  return {as_sum::join(a.of_sum, b.of_sum), as_moments::join(a.of_moments, b.of_moments, n)};
}

// What the lane at that distance has.
BL_DEVICE acc across(acc own, u32 distance) {
  return {__shfl_xor_sync(0xffffffffu, own.of_sum, distance), {__shfl_xor_sync(0xffffffffu, own.of_moments.c0, distance), __shfl_xor_sync(0xffffffffu, own.of_moments.c1, distance)}};
}

// What that lane of the team has.
BL_DEVICE acc from_lane(acc own, u32 lane) {
  return {__shfl_sync(0xffffffffu, own.of_sum, lane, 32), {__shfl_sync(0xffffffffu, own.of_moments.c0, lane, 32), __shfl_sync(0xffffffffu, own.of_moments.c1, lane, 32)}};
}

// Both lanes at that distance get the join; the lower one has what comes first.
BL_DEVICE acc meet(acc own, u32 lane, u32 distance, double n) {
  const acc other = across(own, distance);
  return (lane & distance) != 0u ? join(other, own, n) : join(own, other, n);
}

// What the lanes have, joined in their order.
BL_DEVICE acc gather(acc node, u32 lane, double n) {
  node = meet(node, lane, 1u, n);
  n *= 2.0;
  node = meet(node, lane, 2u, n);
  n *= 2.0;
  node = meet(node, lane, 4u, n);
  n *= 2.0;
  node = meet(node, lane, 8u, n);
  n *= 2.0;
  node = meet(node, lane, 16u, n);
  n *= 2.0;
  return node;
}

// The last values, one in each lane and fewer than there are lanes: as many nodes as their number has binary digits.
BL_DEVICE void settle(acc& stack, acc node, u32 lane, u32 values, double n) {
#pragma unroll
  for (u32 level = 0; level < 5u; level++) {
    const acc both = meet(node, lane, 1u << level, n);
    if (((lane >> (level + 1u)) + 1u) << (level + 1u) <= values) {
      node = both;
    }
    n *= 2.0;
  }
  const u32 level = lane < 5u ? lane : 0u;
  node = from_lane(node, values >> (level + 1u) << (level + 1u));
  if (level == lane) {
    stack = node;
  }
}

// Takes the node of the 2^level values from the j-th on, as a binary counter counts: neighbours are joined at once. Each lane has the
// latest node of the level that is its number.
BL_DEVICE void push(acc& stack, u32 lane, u32 level, Index j, acc node, double n) {
  for (; (j >> level & 1u) != 0u; level++) {
    node = join(from_lane(stack, level), node, n);
    n *= 2.0;
  }
  if (level == lane) {
    stack = node;
  }
}

// Where a line begins in each operand.
struct Line {
  const float* x0;
};

BL_DEVICE Line line_at(const Par& p, Index line) {
  return {p.x0 + (long long) line * p.x0_line0};
}

BL_DEVICE float element(const Par& p, const Line& at, Index j) {
  const float x0 = __ldcs(at.x0 + j);
  return x0;
}

struct Neighbours {
  float e[4];
};

BL_DEVICE Neighbours neighbours(const Par& p, const Line& at, Index j) {
  const bl_Packet<float, 4> x0 = bl_stream<4>(at.x0 + j);
  Neighbours all;
#pragma unroll
  for (u32 k = 0; k < 4u; k++) {
    all.e[k] = x0.e[k];
  }
  return all;
}

BL_DEVICE acc value(const Par& p, const Line& at, Index j) {
  const float x = element(p, at, j);
  return {(double) x, {(double) x, 0.0 * fabs((double) x)}};
}

namespace as_sum {
// Neighbours in one lane.
template <int N>
BL_DEVICE acc joined(acc (&v)[N]) {
#pragma unroll
  for (int step = 1; step < N; step *= 2) {
#pragma unroll
    for (int k = 0; k < N; k += 2 * step) {
      v[k] = join(v[k], v[k + step]);
    }
  }
  return v[0];
}

// What the lane at that distance has.
BL_DEVICE acc across(acc own, u32 distance) {
  return __shfl_xor_sync(0xffffffffu, own, distance);
}

// What that lane of the team has.
BL_DEVICE acc from_lane(acc own, u32 lane) {
  return __shfl_sync(0xffffffffu, own, lane, 32);
}

// Both lanes at that distance get the join; the lower one has what comes first.
BL_DEVICE acc meet(acc own, u32 lane, u32 distance) {
  const acc other = across(own, distance);
  return join(own, other);
}

// The lower lane keeps the first N of 2 N, and the upper one the others, each joined with the other lane's.
template <int N, int ALL>
BL_DEVICE void halve(acc (&v)[ALL], u32 lane, u32 distance) {
#pragma unroll
  for (int k = 0; k < N; k++) {
    const bool upper = (lane & distance) != 0u;
    const acc own = upper ? v[k + N] : v[k];
    const acc other = across(upper ? v[k] : v[k + N], distance);
    v[k] = join(own, other);
  }
}

// What the lanes have of 4 packets each, joined in the order of the values.
BL_DEVICE acc gather(acc (&v)[4], u32 lane) {
  halve<2>(v, lane, 1u);
  halve<1>(v, lane, 2u);
  acc node = v[0];
  node = meet(node, lane, 4u);
  node = meet(node, lane, 8u);
  node = meet(node, lane, 16u);
  node = meet(node, lane, 2u);
  node = meet(node, lane, 1u);
  return node;
}

// What the lanes have, joined in their order.
BL_DEVICE acc gather(acc node, u32 lane) {
  node = meet(node, lane, 1u);
  node = meet(node, lane, 2u);
  node = meet(node, lane, 4u);
  node = meet(node, lane, 8u);
  node = meet(node, lane, 16u);
  return node;
}

}

namespace as_moments {
// What the lane at that distance has.
BL_DEVICE acc across(acc own, u32 distance) {
  return {__shfl_xor_sync(0xffffffffu, own.c0, distance), __shfl_xor_sync(0xffffffffu, own.c1, distance)};
}

// What that lane of the team has.
BL_DEVICE acc from_lane(acc own, u32 lane) {
  return {__shfl_sync(0xffffffffu, own.c0, lane, 32), __shfl_sync(0xffffffffu, own.c1, lane, 32)};
}

// Both lanes at that distance get the join; the lower one has what comes first.
BL_DEVICE acc meet(acc own, u32 lane, u32 distance, double n) {
  const acc other = across(own, distance);
  return (lane & distance) != 0u ? join(other, own, n) : join(own, other, n);
}

// What the lanes have, joined in their order.
BL_DEVICE acc gather(acc node, u32 lane, double n) {
  node = meet(node, lane, 1u, n);
  n *= 2.0;
  node = meet(node, lane, 2u, n);
  n *= 2.0;
  node = meet(node, lane, 4u, n);
  n *= 2.0;
  node = meet(node, lane, 8u, n);
  n *= 2.0;
  node = meet(node, lane, 16u, n);
  n *= 2.0;
  return node;
}

}

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

// The sum of one of 1 blocks, of whose sums of neighbours each lane has 1.
BL_DEVICE double sum_of_block(double (&v)[1], u32 lane) {
  v[0] += __shfl_xor_sync(0xffffffffu, v[0], 16u);
  v[0] += __shfl_xor_sync(0xffffffffu, v[0], 8u);
  v[0] += __shfl_xor_sync(0xffffffffu, v[0], 1u);
  v[0] += __shfl_xor_sync(0xffffffffu, v[0], 2u);
  v[0] += __shfl_xor_sync(0xffffffffu, v[0], 4u);
  return v[0];
}

// The moments of a block of 64 neighbours.
BL_DEVICE acc block(const Par& p, const Line& at, Index j) {
  const u32 lane = threadIdx.x % 32u;
  float x[2];
#pragma unroll
  for (u32 u = 0; u < 2u; u++) {
    x[u] = element(p, at, j + (u * 32u + lane));
  }
  as_sum::acc of_sum;
  {
    as_sum::acc node[2];
#pragma unroll
    for (u32 u = 0; u < 2u; u++) {
      node[u] = (double) x[u];
    }
    of_sum = as_sum::join(as_sum::gather(node[0], lane), as_sum::gather(node[1], lane));
  }
  const bool upper = (lane & 8u) != 0u;
  double v[1];
#pragma unroll
  for (u32 k = 0; k < 1u; k++) {
    v[k] = (double) (upper ? x[k + 1u] : x[k])
        + (double) __shfl_xor_sync(0xffffffffu, upper ? x[k] : x[k + 1u], 8u);
  }
  const double mean = sum_of_block(v, lane) * 0.015625;
#pragma unroll
  for (u32 b = 0; b < 1u; b++) {
    const double lower_mean = mean;
    const double upper_mean = mean;
#pragma unroll
    for (u32 k = b * 2u; k < b * 2u + 1u; k++) {
      const double d = (double) x[k] - lower_mean;
      const double e = (double) x[k + 1u] - upper_mean;
      v[k] = (upper ? e * e : d * d) + __shfl_xor_sync(0xffffffffu, upper ? d * d : e * e, 8u);
    }
  }
  as_moments::acc moments = {mean, sum_of_block(v, lane)};
  return {of_sum, moments};
}

// The sum of one of 8 blocks, of whose sums of neighbours each lane has 8.
BL_DEVICE double sum_of_blocks(double (&v)[8], u32 lane) {
  add_halves<4>(v, lane, 4u);
  add_halves<2>(v, lane, 8u);
  v[0] = v[0] + v[1];
  v[0] += __shfl_xor_sync(0xffffffffu, v[0], 8u);
  v[0] += __shfl_xor_sync(0xffffffffu, v[0], 1u);
  return v[0];
}

// The moments of 8 blocks of 64 neighbours.
BL_DEVICE acc blocks(const Par& p, const Line& at, Index j) {
  const u32 lane = threadIdx.x % 32u;
  float x[16];
#pragma unroll
  for (u32 u = 0; u < 4u; u++) {
    const Neighbours packet = neighbours(p, at, j + (u * 32u + lane) * 4u);
#pragma unroll
    for (u32 k = 0; k < 4u; k++) {
      x[u * 4u + k] = packet.e[k];
    }
  }
  as_sum::acc of_sum;
  {
    as_sum::acc node[4];
#pragma unroll
    for (u32 u = 0; u < 4u; u++) {
      as_sum::acc own[4];
#pragma unroll
      for (u32 k = 0; k < 4u; k++) {
        own[k] = (double) x[u * 4u + k];
      }
      node[u] = as_sum::joined(own);
    }
    of_sum = as_sum::gather(node, lane);
  }
  const bool upper = (lane & 2u) != 0u;
  double v[8];
#pragma unroll
  for (u32 k = 0; k < 8u; k++) {
    v[k] = (double) (upper ? x[k + 8u] : x[k])
        + (double) __shfl_xor_sync(0xffffffffu, upper ? x[k] : x[k + 8u], 2u);
  }
  const double mean = sum_of_blocks(v, lane) * 0.015625;
#pragma unroll
  for (u32 b = 0; b < 2u; b++) {
    const double lower_mean = __shfl_sync(0xffffffffu, mean, (lane & 25u) | (b >> 1u & 1u) << 1u | (b >> 0u & 1u) << 2u);
    const double upper_mean = __shfl_sync(0xffffffffu, mean, (lane & 25u) | ((b + 2u) >> 1u & 1u) << 1u | ((b + 2u) >> 0u & 1u) << 2u);
#pragma unroll
    for (u32 k = b * 4u; k < b * 4u + 4u; k++) {
      const double d = (double) x[k] - lower_mean;
      const double e = (double) x[k + 8u] - upper_mean;
      v[k] = (upper ? e * e : d * d) + __shfl_xor_sync(0xffffffffu, upper ? d * d : e * e, 2u);
    }
  }
  as_moments::acc moments = {mean, sum_of_blocks(v, lane)};
  moments = as_moments::meet(moments, lane, 16u, 64.0);
  moments = as_moments::meet(moments, lane, 4u, 128.0);
  moments = as_moments::meet(moments, lane, 2u, 256.0);
  return {of_sum, moments};
}

BL_DEVICE void store(const Par& p, Index place, acc total) {
  __stcs(p.result0 + place, bl_result((float) ((total.of_sum + 0.0) / p.divisor0)));
  __stcs(p.result1 + place, bl_result((float) sqrt(total.of_moments.c1 / p.divisor1)));
}

extern "C" __global__ void __launch_bounds__(256) bl_fold(const Par p) {
  const Index thread = (Index) blockIdx.x * 256u + threadIdx.x;
  const Index team = thread / 32u;
  const u32 lane = threadIdx.x % 32u;
  const Index job = team < p.jobs ? team : p.jobs - 1u;  // a shuffle needs all lanes: some repeat the last job
  const Index line = job;
  const Index count = p.count;
  const Line at = line_at(p, line);
  acc stack = {0, {0.0, 0.0}};
  Index j = 0;
  for (; count - j >= 512u; j += 512u) {
    push(stack, lane, 9u, j, blocks(p, at, j), 512.0 * p.weight);
  }
  for (; count - j >= 64u; j += 64u) {
    push(stack, lane, 6u, j, block(p, at, j), 64.0 * p.weight);
  }
  for (; count - j >= 32u; j += 32u) {
    push(stack, lane, 5u, j, gather(value(p, at, j + lane), lane, p.weight), 32.0 * p.weight);
  }
  if (j < count) {
    const u32 values = (u32) (count - j);
    const u32 own = lane < values ? lane : values - 1u;
    settle(stack, value(p, at, j + own), lane, values, p.weight);
  }
  acc total = {0, {0.0, 0.0}};
  double before = 0.0;
  bool begun = false;
  for (int level = (int) p.levels - 1; level >= 0; level--) {
    if (count >> level & 1u) {
      const acc node = from_lane(stack, (u32) level);
      const double n = (double) (1ull << level) * p.weight;
      total = begun ? join(total, node, before, n) : node;
      before += n;
      begun = true;
    }
  }
  if (lane == 0u && team == job) {
    store(p, line, total);
  }
}
