// The device functions of the kernels. A line "//: names" begins a section and lists what it defines, an empty line ends it, and a
// kernel gets the sections that it needs; io.github.broadloom.codegen.cuda.Prelude picks them. BL_HOST is defined where a C++ compiler
// makes a program for the CPU of it, which has no PTX.

//: u8 u16 u32 u64
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

//: BL_DEVICE
#define BL_DEVICE static __device__ __forceinline__

//: bl_half_to_float
BL_DEVICE float bl_half_to_float(u16 half) {
#ifdef BL_HOST
  return (float) __builtin_bit_cast(_Float16, half);
#else
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
  return value;
#endif
}

//: bl_float_to_half
BL_DEVICE u16 bl_float_to_half(float value) {
#ifdef BL_HOST
  return __builtin_bit_cast(u16, (_Float16) value);
#else
  u16 half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
  return half;
#endif
}

//: bl_round_half
BL_DEVICE float bl_round_half(float value) {
  return bl_half_to_float(bl_float_to_half(value));
}
