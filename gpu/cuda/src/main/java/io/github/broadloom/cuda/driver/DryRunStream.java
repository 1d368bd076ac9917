package io.github.broadloom.cuda.driver;

import io.github.broadloom.cuda.code.CudaPass;
import io.github.broadloom.device.DryRunMemory;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.kernels.plan.Pass;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A stream that does nothing and writes down what it was to do. Its memory is addresses, aligned as those of a device are. */
public final class DryRunStream implements DeviceWork {
    private static final Device THERE = Device.of("cuda", 0);
    private static final long ALIGNMENT = 256;

    private final List<Step> steps = new ArrayList<>();
    private long nextAddress = ALIGNMENT;

    /** What was to be done: kernels or something else, and a text for people. */
    public record Step(Optional<CudaPass> pass, Supplier<String> text) {}

    /** A tensor of a device, without elements, at an address that is aligned as well as one can be. */
    public static Tensor there(DType dtype, Layout layout) {
        long bytes = layout.shape().numel() == 0 ? 0 : dtype.sizeBytes(layout.maxElement() + 1);
        return Tensor.of(dtype, layout, storage(ALIGNMENT, bytes));
    }

    private static Storage storage(long address, long bytes) {
        return Storage.onDevice(THERE, address, bytes, () -> {});
    }

    public List<Step> steps() {
        return steps;
    }

    @Override
    public boolean holds(Tensor tensor) {
        return tensor.device().type().equals(THERE.type());
    }

    @Override
    public boolean isHere(Tensor tensor) {
        return !holds(tensor);
    }

    @Override
    public Storage memory(long bytes) {
        long address = nextAddress;
        nextAddress += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        return storage(address, bytes);
    }

    @Override
    public Tensor freshHere(DType dtype, Shape shape) {
        return DryRunMemory.tensor(dtype, Layout.contiguous(shape));
    }

    @Override
    public void launch(CudaPass pass, long[] addresses) {
        steps.add(new Step(Optional.of(pass), pass::describe));
    }

    @Override
    public Tensor onCpu(Expr node, List<Expr> operands) {
        note(() -> node + " of " + Pass.type(node) + ": no CUDA kernel, so on the CPU");
        return freshHere(node.dtype(), node.shape());
    }

    @Override
    public void note(Supplier<String> step) {
        steps.add(new Step(Optional.empty(), step));
    }

    /** No kernel ran, so none divided by zero. */
    @Override
    public int word(Storage storage) {
        return 0;
    }

    @Override
    public void upload(Tensor source, Tensor target) {}

    @Override
    public void download(Tensor source, Tensor target) {}

    @Override
    public void startDownload(Tensor source, Tensor target) {}

    @Override
    public void copy(long from, long to, long bytes) {}

    @Override
    public void fill(Storage storage, byte value) {}

    @Override
    public void keep(Object object) {}

    @Override
    public void synchronize() {}

    @Override
    public void close() {}
}
