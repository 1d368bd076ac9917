package io.github.broadloom.cuda.driver;

import jcuda.driver.CUdeviceptr;

/** An address of device memory as JCuda takes and gives it. JCuda keeps a base and an offset and shows neither; here they are one number. */
public final class DevicePointer extends CUdeviceptr {
    public DevicePointer() {}

    public DevicePointer(long address) {
        super(new CUdeviceptr(), address);
    }

    public long address() {
        return getNativePointer() + getByteOffset();
    }
}
