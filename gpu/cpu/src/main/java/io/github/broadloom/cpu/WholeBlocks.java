package io.github.broadloom.cpu;

/**
 * Cuts a stream of elements into blocks of one length: they are handed on where they lie, but for a block that comes in parts, which is put
 * together in an array of its own.
 */
final class WholeBlocks {

    interface Taker {
        /** The next {@code blocks} blocks, which lie in {@code elements} from {@code from} on. */
        void accept(Object elements, int from, int blocks);
    }

    private final int length;
    private final Object pending;
    private final Taker taker;
    private int waiting;

    /** @param pending an array of the elements' type that holds a block */
    WholeBlocks(int length, Object pending, Taker taker) {
        this.length = length;
        this.pending = pending;
        this.taker = taker;
    }

    void accept(Object elements, int from, int count) {
        int at = from;
        int end = from + count;
        if (waiting > 0) {
            at += keep(elements, at, Math.min(count, length - waiting));
            if (waiting == length) {
                taker.accept(pending, 0, 1);
                waiting = 0;
            }
        }
        int whole = (end - at) / length;
        if (whole > 0) {
            taker.accept(elements, at, whole);
            at += whole * length;
        }
        keep(elements, at, end - at);
    }

    private int keep(Object elements, int at, int count) {
        System.arraycopy(elements, at, pending, waiting, count);
        waiting += count;
        return count;
    }

    /** How many elements are left that are no block; from now on none. They lie at the beginning of the array that was given. */
    int takeRest() {
        int rest = waiting;
        waiting = 0;
        return rest;
    }
}
