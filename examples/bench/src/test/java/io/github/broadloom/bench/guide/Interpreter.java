package io.github.broadloom.bench.guide;

import java.util.List;

/** What runs the blocks of a language: one for a page, so that later blocks see what earlier ones made. */
interface Interpreter {
    /** For a language that another test runs. */
    Interpreter ELSEWHERE = new Interpreter() {
        @Override
        public List<Step> steps(Block block) {
            return List.of();
        }

        @Override
        public Answer run(Step step) {
            return Answer.NOTHING;
        }
    };

    /**
     * The statements of a block.
     *
     * @throws IllegalArgumentException where the last of them has no end
     */
    List<Step> steps(Block block);

    /** Runs a statement, and returns all that comes of it. */
    Answer run(Step step);
}
