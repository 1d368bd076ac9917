package io.github.broadloom.tensor;

/** A piece of a region, from a cache line on. */
record Pages(Region region, long address, long bytes) {
    long end() {
        return address + bytes;
    }
}
