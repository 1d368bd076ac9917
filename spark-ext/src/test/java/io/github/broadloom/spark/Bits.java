package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.Devices;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import java.lang.ref.Reference;

/** Compares tensors to the last bit. */
public final class Bits {
    private Bits() {}

    public static byte[] of(Tensor tensor) {
        Tensor rows = tensor.contiguous();
        byte[] bytes = new byte[Math.toIntExact(rows.numel() * rows.dtype().bytes())];
        RawMemory.copy(rows.address(), bytes, 0, bytes.length);
        Reference.reachabilityFence(rows);
        return bytes;
    }

    public static void assertSame(Tensor got, Tensor expected) {
        assertThat(got.dtype()).isEqualTo(expected.dtype());
        assertThat(got.shape()).isEqualTo(expected.shape());
        assertThat(of(got)).isEqualTo(of(expected));
    }

    /** The value as this machine computes it without Spark. */
    public static Tensor local(Expr expr) {
        return Devices.backend(Device.CPU).evaluate(expr);
    }
}
