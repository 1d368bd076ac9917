package io.github.broadloom.bench.guide;

import java.util.List;
import java.util.Optional;

/**
 * A fenced block of a page.
 *
 * @param language the first word after the fence
 * @param line where its first line stands in the page, from 1
 * @param lines its lines
 * @param shown the block of language {@code text} that follows with nothing between: what the whole block prints
 */
record Block(String language, int line, List<String> lines, Optional<Block> shown) {
    /** Languages that a reader looks at and does not run here: output, and commands for other machines. */
    private static final List<String> FOR_THE_EYE = List.of("text", "console");

    boolean isForTheEye() {
        return FOR_THE_EYE.contains(language);
    }

    Block with(Block output) {
        return new Block(language, line, lines, Optional.of(output));
    }
}
