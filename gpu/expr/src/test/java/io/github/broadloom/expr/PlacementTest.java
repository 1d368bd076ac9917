package io.github.broadloom.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Where expressions are; no GPU is asked. */
class PlacementTest {
    private static Expr on(String device, long... shape) {
        Shape sizes = Shape.of(shape);
        Storage storage = Storage.onDevice(Device.of(device), 4096, 4 * sizes.numel(), () -> {});
        return Input.of(Tensor.of(DType.FLOAT32, Layout.contiguous(sizes), storage));
    }

    @Test
    void anExpressionIsWhereItsTensorsAre() {
        Expr x = on("cuda:1", 2, 3);
        Expr sum = Expr.reduce(Reduction.SUM, Expr.apply(Ops.ADD, x, Expr.literal(1)), KeepDim.DROP, 0);
        assertThat(Expr.cast(ViewOps.permute(sum, 0), DType.FLOAT64).device()).isEqualTo(Device.of("cuda:1"));
        assertThat(Input.of(Tensors.ones(2)).device()).isEqualTo(Device.CPU);
    }

    @Test
    void zeroDimTensorsOfTheCpuGoWithAnyDevice() {
        Expr scalar = Input.of(Tensors.scalar(2.0, DType.FLOAT32));
        assertThat(Expr.apply(Ops.MUL, scalar, on("cuda:0", 3)).device()).isEqualTo(Device.of("cuda:0"));
    }

    @Test
    void whatIsExpandedStaysWhereItIs() {
        Expr sum = Expr.reduce(Reduction.SUM, on("cuda:0", 2, 3), KeepDim.KEEP, 1);
        assertThat(Expr.expand(sum, 2, 5).device()).isEqualTo(Device.of("cuda:0"));
    }

    @Test
    void otherMixturesAreRefusedInPyTorchsWords() {
        Expr host = Input.of(Tensors.ones(3));
        for (Expr[] pair : new Expr[][] {{on("cuda:0", 3), host}, {host, on("cuda:0", 3)}}) {
            assertThatThrownBy(() -> Expr.apply(Ops.ADD, pair))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("Expected all tensors to be on the same device, but found at least two devices,"
                            + " cuda:0 and cpu!");
        }
        assertThatThrownBy(() -> Expr.apply(Ops.ADD, on("cuda:0"), on("cuda:1", 3)))
                .hasMessage("Expected all tensors to be on the same device, but found at least two devices,"
                        + " cuda:0 and cuda:1!");
    }

    @Test
    void indicesOfTheCpuGoWithAnyDeviceBetweenBracketsAlone() {
        Expr x = on("cuda:0", 5, 3);
        Expr indices = Input.of(Tensors.arange(3));
        assertThat(Picking.index(x, new TreeMap<>(Map.of(0, indices))).device()).isEqualTo(Device.of("cuda:0"));
        Expr there = Expr.cast(on("cuda:0", 3), DType.INT64);
        assertThatThrownBy(() -> Picking.index(Input.of(Tensors.ones(5)), new TreeMap<>(Map.of(0, there))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("indices should be either on cpu or on the same device as the indexed tensor (cpu)");
        for (ThrowingCallable elsewhere :
                List.<ThrowingCallable>of(() -> Picking.indexSelect(x, 0, indices), () -> Picking.take(x, indices))) {
            assertThatThrownBy(elsewhere)
                    .hasMessage("Expected all tensors to be on the same device, but found at least two devices,"
                            + " cuda:0 and cpu!");
        }
    }

    @Test
    void memoryOfADeviceIsNeverReadByTheCpu() {
        Tensor x = (Tensor) ((Input) on("cuda:0", 3)).source();
        assertThat(x.deviceAddress()).isEqualTo(4096);
        assertThatThrownBy(x::address)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot read memory of cuda:0 on the CPU; copy the tensor with to(Device.CPU) first");
    }
}
