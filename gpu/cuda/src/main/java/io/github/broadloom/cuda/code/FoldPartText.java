package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.FoldForm.Direction;

/** The statements of a fold's kernel that find which part of which line a team of lanes folds, and where the nodes go that it leaves. */
abstract class FoldPartText {
    private final FoldStage stage;

    private FoldPartText(FoldStage stage) {
        this.stage = stage;
    }

    /** Adds what the statements need to the kernel's parameters. */
    abstract void declare(KernelParameters parameters);

    /** Defines {@code line}, and how many values are to be folded, {@code count}; of a part also the {@code first}. */
    abstract String statements();

    /** Whether a line is folded as a whole, so that one accumulator is left, the line's. */
    boolean isWhole() {
        return false;
    }

    /** The place of a value in its line, from its place among those of the part. */
    String place(String inPart) {
        return "first + " + inPart;
    }

    /** Defines {@link #leafPlace}, where that takes a statement. */
    abstract String leaf();

    /** The place of the next node that is left. */
    String leafPlace() {
        return "leaf";
    }

    /** The statement that goes to the place of the next node; empty where there is but one. */
    abstract String nextLeaf();

    /** What earlier launches left behind the tree of a line. */
    private static void behind(KernelParameters parameters, LineStage stage) {
        parameters.index("extras", stage.extras());
        parameters.index("tail", stage.tail());
        parameters.index("shift", stage.shift());
    }

    /** The results that a lane has at a time, as a factor. */
    final String inColumns() {
        int columns = stage.form().columns();
        return columns > 1 ? " * " + columns + "u" : "";
    }

    /** A line for each team. */
    static final class OfLine extends FoldPartText {
        private final LineStage stage;

        OfLine(LineStage stage) {
            super(stage);
            this.stage = stage;
        }

        @Override
        void declare(KernelParameters parameters) {
            parameters.index("count", stage.length());
            behind(parameters, stage);
        }

        @Override
        String statements() {
            return "  const Index line = job;\n  const Index count = p.count;\n";
        }

        @Override
        boolean isWhole() {
            return true;
        }

        @Override
        String place(String inPart) {
            return inPart;
        }

        @Override
        String leaf() {
            return "";
        }

        @Override
        String leafPlace() {
            return "line" + inColumns();
        }

        @Override
        String nextLeaf() {
            return "";
        }
    }

    /** A range of a line. Neighbouring teams take the same range of lines, which may be neighbours in memory. */
    static final class OfRange extends FoldPartText {
        private final LineStage stage;
        private final boolean across;

        OfRange(LineStage stage) {
            super(stage);
            this.stage = stage;
            this.across = stage.form().direction() == Direction.ACROSS;
        }

        @Override
        void declare(KernelParameters parameters) {
            parameters.index("count", stage.length());
            parameters.index("lines", stage.source().lines());
            parameters.index("ranges", stage.ranges());
            parameters.index("level", stage.level());
            parameters.index("leaves", stage.leaves());
            parameters.index(
                    "columns", stage.source().innermostKept() / stage.form().columns());
            behind(parameters, stage);
        }

        @Override
        String statements() {
            String line = across ? """
                const Index column = job % p.columns;
                const Index range = job / p.columns % p.ranges;
                const Index outer = job / p.columns / p.ranges;
                const Index line = outer * p.columns + column;
                """ : """
                    const Index line = job % p.lines;
                    const Index range = job / p.lines;
                    """;
            String count = """
                const Index first = range << p.level;
                const Index left = p.count - first;
                const Index count = left >> p.level != 0u ? (Index) 1 << p.level : left;
                """;
            return (line + count).indent(2);
        }

        @Override
        String leaf() {
            return across
                    ? "  Index leaf = ((outer * p.leaves + range) * p.columns + column)%s;\n".formatted(inColumns())
                    : "  Index leaf = line * p.leaves + range;\n";
        }

        @Override
        String nextLeaf() {
            return "leaf += " + (across ? "p.columns" + inColumns() : "1u") + ";\n";
        }
    }

    /** The range of one of the warps that have a line together. Its nodes go to shared memory. */
    static final class OfWarp extends FoldPartText {
        private final LineStage stage;

        OfWarp(LineStage stage) {
            super(stage);
            this.stage = stage;
        }

        @Override
        void declare(KernelParameters parameters) {
            parameters.index("count", stage.length());
            parameters.index("level", stage.level());
        }

        @Override
        String statements() {
            return """
                const Index first = (Index) warp << p.level;
                const Index left = p.count - first;
                const Index count = left >> p.level != 0u ? (Index) 1 << p.level : left;
                """.indent(2);
        }

        @Override
        String leaf() {
            return "  u32 leaf = team * %du + warp;\n".formatted(LineFoldText.MOST_NODES);
        }

        @Override
        String nextLeaf() {
            return "leaf++;\n";
        }
    }

    /** A node of a line. */
    static final class OfBlock extends FoldPartText {
        private final BlockStage stage;

        OfBlock(BlockStage stage) {
            super(stage);
            this.stage = stage;
        }

        @Override
        void declare(KernelParameters parameters) {
            AlignedBlocks blocks = stage.blocks();
            parameters.index("teams", stage.teams());
            parameters.index("level", blocks.level());
            parameters.index("head", blocks.head());
            parameters.index("heads", Long.bitCount(blocks.head()));
            parameters.index("whole", blocks.whole());
            parameters.index("tail", blocks.tail());
            parameters.index("unit", stage.unit());
            parameters.index("numbers", stage.nodeNumbers());
        }

        @Override
        String statements() {
            return """
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
                """.indent(2);
        }

        @Override
        String leaf() {
            return "  Index leaf = part * p.numbers + line" + inColumns() + ";\n";
        }

        @Override
        String nextLeaf() {
            return "";
        }
    }
}
