package io.github.broadloom.cuda.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Contraction;

/**
 * The kernels of matrix products as CUDA C, with the bits of the CPU: see {@link Contraction} for the order of the sums. A block computes a tile of the
 * product over a range of panels. It brings {@value ProductTile#STEP} places of each operand at a time into shared memory, the next ones while it multiplies these, and a
 * thread takes from there what its elements have in common. The sums of whole panels wait in local memory, which a thread touches once in {@value Contraction#PANEL}
 * places.
 *
 * @param dtype of operands and product
 * @param leftAlong whether neighbours in memory are places of the left operand, and not rows
 * @param rightAlong whether neighbours in memory are places of the right operand, and not columns
 * @param levels of the tree of panels that a range has; 0 for a single panel
 * @param isWhole whether a range is all panels, so that sums are results; otherwise {@link #joined} makes those of them
 */
record ProductKernelText(
        DType dtype, ProductTile tile, boolean leftAlong, boolean rightAlong, int levels, boolean isWhole) {
    static final String ENTRY = "bl_product";
    static final String JOIN_ENTRY = "bl_join_products";

    String text() {
        boolean isSingle = levels == 0;
        return sums(dtype)
                + "\n"
                + (isSingle ? "" : TREE.replace("LEVELS", "" + levels))
                        .concat(KERNEL)
                        .replace("{tree}", isSingle ? "" : "  Tree tree;\n  tree.count = 0u;\n")
                        .replace("{panel}", isSingle ? "" : PANEL_ENDS)
                        .replace("{finish}", isSingle ? "" : "  finish(tree, sums);\n")
                        .replace("{write}", isWhole ? RESULT : NODE)
                        .replace("LEFT_ALONG", "" + leftAlong)
                        .replace("RIGHT_ALONG", "" + rightAlong)
                        .replace("PANEL", "" + Contraction.PANEL)
                        .replace("OWN_COLUMNS", "" + tile.threadColumns())
                        .replace("OWN_ROWS", "" + tile.threadRows())
                        .replace("COLUMNS", "" + tile.columns())
                        .replace("ROWS", "" + tile.rows())
                        .replace("STEP", "" + ProductTile.STEP)
                        .replace("THREADS", "" + ProductTile.THREADS)
                        .replace("ENTRY", ENTRY);
    }

    /** The kernel that joins the nodes of several ranges, of which one thread has those of one element. */
    static String joined(DType dtype, int levels) {
        return sums(dtype)
                + "\n"
                + TREE.replace("LEVELS", "" + levels).replace("OWN_ROWS", "1").replace("OWN_COLUMNS", "1")
                + JOIN.replace("THREADS", "" + ProductTile.THREADS).replace("ENTRY", JOIN_ENTRY);
    }

    static String sumType(DType dtype) {
        return switch (dtype.valueType()) {
            case FLOAT, DOUBLE -> dtype.valueType().cudaName();
            case LONG -> "u64";
            case INT -> "u32";
            case BOOL -> throw new IllegalArgumentException("Cannot multiply matrices of bool; convert them first");
        };
    }

    static int sumBytes(DType dtype) {
        return Math.max(Float.BYTES, dtype.bytes());
    }

    private static String sums(DType dtype) {
        String fused = switch (dtype.valueType()) {
            case FLOAT -> "fmaf(a, b, sum)";
            case DOUBLE -> "fma(a, b, sum)";
            case INT, LONG, BOOL -> "sum + a * b";
        };
        return """
            typedef %s stored;
            typedef %s acc;

            BL_DEVICE acc read(const stored* from) { return (acc) %s; }

            BL_DEVICE acc fused(acc a, acc b, acc sum) { return %s; }

            template <class T>
            BL_DEVICE void keep(T* to, T value) {
              bl_Packet<T, 1> packet;
              packet.e[0] = value;
              bl_store(to, packet);
            }

            BL_DEVICE void write(stored* to, acc sum) { keep(to, (stored) %s); }
            """.formatted(
                        dtype.cudaName(),
                        sumType(dtype),
                        CudaValues.TEXT.read(dtype, "bl_cached<1>(from).e[0]"),
                        fused,
                        CudaValues.reduced(dtype, "sum"));
    }

    private static final String TREE = """
        // The sums of the panels so far, a node for each binary digit of their number.
        struct Tree {
          acc nodes[LEVELS][OWN_ROWS][OWN_COLUMNS];
          u32 count;
        };

        BL_DEVICE void join(const Tree& tree, u32 level, acc (&sums)[OWN_ROWS][OWN_COLUMNS]) {
        #pragma unroll
          for (u32 i = 0u; i < OWN_ROWSu; i++) {
        #pragma unroll
            for (u32 j = 0u; j < OWN_COLUMNSu; j++) {
              sums[i][j] = tree.nodes[level][i][j] + sums[i][j];
            }
          }
        }

        // Takes the sums of the next panel, and begins those of another one.
        BL_DEVICE void push(Tree& tree, acc (&sums)[OWN_ROWS][OWN_COLUMNS]) {
          u32 level = 0u;
          for (; (tree.count >> level & 1u) != 0u; level++) {
            join(tree, level, sums);
          }
        #pragma unroll
          for (u32 i = 0u; i < OWN_ROWSu; i++) {
        #pragma unroll
            for (u32 j = 0u; j < OWN_COLUMNSu; j++) {
              tree.nodes[level][i][j] = sums[i][j];
              sums[i][j] = 0;
            }
          }
          tree.count++;
        }

        // The sum of all: what is left, the smaller to the greater.
        BL_DEVICE void finish(const Tree& tree, acc (&sums)[OWN_ROWS][OWN_COLUMNS]) {
          u32 level = 0u;
          while ((tree.count >> level & 1u) == 0u) {
            level++;
          }
        #pragma unroll
          for (u32 i = 0u; i < OWN_ROWSu; i++) {
        #pragma unroll
            for (u32 j = 0u; j < OWN_COLUMNSu; j++) {
              sums[i][j] = tree.nodes[level][i][j];
            }
          }
          for (level++; level < LEVELSu; level++) {
            if ((tree.count >> level & 1u) != 0u) {
              join(tree, level, sums);
            }
          }
        }

        """;

    private static final String KERNEL = """
        // What a thread brings of some lines of an operand at a time. Neighbouring threads take neighbours in memory, which are ALONG a line or not.
        template <u32 LINES, bool ALONG>
        struct Side {
          acc next[(LINES * STEPu + THREADSu - 1u) / THREADSu];
        };

        template <u32 LINES, bool ALONG>
        BL_DEVICE u32 line_of(u32 u) { return ALONG ? threadIdx.x / STEPu + u * (THREADSu / STEPu) : threadIdx.x % LINES; }

        template <u32 LINES, bool ALONG>
        BL_DEVICE u32 place_of(u32 u) { return ALONG ? threadIdx.x % STEPu : threadIdx.x / LINES + u * (THREADSu / LINES); }

        // From the address of a thread's first element on; 0 beyond so many lines and places.
        template <u32 LINES, bool ALONG>
        BL_DEVICE void bring(Side<LINES, ALONG>& side, const stored* from, long long line_step, long long place_step, Index lines, Index places) {
          const long long step = ALONG ? line_step * (THREADS / STEP) : place_step * (long long) (THREADSu / LINES);
        #pragma unroll
          for (u32 u = 0u; u < sizeof(side.next) / sizeof(acc); u++) {
            const u32 line = line_of<LINES, ALONG>(u);
            const u32 place = place_of<LINES, ALONG>(u);
            const bool is_there = line < LINES && place < STEPu && line < lines && place < places;
            side.next[u] = is_there ? read(from + (long long) u * step) : (acc) 0;
          }
        }

        template <u32 LINES, bool ALONG>
        BL_DEVICE void put(const Side<LINES, ALONG>& side, acc (&shared)[STEP][LINES + 4]) {
        #pragma unroll
          for (u32 u = 0u; u < sizeof(side.next) / sizeof(acc); u++) {
            const u32 line = line_of<LINES, ALONG>(u);
            const u32 place = place_of<LINES, ALONG>(u);
            if (line < LINES && place < STEPu) {
              shared[place][line] = side.next[u];
            }
          }
        }

        // The k-th of the OWN lines of a tile that are a thread's: up to four neighbours, and as many further on.
        template <u32 LINES, u32 OWN>
        BL_DEVICE u32 own_line(u32 thread, u32 k) {
          constexpr u32 GROUP = OWN < 4u ? OWN : 4u;
          return k / GROUP * (LINES * GROUP / OWN) + thread * GROUP + k % GROUP;
        }

        BL_DEVICE void multiply(const acc (&left)[ROWS + 4], const acc (&right)[COLUMNS + 4], u32 mine, u32 beside, acc (&sums)[OWN_ROWS][OWN_COLUMNS]) {
          acc a[OWN_ROWS];
          acc b[OWN_COLUMNS];
        #pragma unroll
          for (u32 i = 0u; i < OWN_ROWSu; i++) {
            a[i] = left[own_line<ROWSu, OWN_ROWSu>(mine, i)];
          }
        #pragma unroll
          for (u32 j = 0u; j < OWN_COLUMNSu; j++) {
            b[j] = right[own_line<COLUMNSu, OWN_COLUMNSu>(beside, j)];
          }
        #pragma unroll
          for (u32 i = 0u; i < OWN_ROWSu; i++) {
        #pragma unroll
            for (u32 j = 0u; j < OWN_COLUMNSu; j++) {
              sums[i][j] = fused(a[i], b[j], sums[i][j]);
            }
          }
        }

        extern "C" __global__ void __launch_bounds__(THREADS, 2) ENTRY(const Par p) {
          __shared__ __align__(16) acc left[2][STEP][ROWS + 4];
          __shared__ __align__(16) acc right[2][STEP][COLUMNS + 4];
          const u32 mine = threadIdx.x / (COLUMNSu / OWN_COLUMNSu);
          const u32 beside = threadIdx.x % (COLUMNSu / OWN_COLUMNSu);
          // Blocks that run together share rows and columns: they take the tiles of eight rows of tiles, column by column.
          const Index tiles = p.row_tiles * p.column_tiles;
          const Index matrices = p.matrices;  // no divisor: once a block, and with one ptxas spills registers
          const Index matrix = blockIdx.x / tiles % matrices;
          const Index range = blockIdx.x / tiles / matrices;
          const Index tile = blockIdx.x % tiles;
          const Index band = tile / (p.column_tiles * 8u) * 8u;
          const Index tall = p.row_tiles - band < 8u ? p.row_tiles - band : (Index) 8;
          const Index row = (band + (tile - band * p.column_tiles) % tall) * ROWSu;
          const Index column = (tile - band * p.column_tiles) / tall * COLUMNSu;
          const Index first = range * p.range_places;
          Index places = p.places - first < p.range_places ? p.places - first : p.range_places;
          const stored* at_left = p.left + (long long) matrix * p.left_matrix + (long long) (row + line_of<ROWSu, LEFT_ALONG>(0u)) * p.left_line
              + (long long) (first + place_of<ROWSu, LEFT_ALONG>(0u)) * p.left_place;
          const stored* at_right = p.right + (long long) matrix * p.right_matrix + (long long) (column + line_of<COLUMNSu, RIGHT_ALONG>(0u)) * p.right_line
              + (long long) (first + place_of<COLUMNSu, RIGHT_ALONG>(0u)) * p.right_place;
          Side<ROWSu, LEFT_ALONG> a;
          Side<COLUMNSu, RIGHT_ALONG> b;
          bring(a, at_left, p.left_line, p.left_place, p.rows - row, places);
          bring(b, at_right, p.right_line, p.right_place, p.columns - column, places);
          put(a, left[0]);
          put(b, right[0]);
          __syncthreads();
          acc sums[OWN_ROWS][OWN_COLUMNS] = {};
        {tree}  u32 now = 0u;
          for (u32 step = 1u;; step++) {
            const bool more = places > STEPu;
            if (more) {
              at_left += p.left_place * STEP;
              at_right += p.right_place * STEP;
              bring(a, at_left, p.left_line, p.left_place, p.rows - row, places - STEPu);
              bring(b, at_right, p.right_line, p.right_place, p.columns - column, places - STEPu);
            }
            if (places >= STEPu) {
        #pragma unroll
              for (u32 k = 0u; k < STEPu; k++) {
                multiply(left[now][k], right[now][k], mine, beside, sums);
              }
            } else {
              for (u32 k = 0u; k < places; k++) {
                multiply(left[now][k], right[now][k], mine, beside, sums);
              }
            }
        {panel}    if (!more) {
              break;
            }
            places -= STEPu;
            now ^= 1u;
            put(a, left[now]);
            put(b, right[now]);
            __syncthreads();
          }
        {finish}#pragma unroll
          for (u32 i = 0u; i < OWN_ROWSu; i++) {
        #pragma unroll
            for (u32 j = 0u; j < OWN_COLUMNSu; j++) {
              const Index to_row = row + own_line<ROWSu, OWN_ROWSu>(mine, i);
              const Index to_column = column + own_line<COLUMNSu, OWN_COLUMNSu>(beside, j);
              if (to_row < p.rows && to_column < p.columns) {
                {write}
              }
            }
          }
        }
        """;

    private static final String PANEL_ENDS = """
            if (!more || step % (PANELu / STEPu) == 0u) {
              push(tree, sums);
            }
        """;

    private static final String RESULT =
            "write(p.result + (long long) matrix * p.result_matrix + (long long) to_row * p.result_row + (long long)"
                    + " to_column * p.result_column, sums[i][j]);";

    private static final String NODE =
            "keep(p.nodes + ((range * p.matrices + matrix) * p.rows + to_row) * p.columns + to_column, sums[i][j]);";

    private static final String JOIN = """
        extern "C" __global__ void __launch_bounds__(THREADS) ENTRY(const Par p) {
          const Index element = (Index) blockIdx.x * THREADSu + threadIdx.x;
          if (element >= p.elements) {
            return;
          }
          Tree tree;
          tree.count = 0u;
          acc sums[1][1];
          for (Index range = 0; range < p.ranges; range++) {
            sums[0][0] = bl_cached<1>(p.nodes + range * p.elements + element).e[0];
            push(tree, sums);
          }
          finish(tree, sums);
          const Index line = element / p.columns;
          const Index matrix = line / p.rows;
          const Index row = line % p.rows;
          const Index column = element % p.columns;
          write(p.result + (long long) matrix * p.result_matrix + (long long) row * p.result_row + (long long) column * p.result_column, sums[0][0]);
        }
        """;
}
