package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.CudaArgument.Given;
import io.github.broadloom.device.LeastProducts;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;

/**
 * The kernel that finds the {@link LeastProducts} of a block of columns, and of those that it found in the blocks before. A block of threads has a row. What is less than the greatest that is kept is put behind those
 * in shared memory; when that is full, and at last, all there are sorted.
 */
public final class LeastKernel {
    static final String ENTRY = "bl_least";
    private static final int THREADS = 256;
    /** What a thread reads at a time. */
    private static final int EACH = 4;

    private static final int BATCH = THREADS * EACH;
    private static final int LEAST_ROOM = 2 * BATCH;

    private LeastKernel() {}

    /**
     * The launch, in which a number is given: the column of the first product, 0 where none were before.
     *
     * @param products {@code [1, rows, columns]}, float32, contiguous
     * @param slot of the products
     * @param count of each row
     * @param leastSlot of the least, int64 {@code [rows, count]}
     */
    public static CudaLaunch of(Layout products, int slot, int count, int leastSlot) {
        int room = Math.max(LEAST_ROOM, Integer.highestOneBit(2 * (count + BATCH) - 1));
        String text = KERNEL.replace("ROOM", "" + room)
                .replace("BATCH", "" + BATCH)
                .replace("EACH", "" + EACH)
                .replace("THREADS", "" + THREADS)
                .replace("ENTRY", ENTRY);
        long rows = products.shape().size(1);
        KernelParameters parameters =
                new KernelParameters(Math.max(products.shape().numel(), rows * count));
        parameters.pointer("const float", "products", new Address(slot, 0));
        parameters.pointer("long long", "least", new Address(leastSlot, 0));
        parameters.given("first", new Given(0, DType.INT32));
        parameters.index("columns", products.shape().size(2));
        parameters.index("count", count);
        return parameters.launch(ENTRY, text, rows * THREADS, THREADS);
    }

    private static final String KERNEL = """
        typedef long long key;  // a product's place in the order of floats, then its column

        #define NONE 0x7fffffffffffffffll

        BL_DEVICE key key_of(float product, u32 column) {
          const int bits = __float_as_int(product + 0.0f);  // -0.0 is 0.0
          const u32 order = product != product ? 0x80000000u : (u32) (bits ^ (bits >> 31 & 0x7fffffff));
          return (key) ((u64) order << 32 | column);
        }

        // Sorts the first so many of the keys, in a network for the next power of two.
        BL_DEVICE void sort(key* keys, u32 there) {
          u32 size = 2u;
          while (size < there) {
            size *= 2u;
          }
          for (u32 i = there + threadIdx.x; i < size; i += THREADSu) {
            keys[i] = NONE;
          }
          for (u32 run = 2u; run <= size; run *= 2u) {
            for (u32 step = run / 2u; step > 0u; step /= 2u) {
              __syncthreads();
              for (u32 i = threadIdx.x; i < size / 2u; i += THREADSu) {
                const u32 low = 2u * i - (i & step - 1u);
                const key a = keys[low];
                const key b = keys[low + step];
                if (a > b == ((low & run) == 0u)) {
                  keys[low] = b;
                  keys[low + step] = a;
                }
              }
            }
          }
          __syncthreads();
        }

        extern "C" __global__ void __launch_bounds__(THREADS) ENTRY(const Par p) {
          __shared__ __align__(16) key keys[ROOM];
          __shared__ u32 taken;
          const float* products = p.products + (long long) blockIdx.x * p.columns;
          key* least = p.least + (long long) blockIdx.x * p.count;
          for (u32 i = threadIdx.x; i < p.count; i += THREADSu) {
            keys[i] = p.first == 0 ? NONE : bl_stream<1>(least + i).e[0];
          }
          if (threadIdx.x == 0u) {
            taken = p.count;
          }
          __syncthreads();
          key greatest = keys[p.count - 1u];
          u32 there = p.count;
          bool is_other = false;
          for (u32 column = threadIdx.x; column - threadIdx.x < p.columns; column += BATCHu) {
            float batch[EACH];
        #pragma unroll
            for (u32 u = 0u; u < EACHu; u++) {
              const u32 at = column + u * THREADSu;
              batch[u] = at < p.columns ? bl_cached<1>(products + at).e[0] : 0.0f;
            }
        #pragma unroll
            for (u32 u = 0u; u < EACHu; u++) {
              const u32 at = column + u * THREADSu;
              const key found = key_of(batch[u], (u32) p.first + at);
              if (at < p.columns && found < greatest) {
                keys[bl_next(&taken)] = found;
              }
            }
            __syncthreads();
            there = taken;
            __syncthreads();
            if (there > ROOMu - BATCHu) {
              sort(keys, there);
              is_other = true;
              there = p.count;
              greatest = keys[p.count - 1u];
              if (threadIdx.x == 0u) {
                taken = p.count;
              }
              __syncthreads();
            }
          }
          if (there > p.count) {
            sort(keys, there);
            is_other = true;
          }
          if (is_other) {
            for (u32 i = threadIdx.x; i < p.count; i += THREADSu) {
              bl_Packet<key, 1> packet;
              packet.e[0] = keys[i];
              bl_store(least + i, packet);
            }
          }
        }
        """;
}
