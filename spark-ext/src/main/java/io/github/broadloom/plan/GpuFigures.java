package io.github.broadloom.plan;

/**
 * What one run did on GPUs, and what had to give way there.
 *
 * @param uploadedBytes bytes that went to devices
 * @param downloadedBytes bytes that came from devices
 * @param halved pieces of work that were halved for want of device memory
 * @param onCpuForMemory pieces that the CPU computed for want of device memory
 * @param onCpuForKernels pieces that the CPU computed because a kernel was not to be had
 */
public record GpuFigures(
        long uploadedBytes, long downloadedBytes, long halved, long onCpuForMemory, long onCpuForKernels) {
    /** Of a run on the CPU. */
    public static final GpuFigures NONE = new GpuFigures(0, 0, 0, 0, 0);
}
