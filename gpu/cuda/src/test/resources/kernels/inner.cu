typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define BL_DEVICE static __device__ __forceinline__

template <int BYTES> struct bl_Word;
template <> struct bl_Word<1> { typedef u8 type; };
template <> struct bl_Word<2> { typedef u16 type; };
template <> struct bl_Word<4> { typedef u32 type; };
template <> struct bl_Word<8> { typedef uint2 type; };
template <> struct bl_Word<16> { typedef uint4 type; };
template <class T, int N> union bl_Packet {  // N elements that are loaded and stored at once
  typedef typename bl_Word<N * sizeof(T)>::type Word;
  T e[N];
  Word word;
};

template <int N, class T> BL_DEVICE bl_Packet<T, N> bl_stream(const T* from) {  // what is read once need not stay in a cache
  bl_Packet<T, N> packet;
  packet.word = __ldcs((const typename bl_Packet<T, N>::Word*) from);
  return packet;
}

template <class T, int N> BL_DEVICE void bl_store(T* to, const bl_Packet<T, N>& packet) {
  __stcs((typename bl_Packet<T, N>::Word*) to, packet.word);
}

struct bl_Divisor {  // a number by which others below 2^31 are divided
  u32 divisor, multiplier, shift;
  __device__ __forceinline__ operator u32() const { return divisor; }
};
BL_DEVICE u32 operator/(u32 n, bl_Divisor by) { return (__umulhi(n, by.multiplier) + n) >> by.shift; }
BL_DEVICE u32 operator%(u32 n, bl_Divisor by) { return n - n / by * by.divisor; }

// float32, float32 to float32: packets of 4 within the innermost loop
struct Par {
  const float* x0;
  const float* x1;
  float* y;
  float c0;
  bl_Divisor n1;
  bl_Divisor n2;
  u32 packets;
};

BL_DEVICE float value(const Par& p, float x0, float x1) {
  const float t0 = x0 - x1;
  return t0 * p.c0;
}

// 1024 packets; only in the last tile some are past the end.
template <bool LAST> BL_DEVICE void tile(const Par& p) {
  const u32 first = blockIdx.x * 1024 + threadIdx.x;
  bl_Packet<float, 4> x0[4];
  float x1[4];
  #pragma unroll
  for (u32 u = 0; u < 4; u++) {
    const u32 packet = first + u * 256;
    if (LAST && packet >= p.packets) break;
    const u32 q2 = packet / p.n2;
    const u32 i1 = q2 % p.n1;
    x0[u] = bl_stream<4>(p.x0 + packet * 4);
    x1[u] = __ldg(p.x1 + i1);
  }
  #pragma unroll
  for (u32 u = 0; u < 4; u++) {
    const u32 packet = first + u * 256;
    if (LAST && packet >= p.packets) break;
    bl_Packet<float, 4> y;
    #pragma unroll
    for (u32 j = 0; j < 4; j++) y.e[j] = value(p, x0[u].e[j], x1[u]);
    bl_store(p.y + packet * 4, y);
  }
}

extern "C" __global__ void __launch_bounds__(256) sub_mul_inner(const Par p) {
  if (blockIdx.x + 1 < gridDim.x) tile<false>(p);
  else tile<true>(p);
}
