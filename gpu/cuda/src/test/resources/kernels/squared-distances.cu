typedef u32 Index;

struct Par {
  const float* x0;
  long long x0_line;
  long long x0_step;
  const float* x1;
  long long x1_line;
  long long x1_step;
  float* result;
  Index rows;
  Index columns;
  bl_Divisor rowTiles;
  bl_Divisor columnTiles;
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

// Takes the node of the 2^LEVEL values from the j-th on, as a binary counter counts: neighbours are joined at once.
template <u32 LEVEL>
BL_DEVICE void push(acc (&stack)[5], acc (&rest)[4], Index j, acc node) {
  if constexpr (LEVEL < 5u) {
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

BL_DEVICE acc value(const Par& p, Index j, float x0, float x1) {
  const float t0 = x0 - x1;
  const float t1 = t0 * t0;
  return (double) t1;
}

BL_DEVICE void store(const Par& p, Index place, acc total) {
  __stcs(p.result + place, bl_result((float) (total + 0.0)));
}

extern "C" __global__ void __launch_bounds__(128, 4) bl_fold(const Par p) {
  __shared__ float tile0[32][36];
  __shared__ float tile1[32][36];
  const Index columnTile = blockIdx.x % p.columnTiles;
  const Index rowTile = blockIdx.x / p.columnTiles % p.rowTiles;
  const Index matrix = blockIdx.x / p.columnTiles / p.rowTiles;
  const Index row0 = rowTile * 32u;
  const Index column0 = columnTile * 32u;
  const u32 row = threadIdx.x / 16u * 4u;  // the first of this thread in the tile
  const u32 column = threadIdx.x % 16u * 2u;
  const float* x0 = p.x0 + (long long) row0 * p.x0_line;
  const float* x1 = p.x1 + (long long) column0 * p.x1_line;
  acc stack[4][2][5];
  acc rest[4][2][4];  // in local memory
  for (Index first = 0; first < p.count; first += 32u) {
    __syncthreads();
    for (u32 t = threadIdx.x; t < 1024u; t += 128u) {
      const u32 line = t / 32u;
      const u32 step = t % 32u;
      const bool inside = row0 + line < p.rows && first + step < p.count;
      tile0[step][line] = inside ? __ldg(x0 + (long long) line * p.x0_line + (long long) (first + step) * p.x0_step) : (float) 0;
    }
    for (u32 t = threadIdx.x; t < 1024u; t += 128u) {
      const u32 line = t / 32u;
      const u32 step = t % 32u;
      const bool inside = column0 + line < p.columns && first + step < p.count;
      tile1[step][line] = inside ? __ldg(x1 + (long long) line * p.x1_line + (long long) (first + step) * p.x1_step) : (float) 0;
    }
    __syncthreads();
    const u32 steps = p.count - first < 32u ? (u32) (p.count - first) : 32u;
    for (u32 k = 0; steps - k >= 8u; k += 8u) {
#pragma unroll
      for (u32 r = 0; r < 4u; r++) {
#pragma unroll
        for (u32 c = 0; c < 2u; c++) {
          acc node[8];
#pragma unroll
          for (u32 u = 0; u < 8u; u++) {
            node[u] = value(p, first + k + u, tile0[k + u][row + r], tile1[k + u][column + c]);
          }
          push<3>(stack[r][c], rest[r][c], first + k, joined(node));
        }
      }
    }
  }
#pragma unroll
  for (u32 r = 0; r < 4u; r++) {
#pragma unroll
    for (u32 c = 0; c < 2u; c++) {
      acc total = 0;
      bool begun = false;
#pragma unroll 1
      for (int level = 4 - 1; level >= 0; level--) {
        if (p.count >> (level + 5) & 1u) {
          total = begun ? join(total, rest[r][c][level]) : rest[r][c][level];
          begun = true;
        }
      }
#pragma unroll
      for (int level = 5 - 1; level >= 3; level--) {
        if (p.count >> level & 1u) {
          total = begun ? join(total, stack[r][c][level]) : stack[r][c][level];
          begun = true;
        }
      }
      if (row0 + row + r < p.rows && column0 + column + c < p.columns) {
        store(p, (matrix * p.rows + row0 + row + r) * p.columns + column0 + column + c, total);
      }
    }
  }
}
