package io.github.broadloom.plan;

import io.github.broadloom.expr.IndexMap;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import java.io.Serializable;

/**
 * The indices along one dimension of a source, or of what moves make of it, that a chunk needs.
 *
 * @param stageDim which index {@code i} of the stage the line follows, at {@code step * i + offset}; {@link Alignment#NONE} for those from
 *     {@code offset} up to {@code size}, {@code step} being 1
 * @param size of the dimension
 * @param reach how many indices behind it, too
 */
record Line(int stageDim, long step, long offset, long size, long reach) implements Serializable {
    private Line(int stageDim, long step, long offset, long size) {
        this(stageDim, step, offset, size, 0);
    }

    /** Every index of a dimension of that size. */
    static Line all(long size) {
        return new Line(Alignment.NONE, 1, 0, size);
    }

    /** The line along dimension {@code dim} of an expression of a stage. */
    static Line own(long size, Alignment alignment, int dim) {
        int stageDim = alignment.of(dim);
        return stageDim == Alignment.NONE ? all(size) : new Line(stageDim, 1, alignment.offset(dim), size);
    }

    /** The line of a move's operand that has this line in its result, along a dimension of that size. */
    Line before(IndexMap map, long size) {
        if (!isFree()) {
            long turned = map.step() < 0 ? map.step() * reach : 0;
            return new Line(
                    stageDim,
                    map.step() * step,
                    map.at(offset) + turned,
                    size,
                    Math.abs(map.step()) * reach + map.reach());
        }
        boolean ascends = map.step() > 0;
        long first = map.at(ascends ? offset : this.size - 1);
        long last = map.at(ascends ? this.size - 1 : offset);
        return new Line(Alignment.NONE, 1, first, Math.max(first, last + map.reach() + 1));
    }

    /**
     * The line along a dimension of that size of which a window has this one.
     *
     * @param windows the line of the windows, the same for every chunk
     * @param stride from one window to the next
     */
    Line inWindows(Line windows, long stride, long size) {
        return new Line(
                stageDim,
                step,
                offset + stride * windows.offset,
                size,
                reach + stride * Math.max(0, windows.size - 1 - windows.offset));
    }

    /** Whether it is the same for every chunk. */
    boolean isFree() {
        return stageDim == Alignment.NONE;
    }

    long start(Box stage) {
        return isFree() ? offset : clip(Math.min(at(first(stage)), at(last(stage))));
    }

    long end(Box stage) {
        boolean none = !isFree() && stage.size(stageDim) == 0;
        return isFree() ? size : none ? start(stage) : clip(Math.max(at(first(stage)), at(last(stage))) + reach + 1);
    }

    /** The most of them where chunks are no larger than that. */
    long most(Shape chunk) {
        return isFree()
                ? size - offset
                : Math.min(size, Math.max(0, chunk.size(stageDim) - 1) * Math.abs(step) + reach + 1);
    }

    private long first(Box stage) {
        return stage.start(stageDim);
    }

    private long last(Box stage) {
        return Math.max(first(stage), stage.end(stageDim) - 1);
    }

    /** The first index of the stage with an element on the line. */
    long firstStage() {
        long atZero = step > 0 ? -offset : offset - (size - 1);
        return Math.max(0, ceilDiv(atZero, Math.abs(step)));
    }

    /** The last one, where the dimension of the stage has that size. */
    long lastStage(long stageSize) {
        long atEnd = step > 0 ? size - 1 - offset : offset;
        return Math.min(stageSize - 1, Math.floorDiv(atEnd, Math.abs(step)));
    }

    /** Whether every index of the dimension is on it, so that its cuts are those of the stage. */
    boolean tellsCuts() {
        return Math.abs(step) == 1 || step == reach + 1;
    }

    /** Where the stage is cut so that the line is cut before {@code index}, or behind the window that this is in. */
    long stageCut(long index) {
        return step > 0 ? ceilDiv(index - offset, step) : offset - index + 1;
    }

    private static long ceilDiv(long a, long b) {
        return -Math.floorDiv(-a, b);
    }

    private long at(long index) {
        return step * index + offset;
    }

    private long clip(long index) {
        return Math.max(0, Math.min(size, index));
    }
}
