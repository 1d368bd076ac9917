// CUDA C on the host: what a generated kernel takes from its compiler and its GPU, for g++ and one CPU thread. A grid runs block after
// block. The threads of a block run one after another where they do not meet; kernels that have barriers or shuffles run each thread on
// a stack of its own (a fiber), and a barrier switches to the next.
//
// What it checks, as a GPU or its memory checker would: loads and stores through the intrinsics are aligned to their width and stay
// inside the allocations of the stand-in driver; every thread of a block comes to a barrier; shared memory is poisoned before each
// block. A fault ends the launch with CUDA's error number and a sentence. Kernels load and store global memory through __ldg, __ldcs,
// __stcs and the like only, so that nothing escapes the checks.
#pragma once
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

namespace cuda_host {

struct Range { uintptr_t begin, end; };
struct Launch {  // fake-libcuda.cpp has the same
    const void* parameters;
    unsigned blocks, threads;
    const Range* ranges;
    size_t rangeCount;
    char* message;
    size_t messageBytes;
};
enum Error { SUCCESS = 0, ILLEGAL_ADDRESS = 700, MISALIGNED_ADDRESS = 716, LAUNCH_FAILED = 719 };
struct Fault { int error; };

static const Launch* launch;
static const char* kernelName;

struct Index { unsigned x, y, z; };
static Index thread{0, 0, 0}, block{0, 0, 0}, blockSize{1, 1, 1}, gridSize{1, 1, 1};

template <class... T>
[[noreturn]] static void fault(int error, const char* format, T... values) {
    int used = snprintf(launch->message, launch->messageBytes, "%s, block %u, thread %u: ", kernelName, block.x, thread.x);
    snprintf(launch->message + used, launch->messageBytes - used, format, values...);
    throw Fault{error};
}

// ---------------------------------------------------------------------------------------------------------------- global memory

static Range recent{0, 0};

static inline void checkSlowly(uintptr_t at, size_t bytes, const char* what) {
    size_t low = 0, high = launch->rangeCount;  // the first range that ends behind the address
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (launch->ranges[middle].end <= at) low = middle + 1; else high = middle;
    }
    if (low == launch->rangeCount || at < launch->ranges[low].begin || at + bytes > launch->ranges[low].end)
        fault(ILLEGAL_ADDRESS, "%s of %zu bytes at %#zx is outside every allocation", what, bytes, static_cast<size_t>(at));
    recent = launch->ranges[low];
}

static inline void check(const void* pointer, size_t bytes, size_t alignment, const char* what) {
    uintptr_t at = reinterpret_cast<uintptr_t>(pointer);
    if (at % alignment != 0) fault(MISALIGNED_ADDRESS, "%s of %zu bytes at %#zx is not aligned", what, bytes, static_cast<size_t>(at));
    if (at < recent.begin || at + bytes > recent.end) checkSlowly(at, bytes, what);
}

template <class T> static inline T load(const T* pointer) {
    check(pointer, sizeof(T), alignof(T), "a load");
    T value;
    memcpy(&value, pointer, sizeof(T));
    return value;
}
template <class T> struct Same { typedef T type; };
template <class T> static inline void store(T* pointer, const T& value) {
    check(pointer, sizeof(T), alignof(T), "a store");
    memcpy(pointer, &value, sizeof(T));
}

// ------------------------------------------------------------------------------------------------------------- fibers and barriers

constexpr unsigned WARP = 32, MAX_THREADS = 1024;
constexpr size_t STACK_BYTES = 128 << 10;

extern "C" void cuda_host_switch(void** from, void* to) __attribute__((visibility("hidden")));
asm(R"(
.text
.hidden cuda_host_switch
.globl cuda_host_switch
cuda_host_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
)");

struct Fiber { void* stack; bool done; };
struct Meeting { unsigned arrived, generation; };
struct Warp { Meeting meeting; unsigned done; uint64_t words[2][WARP]; unsigned turns[2][WARP], turn[WARP]; };

static char* stacks;
static Fiber fibers[MAX_THREADS];
static Warp warps[MAX_THREADS / WARP];
static Meeting everyone;
static unsigned doneThreads;
static uint64_t progress;
static void* scheduler;
static void (*body)();
static int failure;
static bool fibersRun;

static void yield() {
    unsigned self = thread.x;
    cuda_host_switch(&fibers[self].stack, scheduler);
    thread.x = self;
}

static void release(Meeting& meeting) {
    meeting.arrived = 0;
    meeting.generation++;
    progress++;
}

static void meet(Meeting& meeting, bool complete) {
    if (!fibersRun) fault(LAUNCH_FAILED, "a barrier in a kernel that was built without fibers");
    unsigned generation = meeting.generation;
    meeting.arrived++;
    if (complete) {
        release(meeting);
        return;
    }
    while (meeting.generation == generation) yield();
}

static void meetBlock() { meet(everyone, everyone.arrived + 1 + doneThreads == blockSize.x); }

static unsigned warpThreads() {
    unsigned first = thread.x / WARP * WARP;
    return blockSize.x - first < WARP ? blockSize.x - first : WARP;
}

static void meetWarp(unsigned mask) {
    Warp& warp = warps[thread.x / WARP];
    if (!(mask >> (thread.x % WARP) & 1)) fault(LAUNCH_FAILED, "a thread that is not in the mask %#x of its warp's operation", mask);
    unsigned wanted = 0;
    for (unsigned lane = 0; lane < warpThreads(); lane++) wanted += mask >> lane & 1;
    meet(warp.meeting, warp.meeting.arrived + 1 == wanted);
}

static void fiberMain() {
    try {
        body();
    } catch (const Fault& f) {
        failure = f.error;
    }
    fibers[thread.x].done = true;
    doneThreads++;
    progress++;
    if (everyone.arrived > 0 && everyone.arrived + doneThreads == blockSize.x) release(everyone);
    cuda_host_switch(&fibers[thread.x].stack, scheduler);
    __builtin_trap();
}

static void prepareFibers() {
    if (!stacks) stacks = static_cast<char*>(mmap(nullptr, MAX_THREADS * STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    for (unsigned t = 0; t < blockSize.x; t++) {
        void** top = reinterpret_cast<void**>(stacks + (t + 1) * STACK_BYTES);
        *--top = nullptr;  // where fiberMain would return to; keeps its frame aligned
        *--top = reinterpret_cast<void*>(&fiberMain);
        for (int saved = 0; saved < 6; saved++) *--top = nullptr;
        fibers[t] = Fiber{top, false};
    }
    memset(warps, 0, sizeof(warps));
    everyone = Meeting{0, 0};
    doneThreads = 0;
    failure = SUCCESS;
}

static void runFibers() {
    prepareFibers();
    while (doneThreads < blockSize.x) {
        uint64_t before = progress;
        for (unsigned t = 0; t < blockSize.x; t++) {
            if (fibers[t].done) continue;
            thread.x = t;
            cuda_host_switch(&scheduler, fibers[t].stack);
            if (failure) throw Fault{failure};
        }
        if (progress == before) fault(LAUNCH_FAILED, "%u of %u threads wait for others that never come", blockSize.x - doneThreads, blockSize.x);
    }
}

// One word of every lane of the warp, as all lanes see them when they have met.
struct Exchange {
    const uint64_t* words;
    const unsigned* turns;
    unsigned turn;
    bool has(int lane) const { return turns[lane] == turn; }
};
static Exchange exchange(unsigned mask, uint64_t word) {
    Warp& warp = warps[thread.x / WARP];
    unsigned lane = thread.x % WARP, turn = ++warp.turn[lane];
    unsigned set = turn & 1;  // nobody is two operations ahead of another, so two sets are enough
    warp.words[set][lane] = word;
    warp.turns[set][lane] = turn;
    meetWarp(mask);
    return Exchange{warp.words[set], warp.turns[set], turn};
}

template <class T> static T shuffle(unsigned mask, T value, int source) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "shuffles move words of 4 or 8 bytes");
    uint64_t word = 0;
    memcpy(&word, &value, sizeof(T));
    Exchange all = exchange(mask, word);
    if (!all.has(source)) return memset(&value, 0xA5, sizeof(T)), value;  // undefined: the other lane takes no part
    memcpy(&value, &all.words[source], sizeof(T));
    return value;
}
static int laneOf() { return static_cast<int>(thread.x % WARP); }

template <class Parameters> struct Call {
    static void (*kernel)(Parameters);
    static const void* bytes;
    static void once() {
        Parameters parameters;
        memcpy(static_cast<void*>(&parameters), bytes, sizeof(parameters));
        kernel(parameters);
    }
};
template <class P> void (*Call<P>::kernel)(P);
template <class P> const void* Call<P>::bytes;

enum class Threads { IN_TURN, FIBERS };

template <class Parameters>
static int run(void (*kernel)(Parameters), const char* name, Threads threads, char* shared, char* sharedEnd, const Launch* asked) {
    launch = asked;
    kernelName = name;
    recent = Range{0, 0};
    blockSize.x = asked->threads;
    gridSize.x = asked->blocks;
    fibersRun = threads == Threads::FIBERS;
    Call<Parameters>::kernel = kernel;
    Call<Parameters>::bytes = asked->parameters;
    body = &Call<Parameters>::once;
    try {
        for (block.x = 0; block.x < asked->blocks; block.x++) {
            if (shared) memset(shared, 0xA5, sharedEnd - shared);
            if (fibersRun) {
                runFibers();
            } else {
                for (thread.x = 0; thread.x < asked->threads; thread.x++) body();
            }
        }
    } catch (const Fault& f) {
        return f.error;
    }
    return SUCCESS;
}

template <class Parameters> constexpr size_t parameterBytes(void (*)(Parameters)) { return sizeof(Parameters); }

}  // namespace cuda_host

// Behind each kernel: what the stand-in driver looks for. SECTION is the linker section of the kernel's shared memory.
#define CUDA_HOST_KERNEL(KEY, ENTRY, THREADS, SECTION)                                                                                    \
    extern "C" char __start_##SECTION[] __attribute__((weak, visibility("hidden")));                                                      \
    extern "C" char __stop_##SECTION[] __attribute__((weak, visibility("hidden")));                                                       \
    extern "C" int run_##KEY##_##ENTRY(const cuda_host::Launch* launch) {                                                                 \
        return cuda_host::run(&kernel_##KEY::ENTRY, #ENTRY, cuda_host::Threads::THREADS, __start_##SECTION, __stop_##SECTION, launch);    \
    }                                                                                                                                     \
    extern "C" size_t parameters_##KEY##_##ENTRY() { return cuda_host::parameterBytes(&kernel_##KEY::ENTRY); }

// ----------------------------------------------------------------------------------------------------------------------- the language

#define BL_HOST 1
#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __shared__ static __attribute__((section(CUDA_HOST_SECTION)))
#define threadIdx (cuda_host::thread)
#define blockIdx (cuda_host::block)
#define blockDim (cuda_host::blockSize)
#define gridDim (cuda_host::gridSize)
static const int warpSize = 32;

#define CUDA_HOST_VECTORS(NAME, T, ALIGN2, ALIGN4)                                                                                        \
    struct alignas(ALIGN2) NAME##2 { T x, y; };                                                                                           \
    struct alignas(ALIGN4) NAME##4 { T x, y, z, w; };                                                                                     \
    struct NAME##3 { T x, y, z; };                                                                                                        \
    static inline NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }                                                                     \
    static inline NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; }                                                             \
    static inline NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }
CUDA_HOST_VECTORS(char, signed char, 2, 4)
CUDA_HOST_VECTORS(uchar, unsigned char, 2, 4)
CUDA_HOST_VECTORS(short, short, 4, 8)
CUDA_HOST_VECTORS(ushort, unsigned short, 4, 8)
CUDA_HOST_VECTORS(int, int, 8, 16)
CUDA_HOST_VECTORS(uint, unsigned, 8, 16)
CUDA_HOST_VECTORS(float, float, 8, 16)
CUDA_HOST_VECTORS(longlong, long long, 16, 16)
CUDA_HOST_VECTORS(ulonglong, unsigned long long, 16, 16)
CUDA_HOST_VECTORS(double, double, 16, 16)

template <class T> static inline T __ldg(const T* p) { return cuda_host::load(p); }
template <class T> static inline T __ldcs(const T* p) { return cuda_host::load(p); }
template <class T> static inline T __ldca(const T* p) { return cuda_host::load(p); }
template <class T> static inline T __ldcg(const T* p) { return cuda_host::load(p); }
template <class T> static inline T __ldcv(const T* p) { return cuda_host::load(p); }
template <class T> static inline T __ldlu(const T* p) { return cuda_host::load(p); }
template <class T> static inline void __stcs(T* p, const typename cuda_host::Same<T>::type& v) { cuda_host::store(p, v); }
template <class T> static inline void __stcg(T* p, const typename cuda_host::Same<T>::type& v) { cuda_host::store(p, v); }
template <class T> static inline void __stwb(T* p, const typename cuda_host::Same<T>::type& v) { cuda_host::store(p, v); }
template <class T> static inline void __stwt(T* p, const typename cuda_host::Same<T>::type& v) { cuda_host::store(p, v); }

// ----------------------------------------------------------------------------------------------------------- barriers, warps, atomics

static inline void __syncthreads() { cuda_host::meetBlock(); }
static inline void __syncwarp(unsigned mask = 0xffffffffu) { cuda_host::meetWarp(mask); }
static inline void __threadfence() {}
static inline void __threadfence_block() {}
template <class T> static inline T __shfl_sync(unsigned mask, T v, int source, int width = 32) {
    int base = cuda_host::laneOf() / width * width;
    return cuda_host::shuffle(mask, v, base + (source & (width - 1)));
}
template <class T> static inline T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = 32) {
    int self = cuda_host::laneOf(), source = self ^ lanes;
    return cuda_host::shuffle(mask, v, source / width <= self / width ? source : self);
}
template <class T> static inline T __shfl_down_sync(unsigned mask, T v, unsigned by, int width = 32) {
    int self = cuda_host::laneOf(), source = self + static_cast<int>(by);
    return cuda_host::shuffle(mask, v, source / width == self / width ? source : self);
}
template <class T> static inline T __shfl_up_sync(unsigned mask, T v, unsigned by, int width = 32) {
    int self = cuda_host::laneOf(), source = self - static_cast<int>(by);
    return cuda_host::shuffle(mask, v, source >= self / width * width ? source : self);
}
static inline unsigned __ballot_sync(unsigned mask, int predicate) {
    cuda_host::Exchange all = cuda_host::exchange(mask, predicate != 0);
    unsigned votes = 0;
    for (unsigned lane = 0; lane < 32; lane++) votes |= (mask >> lane & 1) && all.has(lane) && all.words[lane] ? 1u << lane : 0;
    return votes;
}
static inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
static inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }

#define CUDA_HOST_ATOMIC(NAME, EXPRESSION)                                                                                                \
    template <class T> static inline T NAME(T* p, typename cuda_host::Same<T>::type v) {                                                  \
        T old = cuda_host::load(p);                                                                                                       \
        cuda_host::store(p, static_cast<T>(EXPRESSION));                                                                                  \
        return old;                                                                                                                       \
    }
CUDA_HOST_ATOMIC(atomicAdd, old + v)
CUDA_HOST_ATOMIC(atomicOr, old | v)
CUDA_HOST_ATOMIC(atomicAnd, old & v)
CUDA_HOST_ATOMIC(atomicMax, old < v ? v : old)
CUDA_HOST_ATOMIC(atomicMin, v < old ? v : old)
CUDA_HOST_ATOMIC(atomicExch, v)
CUDA_HOST_ATOMIC(atomicInc, old >= v ? T(0) : old + 1)
[[noreturn]] static inline void __trap() { cuda_host::fault(cuda_host::LAUNCH_FAILED, "__trap()"); }

// --------------------------------------------------------------------------------------------------------------------------- numbers

#define CUDA_HOST_MINMAX(T)                                                                                                               \
    static inline T min(T a, T b) { return b < a ? b : a; }                                                                               \
    static inline T max(T a, T b) { return a < b ? b : a; }
CUDA_HOST_MINMAX(int)
CUDA_HOST_MINMAX(unsigned)
CUDA_HOST_MINMAX(long)
CUDA_HOST_MINMAX(unsigned long)
CUDA_HOST_MINMAX(long long)
CUDA_HOST_MINMAX(unsigned long long)
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }

static inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32); }
static inline int __mulhi(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return static_cast<unsigned long long>((static_cast<unsigned __int128>(a) * b) >> 64); }
static inline long long __mul64hi(long long a, long long b) { return static_cast<long long>((static_cast<__int128>(a) * b) >> 64); }
static inline int __clz(int v) { return v ? __builtin_clz(v) : 32; }
static inline int __clzll(long long v) { return v ? __builtin_clzll(v) : 64; }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline int __ffsll(long long v) { return __builtin_ffsll(v); }
static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }

#define CUDA_HOST_BITS(NAME, FROM, TO)                                                                                                    \
    static inline TO NAME(FROM v) { TO bits; memcpy(&bits, &v, sizeof(bits)); return bits; }
CUDA_HOST_BITS(__float_as_int, float, int)
CUDA_HOST_BITS(__int_as_float, int, float)
CUDA_HOST_BITS(__float_as_uint, float, unsigned)
CUDA_HOST_BITS(__uint_as_float, unsigned, float)
CUDA_HOST_BITS(__double_as_longlong, double, long long)
CUDA_HOST_BITS(__longlong_as_double, long long, double)
static inline int __double2hiint(double v) { return static_cast<int>(__double_as_longlong(v) >> 32); }
static inline int __double2loint(double v) { return static_cast<int>(__double_as_longlong(v)); }
static inline double __hiloint2double(int hi, int lo) { return __longlong_as_double(static_cast<long long>(hi) << 32 | static_cast<unsigned>(lo)); }

static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __frcp_rn(float a) { return 1.0f / a; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __drcp_rn(double a) { return 1.0 / a; }
static inline double __dsqrt_rn(double a) { return sqrt(a); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
static inline float rsqrtf(float v) { return static_cast<float>(1.0 / sqrt(static_cast<double>(v))); }
static inline double rsqrt(double v) { return 1.0 / sqrt(v); }
static inline float __double2float_rn(double v) { return static_cast<float>(v); }
static inline float __int2float_rn(int v) { return static_cast<float>(v); }
static inline float __ll2float_rn(long long v) { return static_cast<float>(v); }
static inline double __ll2double_rn(long long v) { return static_cast<double>(v); }

// Conversions saturate, and a NaN becomes 0 (a double NaN to 64 bits: the smallest number), as PTX's cvt says.
namespace cuda_host {
template <class To, class From> static inline To saturate(From v, To nan) {
    if (v != v) return nan;
    const To lowest = static_cast<To>(static_cast<To>(-1) < To(0) ? To(1) << (sizeof(To) * 8 - 1) : To(0));
    const To highest = static_cast<To>(~lowest);
    if (v <= static_cast<From>(lowest)) return lowest;
    if (v >= static_cast<From>(highest)) return highest;
    return static_cast<To>(v);
}
static inline float halfToFloat(unsigned short bits) { _Float16 v; memcpy(&v, &bits, 2); return static_cast<float>(v); }
static inline double halfToDouble(unsigned short bits) { _Float16 v; memcpy(&v, &bits, 2); return static_cast<double>(v); }
template <class F> static inline unsigned short toHalf(F v) { _Float16 h = static_cast<_Float16>(v); unsigned short bits; memcpy(&bits, &h, 2); return bits; }
}  // namespace cuda_host
static inline int __float2int_rz(float v) { return cuda_host::saturate<int>(v, 0); }
static inline unsigned __float2uint_rz(float v) { return cuda_host::saturate<unsigned>(v, 0u); }
static inline long long __float2ll_rz(float v) { return cuda_host::saturate<long long>(v, static_cast<long long>(1ull << 63)); }
static inline int __double2int_rz(double v) { return cuda_host::saturate<int>(v, 0); }
static inline unsigned __double2uint_rz(double v) { return cuda_host::saturate<unsigned>(v, 0u); }
static inline long long __double2ll_rz(double v) { return cuda_host::saturate<long long>(v, static_cast<long long>(1ull << 63)); }
