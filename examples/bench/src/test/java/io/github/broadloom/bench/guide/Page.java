package io.github.broadloom.bench.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A page of Markdown.
 *
 * @param blocks its fenced blocks in their order; output that follows a block is a part of that
 */
record Page(Path file, List<Block> blocks) {
    private static final String FENCE = "```";

    /** Reads a page, and puts its paths where they are here. */
    static Page read(Path file, Places places) throws IOException {
        List<String> lines =
                Files.readAllLines(file).stream().map(places::inside).toList();
        List<Block> blocks = new ArrayList<>();
        int start = -1;
        OptionalInt end = OptionalInt.empty();
        for (int i = 0; i < lines.size(); i++) {
            boolean fence = lines.get(i).startsWith(FENCE);
            if (fence && start < 0) {
                start = i;
            } else if (fence) {
                String language =
                        lines.get(start).substring(FENCE.length()).strip().split(" ")[0];
                Block block = new Block(language, start + 2, lines.subList(start + 1, i), Optional.empty());
                int last = blocks.size() - 1;
                if (language.equals("text")
                        && follows(lines, end, start)
                        && !blocks.get(last).isForTheEye()) {
                    blocks.set(last, blocks.get(last).with(block));
                } else {
                    blocks.add(block);
                }
                start = -1;
                end = OptionalInt.of(i);
            }
        }
        if (start >= 0) {
            throw new IOException(file + ":" + (start + 1) + ": the block has no end");
        }
        return new Page(file, List.copyOf(blocks));
    }

    /** The last line of its last block, or the first where there is none. */
    int lastLine() {
        return blocks.stream()
                .mapToInt(block -> block.line() + block.lines().size())
                .max()
                .orElse(1);
    }

    /** Its blocks of one language. */
    List<Block> blocksOf(String language) {
        return blocks.stream()
                .filter(block -> block.language().equals(language))
                .toList();
    }

    /** How many of its blocks are run. */
    long runnable() {
        return blocks.stream().filter(block -> !block.isForTheEye()).count();
    }

    /** Whether there are but empty lines between the end of a block and the start of the next. */
    private static boolean follows(List<String> lines, OptionalInt end, int start) {
        return end.isPresent()
                && lines.subList(end.getAsInt() + 1, start).stream().allMatch(String::isBlank);
    }
}
