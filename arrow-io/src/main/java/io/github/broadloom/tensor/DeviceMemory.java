package io.github.broadloom.tensor;

/**
 * The memory of devices of one type, as tensors need it. Registered in {@code META-INF/services}; nothing here is asked before a tensor is to live there.
 *
 * <p>Every call returns when its effect can be seen by the next call of any thread, whatever the device does meanwhile.
 */
public interface DeviceMemory {

    /** The device type that this is the memory of, as it stands in a device string. */
    String type();

    /**
     * The device with its ordinal: {@code cuda} is {@code cuda:0} until something else is the current one.
     *
     * @throws IllegalStateException with the reason, where it cannot be used here
     */
    Device resolve(Device device);

    /** Fresh bytes, uninitialised. */
    Storage allocate(Device device, long bytes);

    /** Copies bytes of this JVM's memory to the device. */
    void upload(long hostAddress, Storage target, long offsetBytes, long bytes);

    /** Copies bytes of the device to this JVM's memory. */
    void download(Storage source, long offsetBytes, long hostAddress, long bytes);

    /**
     * Copies elements on the device, cast as {@link Tensor#to(io.github.broadloom.dtype.DType)} does.
     *
     * @param source of the target's shape, with any strides
     * @param target no two of whose elements share a place, and none of which {@code source} reads elsewhere
     */
    void copy(Tensor source, Tensor target);
}
