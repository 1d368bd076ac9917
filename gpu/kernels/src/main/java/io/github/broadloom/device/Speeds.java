package io.github.broadloom.device;

/**
 * What a device does in a second, measured when first asked for.
 *
 * @param memoryBytes bytes that it reads and writes in its own memory, counted once each
 * @param transferBytes bytes of this JVM's memory that reach it; infinite where that is its own
 * @param operations simple operations on float32 elements, all its processors together
 * @param startSeconds what one kernel costs before it does anything
 */
public record Speeds(double memoryBytes, double transferBytes, double operations, double startSeconds) {

    /** How long that much work takes, of which transfers, memory and arithmetic overlap but the start does not. */
    double seconds(Work work) {
        double transfer = Math.max(work.bytesIn(), work.bytesOut()) / transferBytes;
        double memory = work.movedBytes() / memoryBytes;
        double arithmetic = work.operations() / operations;
        return work.passes() * startSeconds + Math.max(transfer, Math.max(memory, arithmetic));
    }
}
