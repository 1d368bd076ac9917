package io.github.broadloom.device.cuda;

import jcuda.driver.CUdeviceptr;

/** An address of device memory as JCuda takes and gives it. JCuda keeps a base and an offset and shows neither; here they are one number. */
final class DevicePointer extends CUdeviceptr {

    /** Null, until a call of the driver fills it. */
    DevicePointer() {}

    DevicePointer(long address) {
        super(new CUdeviceptr(), address);
    }

    long address() {
        return getNativePointer() + getByteOffset();
    }
}
