package io.github.broadloom.bench.guide;

import java.util.List;

/**
 * One statement of a block, and what the page says comes of it.
 *
 * @param line where it starts in the page
 * @param expected the lines of the comments that follow it; none where it says nothing
 */
record Step(int line, String source, List<String> expected) {}
