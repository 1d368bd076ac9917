package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.FoldKernelText.Target;
import io.github.broadloom.cuda.code.FoldSource.Lifted;
import io.github.broadloom.cuda.code.FoldSource.Operand;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The kernel of a {@link TileFold}. */
final class TileFoldText {
    static final int THREADS = TileFold.ROW_THREADS * TileFold.COLUMN_THREADS;

    private static final int LOWEST_LEVEL = Integer.numberOfTrailingZeros(TileFold.GROUP);

    /** So many bytes of a group's elements can be in registers, and those of four blocks still fit a multiprocessor. */
    private static final int FEW_BYTES = 512;

    private final TileFold fold;
    private final FoldType type;
    private final List<Operand> operands;
    private final FoldStoreText store;

    TileFoldText(TileFold fold) {
        this.fold = fold;
        this.type = fold.type();
        this.operands = fold.source().operands();
        this.store = new FoldStoreText(type, 1, Target.RESULT);
    }

    void declare(KernelParameters parameters, List<Address> results) {
        for (int k = 0; k < operands.size(); k++) {
            Operand operand = operands.get(k);
            parameters.pointer("const " + operand.type(), "x" + k, operand.address());
            parameters.stride("x" + k + "_matrix", fold.matrixStep(operand));
            parameters.stride("x" + k + "_line", fold.rowStep(operand) + fold.columnStep(operand)); // one of them is 0
            parameters.stride("x" + k + "_step", operand.innermost(true));
        }
        store.declare(parameters, results, List.of());
        parameters.index("rows", fold.rows());
        parameters.index("columns", fold.columns());
        parameters.index("rowTiles", fold.rowTiles());
        parameters.index("columnTiles", fold.columnTiles());
        parameters.index("count", fold.source().length());
    }

    String text() {
        String steps = type.isExact() ? "" : FoldStepText.stack(TileFold.STACK_LEVELS, fold.restLevels()) + "\n";
        return FoldStepText.accumulator(type, 1) + "\n" + steps + value() + "\n" + store.function() + "\n"
                + numbers(kernel());
    }

    private String value() {
        String parameters = IntStream.range(0, operands.size())
                .mapToObj(k -> operands.get(k).type() + " x" + k)
                .collect(Collectors.joining(", "));
        Lifted lifted = fold.source().program().over(k -> "x" + k, "j");
        String statements =
                lifted.statements().stream().map(line -> "  " + line + "\n").collect(Collectors.joining());
        return "BL_DEVICE acc value(const Par& p, Index j, %s) {\n%s  return %s;\n}\n"
                .formatted(parameters, statements, lifted.one());
    }

    private String kernel() {
        return "extern \"C\" __global__ void __launch_bounds__(%d, %d) %s(const Par p) {\n"
                        .formatted(THREADS, blocks(), FoldKernelText.ENTRY)
                + forTiles((k, operand) -> "  __shared__ %s tile%d[%d][%d];\n"
                        .formatted(operand.type(), k, fold.steps(), fold.pitch(operand)))
                + """
                  const Index columnTile = blockIdx.x % p.columnTiles;
                  const Index rowTile = blockIdx.x / p.columnTiles % p.rowTiles;
                  const Index matrix = blockIdx.x / p.columnTiles / p.rowTiles;
                  const Index row0 = rowTile * TILE_ROWSu;
                  const Index column0 = columnTile * TILE_COLUMNSu;
                  const u32 row = threadIdx.x / SIDEu * ROWSu;  // the first of this thread in the tile
                  const u32 column = threadIdx.x % SIDEu * COLUMNSu;
                """
                + pointers()
                + owns()
                + (type.isExact() ? startTotals() : STACK)
                        .replace("LEVELS", Integer.toString(TileFold.STACK_LEVELS))
                        .replace("REST", Integer.toString(fold.restLevels()))
                + """
                  for (Index first = 0; first < p.count; first += STEPSu) {
                    __syncthreads();
                """
                + forTiles(this::load)
                + """
                    __syncthreads();
                    const u32 steps = p.count - first < STEPSu ? (u32) (p.count - first) : STEPSu;
                """
                + (type.isExact() ? free() : ordered())
                + "  }\n"
                + finish()
                + "}\n";
    }

    private int blocks() {
        int bytes = operands.stream()
                .filter(TileFold::isTile)
                .mapToInt(operand ->
                        operand.bytes() * TileFold.GROUP * fold.over(operand, TileFold.ROWS, TileFold.COLUMNS, 1))
                .sum();
        return bytes <= FEW_BYTES ? 4 : 2;
    }

    private static final String STACK = """
          acc stack[ROWS][COLUMNS][LEVELS];
          acc rest[ROWS][COLUMNS][REST];  // in local memory
        """;

    private String numbers(String text) {
        return text.replace("TILE_ROWS", Integer.toString(TileFold.ROW_THREADS * TileFold.ROWS))
                .replace("TILE_COLUMNS", Integer.toString(TileFold.COLUMN_THREADS * TileFold.COLUMNS))
                .replace("SIDE", Integer.toString(TileFold.COLUMN_THREADS))
                .replace("STEPS", Integer.toString(fold.steps()))
                .replace("GROUP", Integer.toString(TileFold.GROUP))
                .replace("ROWS", Integer.toString(TileFold.ROWS))
                .replace("COLUMNS", Integer.toString(TileFold.COLUMNS));
    }

    private String forTiles(BiFunction<Integer, Operand, String> text) {
        return fold.source().each((k, operand) -> TileFold.isTile(operand) ? text.apply(k, operand) : "");
    }

    private String pointers() {
        return fold.source().each((k, operand) -> {
            String matrix = fold.matrixStep(operand) == 0 ? "" : " + (long long) matrix * p.x%d_matrix".formatted(k);
            String origin = fold.over(operand, "row0", "column0", "");
            String line = origin.isEmpty() ? "" : " + (long long) %s * p.x%d_line".formatted(origin, k);
            return "  const %s* x%d = p.x%d%s%s;\n".formatted(operand.type(), k, k, matrix, line);
        });
    }

    /** What is the same along a line is read once. */
    private String owns() {
        return fold.source().each((k, operand) -> {
            if (TileFold.isTile(operand)) {
                return "";
            }
            String extent = fold.over(operand, "row", "column", "");
            if (extent.isEmpty()) {
                return "  const %s own%d = __ldg(x%d);\n".formatted(operand.type(), k, k);
            }
            return """
                  TYPE ownK[COUNT];
                #pragma unroll
                  for (u32 i = 0; i < COUNTu; i++) {
                    ownK[i] = ORIGIN0 + ORIGIN + i < p.EXTENTs ? __ldg(xK + (long long) (ORIGIN + i) * p.xK_line) : (TYPE) 0;
                  }
                """.replace("ORIGIN", extent)
                    .replace("EXTENT", extent)
                    .replace("COUNT", fold.over(operand, "ROWS", "COLUMNS", ""))
                    .replace("ownK", "own" + k)
                    .replace("xK", "x" + k)
                    .replace("TYPE", operand.type());
        });
    }

    /** Neighbouring threads read neighbours in memory; what lies beyond the matrix or the lines' end is 0. */
    private String load(int k, Operand operand) {
        int lines = fold.tileLines(operand);
        boolean alongLine = operand.innermost(true) == 1 || lines == 1;
        String inside = fold.over(operand, "row0 + line < p.rows && ", "column0 + line < p.columns && ", "");
        String lineOffset = inside.isEmpty() ? "" : "(long long) line * p.x%d_line + ".formatted(k);
        return """
                for (u32 t = threadIdx.x; t < ALLu; t += THREADSu) {
                  const u32 line = LINE;
                  const u32 step = STEP;
                  const bool inside = INSIDEfirst + step < p.count;
                  tileK[step][line] = inside ? __ldg(xK + LINE_OFFSET(long long) (first + step) * p.xK_step) : (TYPE) 0;
                }
            """.replace("ALL", Integer.toString(lines * fold.steps()))
                .replace("THREADS", Integer.toString(THREADS))
                .replace("LINE_OFFSET", lineOffset)
                .replace("LINE", alongLine ? "t / STEPSu" : "t % " + lines + "u")
                .replace("STEP;", alongLine ? "t % STEPSu;" : "t / " + lines + "u;")
                .replace("INSIDE", inside)
                .replace("tileK", "tile" + k)
                .replace("xK", "x" + k)
                .replace("TYPE", operand.type());
    }

    private String valueAt(String step) {
        String values = fold.source()
                .each((k, operand) -> TileFold.isTile(operand)
                        ? ", tile%d[%s][%s]".formatted(k, step, fold.over(operand, "row + r", "column + c", "0"))
                        : ", own%d%s".formatted(k, fold.over(operand, "[r]", "[c]", "")));
        return "value(p, first + " + step + values + ")";
    }

    private static String forResults(String indent, String statements) {
        return ("""
            #pragma unroll
            for (u32 r = 0; r < ROWSu; r++) {
            #pragma unroll
              for (u32 c = 0; c < COLUMNSu; c++) {
            """ + statements.indent(4) + "  }\n}\n")
                .indent(indent.length())
                .replaceAll("(?m)^ +#pragma", "#pragma");
    }

    private String startTotals() {
        return "  acc total[ROWS][COLUMNS];\n"
                + forResults(
                        "  ",
                        "total[r][c] = acc(%s);\n"
                                .formatted(type.identity())
                                .replace("acc({", "acc{")
                                .replace("})", "}"));
    }

    private String free() {
        return "#pragma unroll 8\n    for (u32 k = 0; k < steps; k++) {\n"
                + forResults("      ", "total[r][c] = join(total[r][c], " + valueAt("k") + ");\n")
                + "    }\n";
    }

    private String ordered() {
        String group = """
            acc node[GROUP];
            #pragma unroll
            for (u32 u = 0; u < GROUPu; u++) {
              node[u] = VALUE;
            }
            push<LEVEL>(stack[r][c], rest[r][c], first + k, joined(node));
            """.replace("VALUE", valueAt("k + u")).replace("LEVEL", Integer.toString(LOWEST_LEVEL));
        return "    for (u32 k = 0; steps - k >= GROUPu; k += GROUPu) {\n" + forResults("      ", group) + "    }\n";
    }

    private String finish() {
        String stored = """
            if (row0 + row + r < p.rows && column0 + column + c < p.columns) {
              store(p, (matrix * p.rows + row0 + row + r) * p.columns + column0 + column + c, TOTAL);
            }
            """.replace("TOTAL", type.isExact() ? "total[r][c]" : "total");
        if (type.isExact()) {
            return forResults("  ", stored);
        }
        String ends = fold.hasRest()
                ? "  const Index first = p.count / STEPSu * STEPSu;\n"
                        + "  const u32 groups = p.count % STEPSu / GROUPu * GROUPu;\n"
                : "";
        return ends + forResults("  ", total() + (fold.hasRest() ? values() : "") + stored);
    }

    private String total() {
        return """
            acc total = IDENTITY;
            bool begun = false;
            #pragma unroll 1
            for (int level = REST - 1; level >= 0; level--) {
              if (p.count >> (level + LEVELS) & 1u) {
                total = begun ? join(total, rest[r][c][level]) : rest[r][c][level];
                begun = true;
              }
            }
            #pragma unroll
            for (int level = LEVELS - 1; level >= LOWEST; level--) {
              if (p.count >> level & 1u) {
                total = begun ? join(total, stack[r][c][level]) : stack[r][c][level];
                begun = true;
              }
            }
            """.replace("IDENTITY", type.identity())
                .replace("REST", Integer.toString(fold.restLevels()))
                .replace("LEVELS", Integer.toString(TileFold.STACK_LEVELS))
                .replace("LOWEST", Integer.toString(LOWEST_LEVEL));
    }

    /** The values that make no whole group, which the last tile still has: a node for each binary digit of their number. */
    private String values() {
        StringBuilder text = new StringBuilder("u32 k = groups;\n");
        for (int values = TileFold.GROUP / 2; values > 0; values /= 2) {
            text.append("""
                if ((p.count & COUNTu) != 0u) {
                  acc node[COUNT];
                  #pragma unroll
                  for (u32 u = 0; u < COUNTu; u++) {
                    node[u] = VALUE;
                  }
                  total = begun ? join(total, joined(node)) : joined(node);
                  begun = true;
                  k += COUNTu;
                }
                """.replace("VALUE", valueAt("k + u")).replace("COUNT", Integer.toString(values)));
        }
        return text.toString();
    }
}
