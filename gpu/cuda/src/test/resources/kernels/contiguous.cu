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

BL_DEVICE float bl_half_to_float(u16 half) {
#ifdef BL_HOST
  return (float) __builtin_bit_cast(_Float16, half);
#else
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
  return value;
#endif
}

BL_DEVICE u16 bl_float_to_half(float value) {
#ifdef BL_HOST
  return __builtin_bit_cast(u16, (_Float16) value);
#else
  u16 half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
  return half;
#endif
}

BL_DEVICE float bl_round_half(float value) { return bl_half_to_float(bl_float_to_half(value)); }

// float16 to float16: packets of 8
struct Par {
  const u16* x0;
  u16* y;
  float c0;
  u32 packets;
  u32 elements;
};

BL_DEVICE u16 value(const Par& p, u16 x0) {
  const float t0 = bl_half_to_float(x0);
  const float t1 = bl_round_half(t0 * p.c0);
  return bl_float_to_half(t1 + t0);
}

// 1024 packets; the last tile has those that are left, and the elements behind them.
template <bool LAST> BL_DEVICE void tile(const Par& p) {
  const u32 first = blockIdx.x * 1024 + threadIdx.x;
  bl_Packet<u16, 8> x0[4];
  #pragma unroll
  for (u32 u = 0; u < 4; u++) {
    const u32 packet = first + u * 256;
    if (LAST && packet >= p.packets) break;
    x0[u] = bl_stream<8>(p.x0 + packet * 8);
  }
  #pragma unroll
  for (u32 u = 0; u < 4; u++) {
    const u32 packet = first + u * 256;
    if (LAST && packet >= p.packets) break;
    bl_Packet<u16, 8> y;
    #pragma unroll
    for (u32 j = 0; j < 8; j++) y.e[j] = value(p, x0[u].e[j]);
    bl_store(p.y + packet * 8, y);
  }
  const u32 element = p.packets * 8 + threadIdx.x;
  if (LAST && element < p.elements) {
    __stcs(p.y + element, value(p, __ldcs(p.x0 + element)));
  }
}

extern "C" __global__ void __launch_bounds__(256) mul_add_contiguous(const Par p) {
  if (blockIdx.x + 1 < gridDim.x) tile<false>(p);
  else tile<true>(p);
}
