package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writing over the first operand: what is seen through views, and what PyTorch refuses. */
class InPlaceTest {

    @Test
    void everyViewOfTheStorageSeesTheChange() {
        Tensor whole = Tensors.arange(6).view(2, 3);
        Tensor column = whole.select(1, 1);
        Tensor same = InPlace.apply_(Op.of("mul"), column, 10);
        assertThat(same).isSameAs(column);
        assertThat(whole.toLongArray()).containsExactly(0, 10, 2, 3, 40, 5);
    }

    @Test
    void operandsThatShareMemoryActAsIfTheOtherHadBeenCopied() {
        Tensor a = Tensors.of(1, 1, 1, 1);
        InPlace.apply_(Op.of("add"), a.index(Slice.from(1)), a.index(Slice.to(-1)));
        assertThat(a.toLongArray()).containsExactly(1, 2, 2, 2);
        Tensor b = Tensors.of(1, 2, 3, 4);
        b.index(Slice.from(1)).copy_(b.index(Slice.to(-1)));
        assertThat(b.toLongArray()).containsExactly(1, 1, 2, 3);
    }

    @Test
    void theOtherBroadcastsAndTheDtypeStays() {
        Tensor a = Tensors.zeros(Shape.of(2, 2), DType.INT8);
        InPlace.apply_(Op.of("add"), a, Tensors.of(100, 200));
        assertThat(a.dtype()).isEqualTo(DType.INT8);
        assertThat(a.toLongArray()).containsExactly(100, -56, 100, -56);
    }

    @Test
    void whatIsRefusedLeavesTheTargetAsItWas() {
        Tensor a = Tensors.of(1, 2, 3);
        assertThatThrownBy(() -> InPlace.apply_(Op.of("div"), a, 2))
                .hasMessage("result type Float can't be cast to the desired output type Long");
        assertThatThrownBy(
                        () -> InPlace.apply_(Op.of("add"), a, Tensors.arange(6).view(2, 3)))
                .hasMessage("output with shape [3] doesn't match the broadcast shape [2, 3]");
        assertThatThrownBy(() -> a.copy_(Tensors.of(1, 2)))
                .hasMessage(
                        "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0");
        assertThat(a.toLongArray()).containsExactly(1, 2, 3);
    }

    @Test
    void overlappingElementsAreRefusedBeforeSizesAndAfterBoolSubtraction() {
        Tensor expanded = Tensors.of(1L).expand(3);
        assertThatThrownBy(() -> InPlace.apply_(Op.of("add"), expanded, Tensors.of(1, 2)))
                .hasMessageStartingWith("unsupported operation: more than one element of the written-to tensor");
        Tensor mask = Tensors.of(true).expand(3);
        assertThatThrownBy(() -> InPlace.apply_(Op.of("sub"), mask, Tensors.of(true, false)))
                .hasMessageStartingWith("Subtraction, the `-` operator, with two bool tensors");
    }

    @Test
    void theShapeOfTheResultIsRefusedBeforeItsDtype() {
        Tensor integers = Tensors.zeros(Shape.of(2), DType.INT32);
        assertThatThrownBy(() -> InPlace.apply_(Op.of("add"), integers, Tensors.zeros(3, 2)))
                .hasMessage("output with shape [2] doesn't match the broadcast shape [3, 2]");
        assertThatThrownBy(() -> InPlace.apply_(Op.of("add"), integers, Tensors.zeros(2)))
                .hasMessage("result type Float can't be cast to the desired output type Int");
    }

    /** A kernel that wrote there would end this JVM. */
    @Test
    void aReadOnlyMappingIsNoTarget(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("values"), new byte[] {1, 2, 3, 4});
        Tensor mapped;
        try (FileChannel channel = FileChannel.open(file)) {
            mapped = Tensors.wrap(channel.map(MapMode.READ_ONLY, 0, 4), DType.INT8, Shape.of(4));
        }
        Expr sum = LazyTensor.of(mapped).add(1).expr();
        List<ThrowingCallable> writes = List.of(
                () -> InPlace.add_(mapped, 1),
                () -> InPlace.add_(mapped.index(Slice.from(1)), mapped.index(Slice.to(-1))),
                () -> InPlace.mul_(mapped.view(2, 2).t(), mapped.view(2, 2)),
                () -> LazyTensor.of(mapped).overwrite(sum),
                () -> Devices.backend(Device.CPU).prepared(sum, mapped));
        for (ThrowingCallable write : writes) {
            assertThatThrownBy(write)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("assignment destination is read-only");
        }
        assertThat(LazyTensor.of(mapped).add(1).compute().toLongArray()).containsExactly(2, 3, 4, 5);
    }
}
