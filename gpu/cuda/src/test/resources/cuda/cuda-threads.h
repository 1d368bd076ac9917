// CUDA C on real threads, for ThreadSanitizer: a thread for each of a block, blocks one after another. It stands in place of what
// cuda-host.h has before its section "the language", and checks what its fibers cannot see: accesses of shared memory that no barrier
// orders, and elements that are written twice.
#pragma once
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <atomic>
#include <thread>
#include <vector>

namespace cuda_host {

constexpr unsigned WARP = 32;
enum Error { LAUNCH_FAILED = 719 };

struct Index { unsigned x, y, z; };
static thread_local Index thread{0, 0, 0}, block{0, 0, 0};
static Index blockSize{1, 1, 1}, gridSize{1, 1, 1};

[[noreturn]] static void fault(int error, const char* text) {
    printf("fault %d: %s\n", error, text);
    exit(1);
}

// ---------------------------------------------------------------------------------------------------------------- global memory

struct Buffer {
    uintptr_t begin;
    size_t bytes;
    uint32_t* writers;  // of each byte; none where any thread may write, as to the error flag
};
static std::vector<Buffer> buffers;
static std::atomic<long> writtenTwice{0}, outside{0}, misaligned{0};

static void buffer(uintptr_t at, size_t bytes, bool filled, bool anyone) {
    size_t room = (bytes + 4096) / 4096 * 4096;
    void* memory = mmap(reinterpret_cast<void*>(at), room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (memory != reinterpret_cast<void*>(at)) fault(2, "no memory where the buffer is to be");
    for (size_t i = 0; filled && i < bytes; i++) static_cast<char*>(memory)[i] = static_cast<char>(1 + (i * 2654435761u >> 13) % 60);
    buffers.push_back({at, bytes, anyone ? nullptr : static_cast<uint32_t*>(calloc(bytes + 1, sizeof(uint32_t)))});
}

static Buffer* find(const void* pointer, size_t bytes) {
    uintptr_t at = reinterpret_cast<uintptr_t>(pointer);
    if (at % (bytes > 16 ? 16 : bytes)) misaligned++;
    for (Buffer& buffer : buffers)
        if (at >= buffer.begin && at + bytes <= buffer.begin + buffer.bytes) return &buffer;
    outside++;
    return nullptr;
}
template <class T> static inline T load(const T* pointer) {
    find(pointer, sizeof(T));
    return *pointer;
}
template <class T> struct Same { typedef T type; };
template <class T> static inline void store(T* pointer, const T& value) {
    Buffer* buffer = find(pointer, sizeof(T));
    if (buffer && !buffer->writers) {
        for (size_t i = 0; i < sizeof(T); i++)
            __atomic_store_n(reinterpret_cast<char*>(pointer) + i, reinterpret_cast<const char*>(&value)[i], __ATOMIC_RELAXED);
        return;
    }
    for (size_t i = 0; buffer && i < sizeof(T); i++)
        if (__atomic_exchange_n(buffer->writers + (reinterpret_cast<uintptr_t>(pointer) - buffer->begin) + i, 1 + block.x * blockSize.x + thread.x, __ATOMIC_RELAXED)) writtenTwice++;
    *pointer = value;
}

// ---------------------------------------------------------------------------------------------------------------------- barriers

struct Warp { pthread_barrier_t barrier; uint64_t words[2][WARP]; };
static pthread_barrier_t everyone;
static Warp* warps;
static thread_local unsigned turn;

static void meetBlock() { pthread_barrier_wait(&everyone); }
static void meetWarp(unsigned mask) {
    if (mask != 0xffffffffu) fault(LAUNCH_FAILED, "a part of a warp meets");
    pthread_barrier_wait(&warps[thread.x / WARP].barrier);
}
struct Exchange {
    const uint64_t* words;
    bool has(int) const { return true; }
};
static Exchange exchange(unsigned mask, uint64_t word) {
    Warp& warp = warps[thread.x / WARP];
    unsigned set = ++turn & 1;  // nobody is two operations ahead of another
    warp.words[set][thread.x % WARP] = word;
    meetWarp(mask);
    return {warp.words[set]};
}
template <class T> static T shuffle(unsigned mask, T value, int source) {
    uint64_t word = 0;
    memcpy(&word, &value, sizeof(T));
    word = exchange(mask, word).words[source];
    memcpy(&value, &word, sizeof(T));
    return value;
}
static int laneOf() { return static_cast<int>(thread.x % WARP); }

// Runs the first and the last blocks of a grid.
template <class Parameters> static void run(void (*kernel)(Parameters), const unsigned char* bytes, unsigned blocks, unsigned threads, unsigned ends) {
    blockSize.x = threads;
    gridSize.x = blocks;
    for (unsigned b = 0; b < blocks; b++) {
        if (b >= ends && b + ends < blocks) continue;
        pthread_barrier_init(&everyone, nullptr, threads);
        warps = new Warp[threads / WARP];
        for (unsigned w = 0; w < threads / WARP; w++) pthread_barrier_init(&warps[w].barrier, nullptr, WARP);
        std::vector<std::thread> all;
        for (unsigned t = 0; t < threads; t++)
            all.emplace_back([=] {
                thread = {t, 0, 0};
                block = {b, 0, 0};
                turn = 0;
                Parameters parameters;
                memcpy(static_cast<void*>(&parameters), bytes, sizeof(parameters));
                kernel(parameters);
            });
        for (std::thread& t : all) t.join();
        delete[] warps;
    }
}

static int told() {
    printf("written twice %ld, outside %ld, misaligned %ld\n", writtenTwice.load(), outside.load(), misaligned.load());
    return writtenTwice || outside || misaligned;
}

}  // namespace cuda_host

