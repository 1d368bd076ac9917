// The device functions of the kernels. A line "//: names" begins a section and lists what it defines, an empty line ends it, and a
// kernel gets the sections that it needs; io.github.broadloom.cuda.code.Prelude picks them. A name that is marked with @ and a type is
// that of an overload, needed where that type is in use, too. A section stands behind those that it uses. BL_HOST is defined where a C++ compiler makes a program for the CPU of it, which has no PTX.
//
// The rules, stated in io.github.broadloom.expr.ops.Op: integers wrap, and since signed overflow is undefined in C, they do so as unsigned
// ones; a division of integers by zero sets the error and gives 0; the greater and the smaller of two are NaN where one is NaN; no
// product is contracted into a sum, for which the kernels are compiled with --fmad=false. Functions that the rows of operations call
// the way the CPU computes them are the same step by step; those of which a row permits an error of some units of the last place
// keep within it for every finite operand.

//: u8 u16 u32 u64
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

//: BL_DEVICE
#define BL_DEVICE static __device__ __forceinline__

// ------------------------------------------------------------------------------------------------------------------------- numbers

//: BL_INFINITY
#define BL_INFINITY __longlong_as_double(0x7ff0000000000000ll)

//: BL_INFINITY_F
#define BL_INFINITY_F __int_as_float(0x7f800000)

//: BL_NAN
#define BL_NAN __longlong_as_double(0x7ff8000000000000ll)

//: BL_NAN_F
#define BL_NAN_F __int_as_float(0x7fc00000)

//: bl_max @float
BL_DEVICE float bl_max(float) { return 3.40282347e+38f; }

//: bl_max @double
BL_DEVICE double bl_max(double) { return 1.7976931348623157e+308; }

// --------------------------------------------------------------------------------------------------------- memory and its indices

//: bl_Packet
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

//: bl_stream
template <int N, class T> BL_DEVICE bl_Packet<T, N> bl_stream(const T* from) {  // what is read once need not stay in a cache
  bl_Packet<T, N> packet;
  packet.word = __ldcs((const typename bl_Packet<T, N>::Word*) from);
  return packet;
}

//: bl_cached
template <int N, class T> BL_DEVICE bl_Packet<T, N> bl_cached(const T* from) {  // what other threads read, too
  bl_Packet<T, N> packet;
  packet.word = __ldg((const typename bl_Packet<T, N>::Word*) from);
  return packet;
}

//: bl_near
template <int N, class T> BL_DEVICE bl_Packet<T, N> bl_near(const T* from) {  // of shared memory
  bl_Packet<T, N> packet;
  packet.word = *(const typename bl_Packet<T, N>::Word*) from;
  return packet;
}

//: bl_keep
template <class T> BL_DEVICE void bl_keep(T* to, T value) { *to = value; }  // in shared memory
template <class T, int N> BL_DEVICE void bl_keep(T* to, const bl_Packet<T, N>& packet) {
  *(typename bl_Packet<T, N>::Word*) to = packet.word;
}

//: bl_store
template <class T, int N> BL_DEVICE void bl_store(T* to, const bl_Packet<T, N>& packet) {
  __stcs((typename bl_Packet<T, N>::Word*) to, packet.word);
}

//: bl_next
BL_DEVICE u32 bl_next(u32* count) {  // of shared memory: another number for every thread that asks
#ifdef BL_HOST
  return __atomic_fetch_add(count, 1u, __ATOMIC_RELAXED);
#else
  return atomicAdd(count, 1u);
#endif
}

//: bl_Divisor
struct bl_Divisor {  // a number by which others below 2^31 are divided
  u32 divisor, multiplier, shift;
  __device__ __forceinline__ operator u32() const { return divisor; }
};
BL_DEVICE u32 operator/(u32 n, bl_Divisor by) { return (__umulhi(n, by.multiplier) + n) >> by.shift; }
BL_DEVICE u32 operator%(u32 n, bl_Divisor by) { return n - n / by * by.divisor; }

// ------------------------------------------------------------------------------------------------------------------------- float16

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
BL_DEVICE float bl_round_half(float value) { return bl_half_to_float(bl_float_to_half(value)); }

// ------------------------------------------------------------------------------------------------------------------------ bfloat16

//: bl_bfloat16_to_float
BL_DEVICE float bl_bfloat16_to_float(u16 bits) { return __int_as_float((int) ((u32) bits << 16)); }

//: bl_float_to_bfloat16
BL_DEVICE u16 bl_float_to_bfloat16(float value) {  // to nearest, ties to even; a carry goes on into the exponent
  const u32 bits = (u32) __float_as_int(value);
  return value != value ? (u16) 0x7fc0 : (u16) (bits + 0x7fffu + (bits >> 16 & 1u) >> 16);
}

//: bl_round_bfloat16
BL_DEVICE float bl_round_bfloat16(float value) { return bl_bfloat16_to_float(bl_float_to_bfloat16(value)); }

// ------------------------------------------------------------------------------------------- floating numbers to integers, as on x86

//: bl_to_int32 @float
BL_DEVICE int bl_to_int32(float value) {
  return value >= -2147483648.0f && value < 2147483648.0f ? (int) value : -2147483647 - 1;
}

//: bl_to_int32 @double
BL_DEVICE int bl_to_int32(double value) {
  return value > -2147483649.0 && value < 2147483648.0 ? (int) value : -2147483647 - 1;
}

//: bl_to_int64 @float
BL_DEVICE long long bl_to_int64(float value) {
  return value >= -9223372036854775808.0f && value < 9223372036854775808.0f ? (long long) value : -9223372036854775807ll - 1;
}

//: bl_to_int64 @double
BL_DEVICE long long bl_to_int64(double value) {
  return value >= -9223372036854775808.0 && value < 9223372036854775808.0 ? (long long) value : -9223372036854775807ll - 1;
}

// --------------------------------------------------------------------------------------------------------------- integers that wrap

//: bl_add @int
BL_DEVICE int bl_add(int a, int b) { return (int) ((u32) a + (u32) b); }

//: bl_add @long_long
BL_DEVICE long long bl_add(long long a, long long b) { return (long long) ((u64) a + (u64) b); }

//: bl_sub @int
BL_DEVICE int bl_sub(int a, int b) { return (int) ((u32) a - (u32) b); }

//: bl_sub @long_long
BL_DEVICE long long bl_sub(long long a, long long b) { return (long long) ((u64) a - (u64) b); }

//: bl_mul @int
BL_DEVICE int bl_mul(int a, int b) { return (int) ((u32) a * (u32) b); }

//: bl_mul @long_long
BL_DEVICE long long bl_mul(long long a, long long b) { return (long long) ((u64) a * (u64) b); }

//: bl_neg @int
BL_DEVICE int bl_neg(int a) { return (int) (0u - (u32) a); }

//: bl_neg @long_long
BL_DEVICE long long bl_neg(long long a) { return (long long) (0ull - (u64) a); }

//: bl_left_shift @int
BL_DEVICE int bl_left_shift(int a, int count) { return count < 0 || count > 31 ? 0 : (int) ((u32) a << count); }

//: bl_left_shift @long_long
BL_DEVICE long long bl_left_shift(long long a, long long count) {
  return count < 0 || count > 63 ? 0 : (long long) ((u64) a << count);
}

//: bl_right_shift @int
BL_DEVICE int bl_right_shift(int a, int count) { return a >> (count < 0 || count > 31 ? 31 : count); }

//: bl_right_shift @long_long
BL_DEVICE long long bl_right_shift(long long a, long long count) { return a >> (count < 0 || count > 63 ? 63 : count); }

// ------------------------------------------------------------------------------------------------------------- division of integers

//: bl_trunc_divide @int
BL_DEVICE int bl_trunc_divide(int a, int b, bool& error) {
  if (b == 0) {
    error = true;
    return 0;
  }
  return b == -1 ? (int) (0u - (u32) a) : a / b;
}

//: bl_trunc_divide @long_long
BL_DEVICE long long bl_trunc_divide(long long a, long long b, bool& error) {
  if (b == 0) {
    error = true;
    return 0;
  }
  return b == -1 ? (long long) (0ull - (u64) a) : a / b;
}

//: bl_fmod @int
BL_DEVICE int bl_fmod(int a, int b, bool& error) {
  if (b == 0) {
    error = true;
    return 0;
  }
  return b == -1 ? 0 : a % b;
}

//: bl_fmod @long_long
BL_DEVICE long long bl_fmod(long long a, long long b, bool& error) {
  if (b == 0) {
    error = true;
    return 0;
  }
  return b == -1 ? 0 : a % b;
}

//: bl_remainder @int
BL_DEVICE int bl_remainder(int a, int b, bool& error) {
  const int mod = bl_fmod(a, b, error);
  return mod != 0 && (b < 0) != (mod < 0) ? mod + b : mod;
}

//: bl_remainder @long_long
BL_DEVICE long long bl_remainder(long long a, long long b, bool& error) {
  const long long mod = bl_fmod(a, b, error);
  return mod != 0 && (b < 0) != (mod < 0) ? mod + b : mod;
}

//: bl_remainder @float
BL_DEVICE float bl_remainder(float a, float b) {
  const float mod = fmodf(a, b);
  return mod != 0 && (b < 0) != (mod < 0) ? mod + b : mod;
}

//: bl_remainder @double
BL_DEVICE double bl_remainder(double a, double b) {
  const double mod = fmod(a, b);
  return mod != 0 && (b < 0) != (mod < 0) ? mod + b : mod;
}

//: bl_floor_divide @int
BL_DEVICE int bl_floor_divide(int a, int b, bool& error) {
  const int quotient = bl_trunc_divide(a, b, error);
  return (a < 0) != (b < 0) && b != 0 && (int) ((u32) quotient * (u32) b) != a ? quotient - 1 : quotient;
}

//: bl_floor_divide @long_long
BL_DEVICE long long bl_floor_divide(long long a, long long b, bool& error) {
  const long long quotient = bl_trunc_divide(a, b, error);
  return (a < 0) != (b < 0) && b != 0 && (long long) ((u64) quotient * (u64) b) != a ? quotient - 1 : quotient;
}

//: bl_floor_divide @float
BL_DEVICE float bl_floor_divide(float a, float b) {
  if (b == 0) return a / b;
  const float mod = fmodf(a, b);
  float quotient = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0)) quotient -= 1;
  if (quotient == 0) return copysignf(0.0f, a / b);
  const float floored = floorf(quotient);
  return quotient - floored > 0.5f ? floored + 1 : floored;
}

//: bl_floor_divide @double
BL_DEVICE double bl_floor_divide(double a, double b) {
  if (b == 0) return a / b;
  const double mod = fmod(a, b);
  double quotient = (a - mod) / b;
  if (mod != 0 && (b < 0) != (mod < 0)) quotient -= 1;
  if (quotient == 0) return copysign(0.0, a / b);
  const double floored = floor(quotient);
  return quotient - floored > 0.5 ? floored + 1 : floored;
}

//: bl_floor_divide_rounding
template <float (*round)(float)> BL_DEVICE float bl_floor_divide_rounding(float a, float b) {  // every step rounded
  if (b == 0) return a / b;
  const float mod = fmodf(a, b);
  float quotient = round(round(a - mod) / b);
  if (mod != 0 && (b < 0) != (mod < 0)) quotient = round(quotient - 1);
  if (quotient == 0) return copysignf(0.0f, a / b);
  const float floored = floorf(quotient);
  return round(quotient - floored) > 0.5f ? round(floored + 1) : floored;
}

// ------------------------------------------------------------------------------------------------------- sign, bounds and choices

//: bl_nextafter
template <u16 (*to)(float), float (*from)(u16)> BL_DEVICE float bl_nextafter(float a, float b) {  // among values of 16 bits
  if (a == b) return b;
  if (a != a || b != b) return BL_NAN_F;
  if (a == 0) return copysignf(from(1), b);
  return from((u16) (to(a) + ((b > a) == (a > 0) ? 1 : -1)));
}

//: bl_abs @int
BL_DEVICE int bl_abs(int a) { return a < 0 ? (int) (0u - (u32) a) : a; }

//: bl_abs @long_long
BL_DEVICE long long bl_abs(long long a) { return a < 0 ? (long long) (0ull - (u64) a) : a; }

//: bl_abs @float
BL_DEVICE float bl_abs(float a) { return fabsf(a); }

//: bl_abs @double
BL_DEVICE double bl_abs(double a) { return fabs(a); }

//: bl_sign @int
BL_DEVICE int bl_sign(int a) { return (a > 0) - (a < 0); }

//: bl_sign @long_long
BL_DEVICE long long bl_sign(long long a) { return (a > 0) - (a < 0); }

//: bl_sign @float
BL_DEVICE float bl_sign(float a) { return (float) ((a > 0) - (a < 0)); }

//: bl_sign @double
BL_DEVICE double bl_sign(double a) { return (double) ((a > 0) - (a < 0)); }

//: bl_signbit @float
BL_DEVICE bool bl_signbit(float a) { return __float_as_int(a) < 0; }

//: bl_signbit @double
BL_DEVICE bool bl_signbit(double a) { return __double_as_longlong(a) < 0; }

//: bl_maximum @int
BL_DEVICE int bl_maximum(int a, int b) { return a < b ? b : a; }

//: bl_maximum @long_long
BL_DEVICE long long bl_maximum(long long a, long long b) { return a < b ? b : a; }

//: bl_maximum @float
BL_DEVICE float bl_maximum(float a, float b) {
#if defined(BL_HOST) || __CUDA_ARCH__ < 800  // which have no such instruction
  if (a != a || b != b) return a + b;
  return a < b || a == b && __float_as_int(a) < 0 ? b : a;
#else
  float greater;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(greater) : "f"(a), "f"(b));
  return greater;
#endif
}

//: bl_maximum @double
BL_DEVICE double bl_maximum(double a, double b) {
  if (a != a || b != b) return a + b;
  return a < b || a == b && __double_as_longlong(a) < 0 ? b : a;  // 0.0 is greater than -0.0
}

//: bl_minimum @int
BL_DEVICE int bl_minimum(int a, int b) { return b < a ? b : a; }

//: bl_minimum @long_long
BL_DEVICE long long bl_minimum(long long a, long long b) { return b < a ? b : a; }

//: bl_minimum @float
BL_DEVICE float bl_minimum(float a, float b) {
#if defined(BL_HOST) || __CUDA_ARCH__ < 800  // which have no such instruction
  if (a != a || b != b) return a + b;
  return b < a || a == b && __float_as_int(b) < 0 ? b : a;
#else
  float smaller;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(smaller) : "f"(a), "f"(b));
  return smaller;
#endif
}

//: bl_minimum @double
BL_DEVICE double bl_minimum(double a, double b) {
  if (a != a || b != b) return a + b;
  return b < a || a == b && __double_as_longlong(b) < 0 ? b : a;
}

//: bl_fmax @float
BL_DEVICE float bl_fmax(float a, float b) { return a < b || a != a ? b : a; }

//: bl_fmax @double
BL_DEVICE double bl_fmax(double a, double b) { return a < b || a != a ? b : a; }

//: bl_fmin @float
BL_DEVICE float bl_fmin(float a, float b) { return b < a || a != a ? b : a; }

//: bl_fmin @double
BL_DEVICE double bl_fmin(double a, double b) { return b < a || a != a ? b : a; }

//: bl_clamp @float
BL_DEVICE float bl_clamp(float a, float low, float high) {
  float held = bl_minimum(bl_maximum(a, low), high);
  return held == a ? a : held;  // a zero keeps its sign
}

//: bl_clamp @double
BL_DEVICE double bl_clamp(double a, double low, double high) {
  double held = bl_minimum(bl_maximum(a, low), high);
  return held == a ? a : held;  // a zero keeps its sign
}

//: bl_nan_to_num @float
BL_DEVICE float bl_nan_to_num(float a, float nan, float posinf, float neginf) {
  return a != a ? nan : fabsf(a) <= bl_max(a) ? a : a > 0 ? posinf : neginf;
}

//: bl_nan_to_num @double
BL_DEVICE double bl_nan_to_num(double a, double nan, double posinf, double neginf) {
  return a != a ? nan : fabs(a) <= bl_max(a) ? a : a > 0 ? posinf : neginf;
}

//: bl_lerp @float
BL_DEVICE float bl_lerp(float a, float b, float weight) {
  return fabsf(weight) < 0.5f ? a + weight * (b - a) : b - (b - a) * (1 - weight);
}

//: bl_lerp @double
BL_DEVICE double bl_lerp(double a, double b, double weight) {
  return fabs(weight) < 0.5 ? a + weight * (b - a) : b - (b - a) * (1 - weight);
}

// -------------------------------------------------------------------------------------------------------------------------- powers

//: bl_pow @long_long
BL_DEVICE long long bl_pow(long long base, long long exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? ((exponent & 1) == 0 ? 1 : -1) : 0;
  u64 result = 1;
  u64 square = (u64) base;
  for (u64 left = (u64) exponent; left != 0; left >>= 1) {
    if (left & 1) result *= square;
    square *= square;
  }
  return (long long) result;
}

//: bl_pow @int
BL_DEVICE int bl_pow(int base, int exponent) {
  if (exponent < 0) return base == 1 ? 1 : base == -1 ? ((exponent & 1) == 0 ? 1 : -1) : 0;
  u32 result = 1;
  u32 square = (u32) base;
  for (u32 left = (u32) exponent; left != 0; left >>= 1) {
    if (left & 1) result *= square;
    square *= square;
  }
  return (int) result;
}

//: bl_pow @double
BL_DEVICE double bl_pow(double base, double exponent) { return exponent == 2 ? base * base : pow(base, exponent); }

//: bl_pow @float
BL_DEVICE float bl_pow(float base, float exponent) {
  return exponent == 2 ? base * base : (float) pow((double) base, (double) exponent);
}

// --------------------------------------------------------------------------------------------------------------- special functions

//: bl_chebyshev
template <int N> BL_DEVICE double bl_chebyshev(const double (&coefficients)[N], double u) {  // by Clenshaw's recurrence
  double next = 0;
  double after_next = 0;
  #pragma unroll
  for (int n = N - 1; n > 0; n--) {
    const double current = coefficients[n] + (2 * u * next - after_next);
    after_next = next;
    next = current;
  }
  return coefficients[0] + (u * next - after_next);
}

//: bl_erfc_scaled
BL_DEVICE double bl_erfc_scaled(double x) {  // exp(x * x) erfc(x) for x from 0.5 to 28
  constexpr double coefficients[] = {
      1.2073394080159194,      -0.7311765461706531,     0.17753428624414713,     -0.033780174073705246,
      0.004710830529139655,    -0.0003867230743141926,  -5.564836531360192e-06,  5.8357064672740725e-06,
      -4.384802199712824e-07,  -6.503325436525308e-08,  1.1563991349809652e-08,  7.651872655599847e-10,
      -2.59342866843946e-10,   -1.2346714305301898e-11, 5.978487008503378e-12,   3.320104367955926e-13,
      -1.4363278283529667e-13, -1.2376396951866355e-14, 3.4239985630336394e-15,  4.957789096382767e-16,
      -7.222931674347037e-17,  -1.9041481389433392e-17};
  constexpr double middle = (25.0 / 31 - 5.0 / 7) / 2;
  constexpr double stretch = 2 / (25.0 / 31 + 5.0 / 7);
  const double t = (x - 3) / (x + 3);
  return bl_chebyshev(coefficients, (t - middle) * stretch) / (x + 3);
}

//: bl_erfc @float
BL_DEVICE float bl_erfc(float x) { return erfcf(x); }

//: bl_erfc @double
BL_DEVICE double bl_erfc(double x) {
  if (x < 0.5) return 1 - erf(x);
  const double square = x * x;
  return x > 28 ? 0 : exp(-square) * (1 - fma(x, x, -square)) * bl_erfc_scaled(x);
}

//: bl_sin_pi @double
BL_DEVICE double bl_sin_pi(double x) {
#ifdef BL_HOST
  const double turn = x - 2 * rint(x / 2);
  const double size = fabs(turn);
  const double from_axis = size > 0.5 ? 1 - size : size;
  const double sine = from_axis > 0.25 ? cos(3.14159265358979324 * (0.5 - from_axis)) : sin(3.14159265358979324 * from_axis);
  return copysign(sine, turn);
#else
  return sinpi(x);
#endif
}

//: bl_sin_pi @float
BL_DEVICE float bl_sin_pi(float x) {
#ifdef BL_HOST
  return (float) bl_sin_pi((double) x);
#else
  return sinpif(x);
#endif
}

//: bl_sinc @float
BL_DEVICE float bl_sinc(float x) { return fabsf(x) < 1e-4f ? 1 : bl_sin_pi(x) / (3.14159265f * x); }

//: bl_sinc @double
BL_DEVICE double bl_sinc(double x) { return fabs(x) < 1e-9 ? 1 : bl_sin_pi(x) / (3.14159265358979324 * x); }

//: bl_lgamma @double
static __device__ __noinline__ double bl_lgamma(double x) { return lgamma(x); }

//: bl_lgamma @float
BL_DEVICE float bl_lgamma(float x) { return (float) bl_lgamma((double) x); }

//: bl_logit @float
BL_DEVICE float bl_logit(float x) {
  return x > 0.25f && x < 0.75f ? log1pf((2 * x - 1) / (1 - x)) : logf(x / (1 - x));
}

//: bl_logit @double
BL_DEVICE double bl_logit(double x) {
  return x > 0.25 && x < 0.75 ? log1p((2 * x - 1) / (1 - x)) : log(x / (1 - x));
}

//: bl_xlogy @float
BL_DEVICE float bl_xlogy(float a, float b) { return b != b ? b : a == 0 ? 0 : a * logf(b); }

//: bl_xlogy @double
BL_DEVICE double bl_xlogy(double a, double b) { return b != b ? b : a == 0 ? 0 : a * log(b); }

//: bl_logaddexp @double
BL_DEVICE double bl_logaddexp(double a, double b) {
  return a == b ? a + 0.693147180559945309417 : bl_maximum(a, b) + log1p(exp(-fabs(a - b)));
}

//: bl_logaddexp @float
BL_DEVICE float bl_logaddexp(float a, float b) { return (float) bl_logaddexp((double) a, (double) b); }  // a sum near 0 cancels

//: bl_logaddexp2 @double
BL_DEVICE double bl_logaddexp2(double a, double b) {
  return a == b ? a + 1 : bl_maximum(a, b) + log1p(exp2(-fabs(a - b))) / 0.693147180559945309417;
}

//: bl_logaddexp2 @float
BL_DEVICE float bl_logaddexp2(float a, float b) { return (float) bl_logaddexp2((double) a, (double) b); }

// --------------------------------------------------------------------------------------------------------------------- activations

//: bl_sigmoid @float
BL_DEVICE float bl_sigmoid(float x) { return 1 / (1 + expf(-x)); }

//: bl_sigmoid @double
BL_DEVICE double bl_sigmoid(double x) { return 1 / (1 + exp(-x)); }

//: bl_product_exp
BL_DEVICE float bl_product_exp(float x, float y) {  // x exp(y) where exp(y) underflows and the product does not
  return x * expf(y + 16) * 1.12535175e-07f;
}

//: bl_weighted
BL_DEVICE double bl_weighted(double x, double y) {  // x / (1 + exp(-y))
  if (y >= 0) return x / (1 + exp(-y));
  const double half = exp(y / 2);
  return x * half / (1 + half * half) * half;
}

//: bl_silu @float
BL_DEVICE float bl_silu(float x) { return x < -80 ? bl_product_exp(x, x) : x / (1 + expf(-x)); }

//: bl_silu @double
BL_DEVICE double bl_silu(double x) { return bl_weighted(x, x); }

//: bl_normal_cdf
BL_DEVICE float bl_normal_cdf(float x) {
#ifdef BL_HOST
  return (float) (0.5 * erfc(-0.70710678118654752 * x));
#else
  return normcdff(x);
#endif
}

//: bl_gelu @float
BL_DEVICE float bl_gelu(float x) {
  if (x > -12) return x * bl_normal_cdf(x);
  const float square = x * x;  // Mills' ratio, since the distribution function itself would underflow
  const float density = 0.39894228f * expf(-0.5f * square) * (1 - 0.5f * fmaf(x, x, -square));
  const float r = 1 / square;
  return x < -15 ? x * 0.0f : x == x ? -density * (1 - r * (1 - r * (3 - r * (15 - r * 105)))) : x;
}

//: bl_gelu @double
BL_DEVICE double bl_gelu(double x) {
  const double root = -0.70710678118654752 * x;
  if (root < 0.5) return 0.5 * x * (1 - erf(root));
  const double square = x * x;
  const double decay = exp(-square / 2) * (1 - fma(x, x, -square) / 2);
  return 0.5 * x * (root > 28 ? 0 : decay * bl_erfc_scaled(root));
}

//: bl_gelu_tanh @float
BL_DEVICE float bl_gelu_tanh(float x) {  // the exponent as the sum of two floats: its error is the relative error of the result
  const double d = x;
  const double y = fmin(fmax(d * (1.5957691216057308 + 0.07135481627260025 * (d * d)), -200.0), 200.0);
  const float high = (float) y;
  const float low = (float) (y - (double) high);
  if (high < -80) return bl_product_exp(x, high) * (1 + low);
  return x / (1 + expf(-high) * (1 - low));
}

//: bl_gelu_tanh @double
BL_DEVICE double bl_gelu_tanh(double x) {
  const double slope_high = 1.5957691216057308, slope_low = -9.96930880911092e-17;
  const double cubic_high = 0.07135481627260025, cubic_low = -6.175149918155315e-19;
  const double square = x * x;
  const double cubic = cubic_high * square;
  const double slope = slope_high + cubic;
  const double y = slope * x;
  if (!(y > -1500) || y > 40) return y > 40 ? x : x * exp(y);
  const double square_rest = fma(x, x, -square);
  const double cubic_rest = fma(cubic_high, square, -cubic) + (cubic_high * square_rest + cubic_low * square);
  const double slope_rest = cubic < slope_high ? slope_high - slope + cubic : cubic - slope + slope_high;
  const double rest = fma(slope, x, -y) + (slope_rest + cubic_rest + slope_low) * x;
  return bl_weighted(x, y) * (y < 0 ? 1 + rest : 1);
}

//: bl_mish @float
BL_DEVICE float bl_mish(float x) {
  if (x > 20) return x;
  if (x < -80) return bl_product_exp(x, x);
  const float e = expf(x);
  const float n = e * (e + 2);
  return x * (n / (n + 2));
}

//: bl_mish @double
BL_DEVICE double bl_mish(double x) {
  if (x > 20) return x;
  const double half = exp(x / 2);
  const double e = half * half;
  return x * half * (e + 2) / (e * (e + 2) + 2) * half;
}

//: bl_softplus @float
BL_DEVICE float bl_softplus(float x, float beta, float threshold) {  // the exponent as the sum of two floats, as in bl_gelu_tanh
  const double y = (double) x * (double) beta;
  if (y > threshold) return x;
  if (y > 30) return (float) (y / (double) beta);
  const float high = (float) y;
  const float low = (float) (y - (double) high);
  return log1pf(expf(high) * (1 + (high > -200 ? low : 0))) / beta;
}

//: bl_softplus @double
BL_DEVICE double bl_softplus(double x, double beta, double threshold) {
  return x * beta > threshold ? x : log1p(exp(x * beta)) / beta;
}

//: bl_logsigmoid @float
BL_DEVICE float bl_logsigmoid(float x) { return bl_minimum(x, 0.0f) - log1pf(expf(-fabsf(x))); }

//: bl_logsigmoid @double
BL_DEVICE double bl_logsigmoid(double x) { return bl_minimum(x, 0.0) - log1p(exp(-fabs(x))); }

//: bl_elu @float
BL_DEVICE float bl_elu(float x, float alpha, float scale, float input_scale) {
  return x < 0 ? expm1f(x * input_scale) * (alpha * scale) : x * scale;
}

//: bl_elu @double
BL_DEVICE double bl_elu(double x, double alpha, double scale, double input_scale) {
  return x < 0 ? expm1(x * input_scale) * (alpha * scale) : x * scale;
}

// ---------------------------------------------------------------------------------------------------------------------- reductions

//: bl_result
BL_DEVICE float bl_result(float value) { return value != value ? BL_NAN_F : value; }  // one NaN stands for all
BL_DEVICE double bl_result(double value) { return value != value ? BL_NAN : value; }

//: bl_half_result
BL_DEVICE u16 bl_half_result(float value) {
  return value != value ? (u16) 0x7e00 : bl_float_to_half(value);
}

//: bl_bfloat16_result
BL_DEVICE u16 bl_bfloat16_result(float value) { return bl_float_to_bfloat16(value); }
