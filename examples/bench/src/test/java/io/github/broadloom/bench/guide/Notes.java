package io.github.broadloom.bench.guide;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Where a page is wrong: what came is not what it shows. */
final class Notes {
    private final Path file;
    private final UnaryOperator<String> outside;
    private final List<String> mistakes = new ArrayList<>();
    /** What the block printed so far that its statements do not show. */
    private final List<Step> silent = new ArrayList<>();

    private final List<String> printed = new ArrayList<>();
    private int blocks;

    /**
     * @param file for the messages
     * @param outside turns paths of the test into those of the page
     */
    Notes(Path file, UnaryOperator<String> outside) {
        this.file = file;
        this.outside = outside;
    }

    /** A statement was run. */
    void take(Step step, Answer answer) {
        List<String> shown = answer.shown();
        if (step.expected().isEmpty() && !answer.isFailure()) {
            if (answer.isPrinted()) {
                silent.add(step);
                printed.addAll(shown);
            }
        } else if (!shown.isEmpty()) {
            compare(step.line(), step.source(), step.expected(), shown);
        }
    }

    /** All statements of a block were run. */
    void endBlock(Block block) {
        blocks++;
        if (block.shown().isPresent()) {
            Block below = block.shown().get();
            compare(below.line(), "the block above it", below.lines(), printed);
        } else if (!silent.isEmpty()) {
            compare(silent.get(0).line(), silent.get(0).source(), List.of(), printed);
        }
        silent.clear();
        printed.clear();
    }

    private void compare(int line, String source, List<String> expected, List<String> shown) {
        List<String> said = expected.stream().map(outside).toList();
        List<String> came = shown.stream().map(outside).toList();
        if (!Expected.matches(said, came)) {
            add(
                    line,
                    outside.apply(source) + "\n  the page shows\n    " + String.join("\n    ", said)
                            + "\n  and what came is\n    " + String.join("\n    ", came));
        }
    }

    /** Something is wrong in that line. */
    void add(int line, String what) {
        mistakes.add(file.getFileName() + ":" + line + ": " + what);
    }

    /** A text for each wrong place, which begins with page and line. */
    List<String> mistakes() {
        return mistakes;
    }

    /** How many blocks were run to their ends. */
    int blocks() {
        return blocks;
    }
}
