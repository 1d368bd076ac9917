package io.github.broadloom.tensor;

import java.lang.ref.Reference;

/** Copies between the memories of this machine. */
final class Transfers {
    private Transfers() {}

    static Tensor to(Tensor source, Device target) {
        Device from = source.device();
        Device resolved =
                target.isCpu() ? Device.CPU : DeviceMemories.of(target).resolve(target);
        if (from.equals(resolved)) {
            return source;
        }
        if (from.isCpu()) {
            return upload(source, resolved);
        }
        Tensor onHost = download(source);
        return resolved.isCpu() ? onHost : upload(onHost, resolved);
    }

    private static Tensor upload(Tensor source, Device device) {
        Tensor packed = source.contiguous();
        Tensor target = Tensors.empty(source.dtype(), source.shape(), device);
        DeviceMemories.of(device).upload(packed.address(), target.storage(), 0, bytes(source));
        Reference.reachabilityFence(packed);
        return target;
    }

    private static Tensor download(Tensor source) {
        Tensor packed = source.contiguous();
        Tensor target = Tensors.empty(source.dtype(), source.shape());
        long offset = packed.layout().offset() * packed.dtype().bytes();
        DeviceMemories.of(source.device()).download(packed.storage(), offset, target.address(), bytes(source));
        Reference.reachabilityFence(packed);
        Reference.reachabilityFence(target);
        return target;
    }

    private static long bytes(Tensor tensor) {
        return tensor.dtype().sizeBytes(tensor.numel());
    }

    /** Between tensors of one shape on one device. */
    static void copyOnDevice(Tensor source, Tensor target) {
        DeviceMemories.of(target.device()).copy(source, target);
        Reference.reachabilityFence(source);
        Reference.reachabilityFence(target);
    }
}
