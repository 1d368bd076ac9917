package io.github.broadloom.plan;

/** What an earlier stage of the plan leaves. */
public sealed interface StageOutput extends Source permits StageResult, StageChunks {
    /** That stage's index in the plan. */
    int stage();
}
