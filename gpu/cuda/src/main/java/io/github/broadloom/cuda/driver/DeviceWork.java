package io.github.broadloom.cuda.driver;

import io.github.broadloom.cuda.code.CudaPass;
import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.function.Supplier;

/**
 * What an evaluation asks of a device, in order: memory, copies, kernels. A {@link GpuStream} does it; a {@link DryRunStream} writes down what a
 * stream would do, so that both always do the same.
 */
public interface DeviceWork extends AutoCloseable {
    /** Whether a tensor is on the device as it stands. */
    boolean holds(Tensor tensor);

    /** Whether a tensor is in the memory of this JVM. */
    default boolean isHere(Tensor tensor) {
        return tensor.device().isCpu();
    }

    /** Device memory, uninitialised, to be used by this work first; an {@link OutOfDeviceMemoryException} where there is none. */
    Storage memory(long bytes);

    /** A contiguous tensor of the device, uninitialised, whose memory its storage owns. */
    default Tensor fresh(DType dtype, Shape shape) {
        return Tensor.of(dtype, Layout.contiguous(shape), memory(dtype.sizeBytes(shape.numel())));
    }

    /** A contiguous tensor of this JVM, uninitialised. */
    default Tensor freshHere(DType dtype, Shape shape) {
        return Tensors.empty(dtype, shape);
    }

    /** Copies a tensor, whatever its strides, to a contiguous one of the device. Its elements may be overwritten when this returns. */
    void upload(Tensor source, Tensor target);

    /** As {@link #upload}; but its elements stay as they are, and are held, until all that was asked for {@linkplain #synchronize is done}. */
    default void startUpload(Tensor source, Tensor target) {
        upload(source, target);
    }

    /** Copies a contiguous tensor of the device to a contiguous one of this JVM, and waits for it. */
    void download(Tensor source, Tensor target);

    /** As {@link #download}; but the elements are there, and may be freed, when all that was asked for {@linkplain #synchronize is done}. */
    void startDownload(Tensor source, Tensor target);

    void copy(long from, long to, long bytes);

    void fill(Storage storage, byte value);

    /** The first four bytes, when all that was asked for is done. */
    int word(Storage storage);

    /**
     * Starts the kernels of a pass, one after the other.
     *
     * @param addresses of the buffers, by the slots of the launches
     * @throws IllegalStateException where a kernel must be compiled and cannot be
     */
    void launch(CudaPass pass, long[] addresses);

    /**
     * Computes on the CPU what no kernel can.
     *
     * @param operands in place of the node's children: inputs that are {@linkplain #isHere here}
     * @return a fresh contiguous tensor of this JVM
     */
    default Tensor onCpu(Expr node, List<Expr> operands) {
        return cpu().evaluate(node.withChildren(operands));
    }

    static Backend cpu() {
        return Devices.backend(Device.CPU);
    }

    /** Hears of a step that is no kernel, of which nothing has to be done. */
    default void note(Supplier<String> step) {}

    /** Keeps an object reachable until what was asked for so far is done. */
    void keep(Object object);

    void synchronize();

    @Override
    void close();
}
