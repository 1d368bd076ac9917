typedef u32 Index;

struct Par {
  const float* x0;
  long long x0_step0;
  double* node0;
  Index jobs;
  Index count;
  bl_Divisor ranges;
  Index level;
  Index leaves;
  bl_Divisor columns;
};

typedef float one;

BL_DEVICE one join(one a, one b) {
  return bl_maximum(a, b);
}

// The accumulators of neighbouring lines.
struct acc {
  one c[2];
};

BL_DEVICE acc join(acc a, acc b) {
  acc both;
#pragma unroll
  for (u32 k = 0; k < 2u; k++) {
    both.c[k] = join(a.c[k], b.c[k]);
  }
  return both;
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

// Where a line begins in each operand.
struct Line {
  const float* x0;
};

BL_DEVICE Line line_at(const Par& p, Index line) {
  return {p.x0 + line * 2u};
}

BL_DEVICE acc value(const Par& p, const Line& at, Index j) {
  const bl_Packet<float, 2> x0 = bl_stream<2>(at.x0 + (long long) j * p.x0_step0);
  acc all;
#pragma unroll
  for (u32 k = 0; k < 2u; k++) {
    all.c[k] = x0.e[k];
  }
  return all;
}

BL_DEVICE void store(const Par& p, Index place, acc total) {
#pragma unroll
  for (u32 k = 0; k < 2u; k++) {
    __stcg(p.node0 + (place + k), total.c[k]);
  }
}

extern "C" __global__ void __launch_bounds__(256) bl_fold(const Par p) {
  const Index thread = (Index) blockIdx.x * 256u + threadIdx.x;
  const Index job = thread;
  if (job >= p.jobs) {
    return;
  }
  const Index column = job % p.columns;
  const Index range = job / p.columns % p.ranges;
  const Index outer = job / p.columns / p.ranges;
  const Index line = outer * p.columns + column;
  const Index first = range << p.level;
  const Index left = p.count - first;
  const Index count = left >> p.level != 0u ? (Index) 1 << p.level : left;
  const Line at = line_at(p, line);
  acc total;
#pragma unroll
  for (u32 k = 0; k < 2u; k++) {
    total.c[k] = -BL_INFINITY_F;
  }
  Index j = 0;
  for (; count - j >= 8u; j += 8u) {
    acc node[8];
#pragma unroll
    for (u32 u = 0; u < 8u; u++) {
      node[u] = value(p, at, first + j + u);
    }
    total = join(total, joined(node));
  }
  for (; j < count; j++) {
    total = join(total, value(p, at, first + j));
  }
  Index leaf = ((outer * p.leaves + range) * p.columns + column) * 2u;
  store(p, leaf, total);
}
