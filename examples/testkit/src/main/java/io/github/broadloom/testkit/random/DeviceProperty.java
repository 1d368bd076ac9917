package io.github.broadloom.testkit.random;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.device.StorageCopies;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Ulps;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A device computes what the CPU computes: the same bits where the table of operations says so, else within the ulps of its row. Where the CPU refuses, it refuses in
 * the same words. NaN counts as one value.
 *
 * <p>Errors within ulps grow from one operation to the next. So an expression is cut behind every operation that may err: its value is compared, and what
 * stands above it goes on from the CPU's. All else is fused as it would be.
 */
public record DeviceProperty(Device device, DeviceProperty.Operands operands) implements Property {
    private static final Backend CPU = Devices.backend(Device.CPU);

    public enum Operands {
        /** On the device, with the strides that they have. */
        THERE,
        /** In this JVM: they go there in pieces, and the result comes back. */
        HERE
    }

    /** The property of a device; refused with the reason where it cannot be used. */
    public DeviceProperty {
        Devices.backend(device);
    }

    /** The property for the expression of a seed: of every third seed the operands are here, of the others there. */
    public static DeviceProperty of(Device device, long seed) {
        return new DeviceProperty(device, Math.floorMod(seed, 3) == 2 ? Operands.HERE : Operands.THERE);
    }

    /** Computes and compares all parts, also behind one that differs, so that the same kernels run whatever comes of them. */
    @Override
    public void check(Expr expr) {
        String difference = null;
        Map<Expr, Expr> known = new IdentityHashMap<>();
        for (Expr node : expr.postOrder()) {
            Expr part = node.children().isEmpty()
                    ? node
                    : node.withChildren(node.children().stream().map(known::get).toList());
            if (node == expr || permittedUlps(node) > 0) {
                Answer wanted = Answer.of(() -> CPU.evaluate(part));
                String found = difference(part, wanted, Answer.of(() -> onDevice(part)));
                difference = difference == null ? found : difference;
                if (wanted.value == null) {
                    break; // nothing stands above an error
                }
                known.put(node, Input.of(wanted.value));
            } else {
                known.put(node, part);
            }
        }
        if (difference != null) {
            throw new AssertionError(difference);
        }
    }

    private Tensor onDevice(Expr part) {
        if (operands == Operands.HERE) {
            return Devices.backend(device).evaluate(part);
        }
        StorageCopies copies = new StorageCopies(device);
        try {
            Expr placed = part.mapInputs(input -> Input.of(copies.there((Tensor) input.source())));
            Tensor computed = Devices.backend(device).evaluate(placed);
            Tensor value = computed.to(Device.CPU);
            computed.release();
            return value;
        } finally {
            copies.release();
        }
    }

    /** What the CPU and the device may lie apart: each is within the row's ulps of the exact value. */
    private static long permittedUlps(Expr node) {
        return node instanceof Apply apply && apply.dtype().isFloatingPoint()
                ? 2L * apply.op().ulp()
                : 0;
    }

    /** A value, or the sentence of a refusal. */
    private record Answer(@Nullable Tensor value, String refusal) {
        static Answer of(Supplier<Tensor> computation) {
            try {
                return new Answer(computation.get(), "");
            } catch (ArithmeticException | IllegalArgumentException refused) {
                return new Answer(null, String.valueOf(refused.getMessage()));
            }
        }
    }

    private @Nullable String difference(Expr part, Answer wanted, Answer got) {
        if (wanted.value == null || got.value == null) {
            return wanted.refusal.equals(got.refusal)
                    ? null
                    : "the CPU says \"" + wanted.refusal + "\", " + device + " \"" + got.refusal + "\"";
        }
        if (wanted.value.dtype() != got.value.dtype() || !wanted.value.shape().equals(got.value.shape())) {
            return "the CPU has " + wanted.value.dtype() + wanted.value.shape() + ", " + device + " "
                    + got.value.dtype() + got.value.shape();
        }
        List<Object> here = wanted.value.values();
        List<Object> there = got.value.values();
        for (int i = 0; i < here.size(); i++) {
            if (!isNear(here.get(i), there.get(i), part.dtype(), permittedUlps(part))) {
                return "element " + i + " of " + here.size() + ": the CPU has " + here.get(i) + ", " + device + " "
                        + there.get(i) + ", and " + permittedUlps(part) + " ulps are permitted";
            }
        }
        return null;
    }

    private static boolean isNear(Object wanted, Object got, DType dtype, long ulps) {
        if (wanted.equals(got) || ulps == 0) {
            return wanted.equals(got);
        }
        double a = (Double) wanted;
        double b = (Double) got;
        return !Double.isNaN(a) && !Double.isNaN(b) && Ulps.between(a, b, dtype) <= ulps;
    }
}
