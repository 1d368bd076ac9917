typedef u32 Index;

struct Par {
  const float* x0;
  long long x0_line0;
  float* result;
  Index jobs;
  Index levels;
  Index count;
};

typedef double acc;

BL_DEVICE acc join(acc a, acc b) {
  return a + b;
}

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

// The last values, one in each lane and fewer than there are lanes: as many nodes as their number has binary digits.
BL_DEVICE void settle(acc& stack, acc node, u32 lane, u32 values) {
#pragma unroll
  for (u32 level = 0; level < 5u; level++) {
    const acc both = meet(node, lane, 1u << level);
    if (((lane >> (level + 1u)) + 1u) << (level + 1u) <= values) {
      node = both;
    }
  }
  const u32 level = lane < 5u ? lane : 0u;
  node = from_lane(node, values >> (level + 1u) << (level + 1u));
  if (level == lane) {
    stack = node;
  }
}

// Takes the node of the 2^level values from the j-th on, as a binary counter counts: neighbours are joined at once. Each lane has the
// latest node of the level that is its number.
BL_DEVICE void push(acc& stack, u32 lane, u32 level, Index j, acc node) {
  for (; (j >> level & 1u) != 0u; level++) {
    node = join(from_lane(stack, level), node);
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

BL_DEVICE acc value(const Par& p, const Line& at, Index j) {
  const float x0 = __ldcs(at.x0 + j);
  return (double) x0;
}

BL_DEVICE acc packet(const Par& p, const Line& at, Index j) {
  const bl_Packet<float, 4> x0 = bl_stream<4>(at.x0 + j);
  acc v[4];
#pragma unroll
  for (u32 k = 0; k < 4u; k++) {
    v[k] = (double) x0.e[k];
  }
  return joined(v);
}

BL_DEVICE void store(const Par& p, Index place, acc total) {
  __stcs(p.result + place, bl_result((float) (total + 0.0)));
}

extern "C" __global__ void __launch_bounds__(256) bl_fold(const Par p) {
  const Index thread = (Index) blockIdx.x * 256u + threadIdx.x;
  const Index team = thread / 32u;
  const u32 lane = threadIdx.x % 32u;
  const Index job = team < p.jobs ? team : p.jobs - 1u;  // a shuffle needs all lanes: some repeat the last job
  const Index line = job;
  const Index count = p.count;
  const Line at = line_at(p, line);
  acc stack = 0;
  Index j = 0;
  for (; count - j >= 512u; j += 512u) {
    acc node[4];
#pragma unroll
    for (u32 u = 0; u < 4u; u++) {
      node[u] = packet(p, at, j + (u * 32u + lane) * 4u);
    }
    push(stack, lane, 9u, j, gather(node, lane));
  }
  for (; count - j >= 128u; j += 128u) {
    push(stack, lane, 7u, j, gather(packet(p, at, j + lane * 4u), lane));
  }
  for (; count - j >= 32u; j += 32u) {
    push(stack, lane, 5u, j, gather(value(p, at, j + lane), lane));
  }
  if (j < count) {
    const u32 values = (u32) (count - j);
    const u32 own = lane < values ? lane : values - 1u;
    settle(stack, value(p, at, j + own), lane, values);
  }
  acc total = 0;
  bool begun = false;
  for (int level = (int) p.levels - 1; level >= 0; level--) {
    if (count >> level & 1u) {
      const acc node = from_lane(stack, (u32) level);
      total = begun ? join(total, node) : node;
      begun = true;
    }
  }
  if (lane == 0u && team == job) {
    store(p, line, total);
  }
}
