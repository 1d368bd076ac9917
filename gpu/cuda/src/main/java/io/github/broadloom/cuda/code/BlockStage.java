package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.FoldForm.Leaf;

/**
 * A launch that folds the part of each line that a chunk of rows has: one team for each of the {@linkplain AlignedBlocks nodes} that it is
 * cut into.
 *
 * @param blocks the nodes, in places of the tree
 * @param unit how many of a line's values are in each place
 */
record BlockStage(FoldSource source, FoldType type, FoldForm form, AlignedBlocks blocks, long unit, int shift)
        implements FoldStage {

    /** @param first the place in the tree of a line's first value */
    static BlockStage of(FoldSource source, FoldType type, Leaf leaf, long first, long unit, int shift) {
        boolean even = Long.bitCount(unit) == 1;
        long granule = Long.lowestOneBit(even && first != 0 ? first * unit : even ? Long.MIN_VALUE >>> 1 : unit);
        FoldForm form = FoldForm.of(source, type, leaf, granule).ofWholeWarps();
        int level = form.cut(type, source.lines(), source.length()).orElse(Long.SIZE - 1);
        int inUnit = Long.SIZE - Long.numberOfLeadingZeros(unit - 1);
        AlignedBlocks blocks = AlignedBlocks.of(first, source.length() / unit, Math.max(0, level - inUnit));
        return new BlockStage(source, type, form, blocks, unit, shift);
    }

    long teams() {
        return source.lines() / form.columns();
    }

    @Override
    public long jobs() {
        return teams() * blocks.count();
    }

    @Override
    public int levels() {
        return form.levels(blocks.level() + 1);
    }

    @Override
    public FoldPartText part() {
        return FoldPartText.ofBlock(form);
    }

    @Override
    public void declare(KernelParameters parameters) {
        parameters.index("teams", teams());
        parameters.index("level", blocks.level());
        parameters.index("head", blocks.head());
        parameters.index("heads", Long.bitCount(blocks.head()));
        parameters.index("whole", blocks.whole());
        parameters.index("tail", blocks.tail());
        parameters.index("unit", unit);
        parameters.index("numbers", nodeNumbers());
    }

    long nodeNumbers() {
        return source.lines() * type.components();
    }
}
