package io.github.broadloom.tensor;

import java.util.function.Consumer;

/** Copies between the memories of this machine. */
final class Transfers {
    private static final DeviceServices<DeviceMemory> MEMORIES =
            new DeviceServices<>(DeviceMemory.class, DeviceMemory::type);

    private Transfers() {}

    /** The memory of a device other than the CPU. */
    static DeviceMemory memory(Device device) {
        return MEMORIES.of(device);
    }

    static Tensor to(Tensor source, Device target) {
        Device from = source.device();
        Device resolved = target.isCpu() ? Device.CPU : memory(target).resolve(target);
        if (from.equals(resolved)) {
            return source;
        }
        try (Hold held = Hold.of(source)) {
            return from.isCpu() ? upload(source, resolved) : fromDevice(source, resolved);
        }
    }

    private static Tensor fromDevice(Tensor source, Device target) {
        Tensor onHost = download(source);
        if (target.isCpu()) {
            return onHost;
        }
        try {
            return upload(onHost, target);
        } finally {
            onHost.release();
        }
    }

    private static Tensor upload(Tensor source, Device device) {
        return filled(
                Tensors.empty(source.dtype(), source.shape(), device),
                target -> packed(
                        source, packed -> memory(device).upload(packed.address(), target.storage(), 0, bytes(source))));
    }

    private static Tensor download(Tensor source) {
        return filled(
                Tensors.empty(source.dtype(), source.shape()),
                target -> packed(source, packed -> {
                    long offset = packed.layout().offset() * packed.dtype().bytes();
                    memory(source.device()).download(packed.storage(), offset, target.address(), bytes(source));
                }));
    }

    /** A fresh tensor, when it is filled; where that fails it is released. */
    static Tensor filled(Tensor target, Consumer<Tensor> fill) {
        try {
            fill.accept(target);
            return target;
        } catch (RuntimeException | Error e) {
            target.release();
            throw e;
        }
    }

    /** Does something with the elements of a tensor, row-major without gaps; where that takes a copy, it goes afterwards. */
    private static void packed(Tensor source, Consumer<Tensor> use) {
        Tensor packed = source.contiguous();
        try {
            use.accept(packed);
        } finally {
            packed.releaseCopyOf(source);
        }
    }

    private static long bytes(Tensor tensor) {
        return tensor.dtype().sizeBytes(tensor.numel());
    }
}
