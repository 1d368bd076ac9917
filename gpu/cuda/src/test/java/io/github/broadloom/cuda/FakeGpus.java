package io.github.broadloom.cuda;

import io.github.broadloom.cuda.driver.Gpus;

/** The GPUs that tests have opened. */
public final class FakeGpus {
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    private FakeGpus() {}

    /** Gives the device memory that this JVM keeps for reuse back to the driver. */
    public static void freeKept() {
        Gpus.freeKept();
    }

    /**
     * Closes every GPU that is open, when the tensors that nobody refers to are collected.
     *
     * @throws AssertionError where device memory stays lent, or the driver still holds something
     */
    public static void closeAll() {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        Gpus.dropCopies();
        while (Gpus.usedBytes() > 0) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(Gpus.usedBytes() + " bytes of device memory are still lent");
            }
            System.gc();
        }
        Gpus.close();
        FakeDriver.Outstanding left = FakeDriver.load().outstanding();
        if (!left.equals(FakeDriver.Outstanding.NOTHING)) {
            throw new AssertionError("The driver still holds " + left);
        }
    }
}
