package io.github.broadloom.cuda.code;

/** One launch of a fold: which part of each line a team takes, and what becomes of it. */
sealed interface FoldStage permits LineStage, BlockStage {
    FoldSource source();

    FoldType type();

    FoldForm form();

    long jobs();

    /** 2^shift values of the operand are in each that is folded. */
    int shift();

    /** The levels of a team's stack: one for each digit of how many values it takes at most. */
    int levels();

    /** The nodes behind the tree of a line, which earlier launches left. */
    default int extras() {
        return 0;
    }

    FoldPartText part();

    /** Adds what the statements of a part need to the kernel's parameters. */
    void declare(KernelParameters parameters);
}
