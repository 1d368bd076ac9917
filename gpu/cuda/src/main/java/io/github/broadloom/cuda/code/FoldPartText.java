package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.FoldForm.Direction;

/**
 * The statements of a fold's kernel that find which part of which line a team of lanes folds, and where the nodes go that it leaves.
 *
 * @param statements define {@code line}, and how many values are to be folded, {@code count}; of a part also the {@code first}
 * @param isWhole whether a line is folded as a whole, so that one accumulator is left, the line's
 * @param leaf defines {@code leafPlace}, where that takes a statement
 * @param leafPlace the place of the next node that is left
 * @param nextLeaf the statement that goes to the place of the next node; empty where there is but one
 */
record FoldPartText(String statements, boolean isWhole, String leaf, String leafPlace, String nextLeaf) {
    private static FoldPartText ofPart(String statements, String leaf, String nextLeaf) {
        return new FoldPartText(statements.indent(2), false, "  " + leaf + ";\n", "leaf", nextLeaf);
    }

    private static String inColumns(FoldForm form) {
        return form.columns() > 1 ? " * " + form.columns() + "u" : "";
    }

    /** The place of a value in its line, from its place among those of the part. */
    String place(String inPart) {
        return isWhole ? inPart : "first + " + inPart;
    }

    static FoldPartText ofLine(FoldForm form) {
        return new FoldPartText(
                "  const Index line = job;\n  const Index count = p.count;\n", true, "", "line" + inColumns(form), "");
    }

    private static final String LEFT = """
        const Index left = p.count - first;
        const Index count = left >> p.level != 0u ? (Index) 1 << p.level : left;
        """;

    /** A range of a line. Neighbouring teams take the same range of lines, which may be neighbours in memory. */
    static FoldPartText ofRange(FoldForm form) {
        boolean across = form.direction() == Direction.ACROSS;
        String line = across ? """
            const Index column = job % p.columns;
            const Index range = job / p.columns % p.ranges;
            const Index outer = job / p.columns / p.ranges;
            const Index line = outer * p.columns + column;
            """ : """
                    const Index line = job % p.lines;
                    const Index range = job / p.lines;
                    """;
        String leaf = across
                ? "Index leaf = ((outer * p.leaves + range) * p.columns + column)" + inColumns(form)
                : "Index leaf = line * p.leaves + range";
        String next = "leaf += " + (across ? "p.columns" + inColumns(form) : "1u") + ";\n";
        return ofPart(line + "const Index first = range << p.level;\n" + LEFT, leaf, next);
    }

    /** The range of one of the warps that have a line together. Its nodes go to shared memory. */
    static FoldPartText ofWarp() {
        String leaf = "u32 leaf = team * %du + warp".formatted(LineFoldText.MOST_NODES);
        return ofPart("const Index first = (Index) warp << p.level;\n" + LEFT, leaf, "leaf++;\n");
    }

    static FoldPartText ofBlock(FoldForm form) {
        return ofPart("""
            const Index line = job % p.teams;
            const Index part = job / p.teams;
            u32 level = p.level;
            Index place = p.head + (part << level);
            if (part >= p.whole) {  // before or behind the whole nodes: one for each digit
              const bool before = part - p.whole < p.heads;
              Index digits = before ? p.head : p.tail;
              for (Index k = part - p.whole - (before ? 0u : p.heads); k > 0u; k--) {
                digits &= digits - 1u;
              }
              for (level = 0u; (digits >> level & 1u) == 0u;) {
                level++;
              }
              place = before ? p.head - digits : p.head + (p.whole << p.level) + (digits & (digits - 1u));
            }
            const Index first = place * p.unit;
            const Index count = ((Index) 1 << level) * p.unit;
            """, "Index leaf = part * p.numbers + line" + inColumns(form), "");
    }
}
