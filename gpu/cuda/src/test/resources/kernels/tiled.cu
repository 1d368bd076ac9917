typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define BL_DEVICE static __device__ __forceinline__

struct bl_Divisor {  // a number by which others below 2^31 are divided
  u32 divisor, multiplier, shift;
  __device__ __forceinline__ operator u32() const { return divisor; }
};
BL_DEVICE u32 operator/(u32 n, bl_Divisor by) { return (__umulhi(n, by.multiplier) + n) >> by.shift; }
BL_DEVICE u32 operator%(u32 n, bl_Divisor by) { return n - n / by * by.divisor; }

BL_DEVICE int bl_trunc_divide(int a, int b, bool& error) {
  if (b == 0) {
    error = true;
    return 0;
  }
  return b == -1 ? (int) (0u - (u32) a) : a / b;
}

BL_DEVICE int bl_floor_divide(int a, int b, bool& error) {
  const int quotient = bl_trunc_divide(a, b, error);
  return (a < 0) != (b < 0) && b != 0 && (int) ((u32) quotient * (u32) b) != a ? quotient - 1 : quotient;
}

// int32, int32 to int32: squares of 64 turned in shared memory
struct Par {
  const int* x0;
  const int* x1;
  int* y;
  u32* error;
  u32 x0_s0;
  u32 y_s0;
  u32 x1_s1;
  bl_Divisor tile_columns;
  u32 rows;
  u32 columns;
};

BL_DEVICE int value(const Par& p, int x0, int x1, bool& bl_error) {
  return bl_floor_divide(x0, x1, bl_error);
}

typedef int Square1[64][65];

// The square at row0 and column0; one at the edge is not whole.
template <bool EDGE> BL_DEVICE void tile(const Par& p, Square1& square1, u32 row0, u32 column0) {
  const u32 lane = threadIdx.x % 64;
  const u32 first = threadIdx.x / 64;
  bool bl_error = false;
  int turned1[16];
  int x0[16];
  #pragma unroll
  for (u32 u = 0; u < 16; u++) {
    const u32 row = row0 + lane;
    const u32 column = column0 + first + u * 4;
    if (EDGE && (row >= p.rows || column >= p.columns)) continue;
    turned1[u] = __ldcs(p.x1 + row + column * p.x1_s1);
  }
  #pragma unroll
  for (u32 u = 0; u < 16; u++) {
    const u32 row = row0 + first + u * 4;
    const u32 column = column0 + lane;
    if (EDGE && (row >= p.rows || column >= p.columns)) continue;
    x0[u] = __ldcs(p.x0 + row * p.x0_s0 + column);
  }
  #pragma unroll
  for (u32 u = 0; u < 16; u++) square1[first + u * 4][lane] = turned1[u];
  __syncthreads();
  #pragma unroll
  for (u32 u = 0; u < 16; u++) {
    const u32 row = row0 + first + u * 4;
    const u32 column = column0 + lane;
    if (EDGE && (row >= p.rows || column >= p.columns)) continue;
    __stcs(p.y + row * p.y_s0 + column, value(p, x0[u], square1[lane][first + u * 4], bl_error));
  }
  if (bl_error) __stcs(p.error, 1u);
}

extern "C" __global__ void __launch_bounds__(256) floor_divide_tiled(const Par p) {
  __shared__ Square1 square1;
  const u32 above = blockIdx.x / p.tile_columns;
  const u32 column0 = blockIdx.x % p.tile_columns * 64;
  const u32 row0 = above * 64;
  const bool whole = row0 + 64 <= p.rows && column0 + 64 <= p.columns;
  if (whole) tile<false>(p, square1, row0, column0);
  else tile<true>(p, square1, row0, column0);
}
