package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.fluent.TensorOps;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rearranged and joined expressions, of tensors, of computed values and of reductions. */
class RearrangeTest {
    /** Fresh for each test: JUnit keeps the last instance of a class with parameterised tests. */
    private static Tensor counted() {
        return Tensors.arange(0, 24, 1, DType.INT64).view(2, 3, 4);
    }

    static Stream<Arguments> moves() {
        return Stream.of(
                move("permute", h -> h.permute(2, 0, -2), t -> t.permute(2, 0, 1)),
                move("transpose", h -> h.transpose(0, -1), t -> t.transpose(0, 2)),
                move("swapaxes", h -> h.swapaxes(1, 2), t -> t.transpose(1, 2)),
                move("t", h -> h.select(0, 1).t(), t -> t.select(0, 1).t()),
                move("movedim", h -> h.movedim(0, -1), t -> t.movedim(0, 2)),
                move("moveaxis", h -> h.moveaxis(2, 0), t -> t.movedim(2, 0)),
                move(
                        "movedim of two",
                        h -> h.movedim(new int[] {0, -1}, new int[] {1, 0}),
                        t -> t.permute(2, 0, 1)), // torch.movedim(x, (0, -1), (1, 0)) is [4, 2, 3]
                move("unsqueeze", h -> h.unsqueeze(-1), t -> t.unsqueeze(3)),
                move("squeeze", h -> h.narrow(1, 1, 1).squeeze(), t -> t.select(1, 1)),
                move("squeeze one", h -> h.narrow(1, 1, 1).squeeze(1), t -> t.select(1, 1)),
                move("squeeze none", h -> h.squeeze(1), t -> t),
                move(
                        "squeeze some",
                        h -> h.narrow(1, 1, 1).narrow(0, 0, 1).squeeze(0, 2),
                        t -> t.narrow(1, 1, 1).select(0, 0)),
                move("reshape", h -> h.reshape(4, -1), t -> t.reshape(4, 6)),
                move("view", h -> h.view(6, 4), t -> t.view(6, 4)),
                move(
                        "flatten",
                        h -> h.transpose(0, 2).flatten(),
                        t -> t.transpose(0, 2).flatten()),
                move("flatten some", h -> h.flatten(0, 1), t -> t.flatten(0, 1)),
                move("unflatten", h -> h.unflatten(-1, 2, -1), t -> t.view(2, 3, 2, 2)),
                move("flip", h -> h.flip(0, -1), t -> t.flip(0, 2)),
                move("narrow", h -> h.narrow(2, -3, 2), t -> t.narrow(2, 1, 2)),
                move("select", h -> h.select(-2, -1), t -> t.select(1, 2)),
                move("slice", h -> h.slice(2, 1L, null, 2), t -> t.slice(2, 1L, null, 2)),
                move(
                        "index",
                        h -> h.index(Slice.from(1), Slice.all(), Slice.of(-3, -1)),
                        t -> t.index(Slice.from(1), Slice.all(), Slice.of(-3, -1))),
                move("repeat", h -> h.repeat(2, 1, 1, 3), t -> t.repeat(2, 1, 1, 3)),
                move("tile", h -> h.tile(2), t -> t.tile(2)),
                move("slice of nothing", h -> h.slice(1, 2L, 1L, 1), t -> t.slice(1, 2L, 1L, 1)));
    }

    private static Arguments move(String name, UnaryOperator<LazyTensor> ofHandle, UnaryOperator<Tensor> ofTensor) {
        return Arguments.of(name, ofHandle, ofTensor);
    }

    private static void assertSame(LazyTensor got, Tensor expected) {
        assertThat(got.shape()).isEqualTo(expected.shape());
        Tensor value = got.compute();
        assertThat(value.dtype()).isEqualTo(expected.dtype());
        assertThat(value.shape()).isEqualTo(expected.shape());
        assertThat(value.isContiguous()).isTrue();
        assertThat(value.values()).isEqualTo(expected.values());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("moves")
    void aMoveGivesWhatThatOfATensorGives(
            String name, UnaryOperator<LazyTensor> ofHandle, UnaryOperator<Tensor> ofTensor) {
        Tensor x = counted();
        LazyTensor handle = LazyTensor.of(x);
        assertSame(ofHandle.apply(handle), ofTensor.apply(x));
        assertSame(ofHandle.apply(handle.neg().add(Tensors.arange(4))), ofTensor.apply(plusColumns(-1)));
        assertSame(
                ofHandle.apply(handle).sum(0),
                LazyTensor.of(ofTensor.apply(x)).sum(0).compute());
        Tensor cube = Tensors.arange(0, 48, 1, DType.INT64).view(2, 2, 3, 4);
        Tensor summed = LazyTensor.of(cube).sum(0).compute();
        assertSame(ofHandle.apply(LazyTensor.of(cube).sum(0)), ofTensor.apply(summed));
        assertSame(
                ofHandle.apply(LazyTensor.of(cube).sum(0)).mul(2),
                LazyTensor.of(ofTensor.apply(summed)).mul(2).compute());
        assertSame(
                ofHandle.apply(handle.cumsum(2)),
                ofTensor.apply(handle.cumsum(2).compute()));
        assertSame(ofHandle.apply(handle.concat(0, handle.mul(0)).narrow(0, 0, 2)), ofTensor.apply(x));
    }

    private Tensor plusColumns(long factor) {
        long[] values = new long[24];
        for (int i = 0; i < values.length; i++) {
            values[i] = factor * i + i % 4;
        }
        return Tensors.copyOf(values, 2, 3, 4);
    }

    @Test
    void theElementsStandWhereTheyShould() {
        LazyTensor matrix =
                LazyTensor.of(Tensors.of(1, 2, 3, 4, 5, 6).view(2, 3)).mul(10);
        assertThat(matrix.t().compute().toLongArray()).containsExactly(10, 40, 20, 50, 30, 60);
        assertThat(matrix.flip(1).compute().toLongArray()).containsExactly(30, 20, 10, 60, 50, 40);
        assertThat(matrix.select(1, -1).compute().toLongArray()).containsExactly(30, 60);
        assertThat(matrix.slice(1, Slice.every(2)).compute().toLongArray()).containsExactly(10, 30, 40, 60);
        assertThat(matrix.t().reshape(2, 3).compute().toLongArray()).containsExactly(10, 40, 20, 50, 30, 60);
        assertThat(matrix.add(matrix.flip(0, 1)).compute().toLongArray()).containsOnly(70);
        assertThat(matrix.sum(0).unsqueeze(1).add(matrix.select(0, 0)).compute().toLongArray())
                .containsExactly(60, 70, 80, 80, 90, 100, 100, 110, 120);
    }

    @Test
    void joinedPartsFollowEachOtherAndPromote() {
        LazyTensor a = LazyTensor.of(Tensors.of(1, 2, 3, 4).view(2, 2));
        LazyTensor joined = a.concat(1, a.mul(0.5), a.select(1, 0).unsqueeze(1));
        assertThat(joined.dtype()).isEqualTo(DType.FLOAT32);
        assertThat(joined.compute().toFloatArray()).containsExactly(1, 2, 0.5f, 1, 1, 3, 4, 1.5f, 2, 3);
        assertThat(a.concat(0, Tensors.of(9L, 8L).view(1, 2)).compute().toLongArray())
                .containsExactly(1, 2, 3, 4, 9, 8);
        assertThat(a.stack(-1, a.neg()).compute().toLongArray()).containsExactly(1, -1, 2, -2, 3, -3, 4, -4);
        assertThat(a.sum().stack(0, Tensors.scalar(5L)).compute().toLongArray()).containsExactly(10, 5);
        assertThat(TensorOps.concat(List.of(a, a), 0).shape()).isEqualTo(Shape.of(4, 2));
        assertThat(TensorOps.stack(List.of(a, a, a), 1).shape()).isEqualTo(Shape.of(2, 3, 2));
        assertThat(a.concat(0, Tensors.zeros(0)).compute().toFloatArray()).containsExactly(1, 2, 3, 4);
    }

    @Test
    void aFoldOverJoinedOrReversedRowsHasTheBitsOfTheFoldOverTheirValue() {
        Tensor numbers = LazyTensor.of(Tensors.arange(0, 3000, 1, DType.FLOAT32).view(1000, 3))
                .sin()
                .compute();
        LazyTensor joined =
                LazyTensor.of(numbers).flip(0).concat(0, LazyTensor.of(numbers).mul(3));
        Tensor value = joined.compute();
        assertThat(joined.sum(0).compute().values())
                .isEqualTo(LazyTensor.of(value).sum(0).compute().values());
        Reduce sum = (Reduce) Expr.reduce(Reduction.SUM, joined.expr(), KeepDim.DROP, 0);
        RowFold fold = RowFold.of(sum);
        Devices.backend(Device.CPU).partials(sum, 0).forEach(fold::push);
        assertThat(fold.finish().values()).isEqualTo(joined.sum(0).compute().values());
        assertThat(joined.mean(KeepDim.KEEP, 1).flip(0).compute().values())
                .isEqualTo(LazyTensor.of(value)
                        .mean(KeepDim.KEEP, 1)
                        .compute()
                        .flip(0)
                        .values());
    }

    @Test
    void whatViewsOfATensorAreWrittenToIsTheTensor() {
        Tensor target = Tensors.of(1, 2, 3, 4, 5, 6).view(2, 3);
        LazyTensor.of(target).t().slice(0, Slice.from(1)).mul_(10);
        assertThat(target.toLongArray()).containsExactly(1, 20, 30, 4, 50, 60);
        LazyTensor.of(target).reshape(6).select(0, 0).fill_(7);
        assertThat(target.toLongArray()).containsExactly(7, 20, 30, 4, 50, 60);
    }

    @Test
    void aWriteToACopyDoesNotReachTheTensor() {
        Tensor target = Tensors.of(1L, 2L).view(1, 2);
        assertThat(LazyTensor.of(target).flip(0).add_(1).compute().toLongArray())
                .containsExactly(2, 3);
        assertThat(LazyTensor.of(target).repeat(1, 1).add_(1).compute().toLongArray())
                .containsExactly(2, 3);
        assertThat(LazyTensor.of(target).tile(1).add_(1).compute().toLongArray())
                .containsExactly(2, 3);
        assertThat(TensorOps.concat(List.of(LazyTensor.of(target)), 0)
                        .add_(1)
                        .compute()
                        .toLongArray())
                .containsExactly(2, 3);
        assertThat(LazyTensor.of(target.t()).reshape(2).add_(1).compute().toLongArray())
                .containsExactly(2, 3);
        assertThat(target.toLongArray()).containsExactly(2, 3); // by the last one alone, which is a view
    }

    @Test
    void aTensorIsOverwrittenWithItsOwnRearrangedElementsAsIfTheyWereCopiedFirst() {
        Tensor line = Tensors.arange(6);
        LazyTensor handle = LazyTensor.of(line);
        handle.copy_(handle.slice(0, Slice.from(2)).concat(0, handle.slice(0, Slice.to(2))));
        assertThat(line.toLongArray()).containsExactly(2, 3, 4, 5, 0, 1);
        handle.copy_(handle.flip(0));
        assertThat(line.toLongArray()).containsExactly(1, 0, 5, 4, 3, 2);
        handle.add_(handle.flip(0));
        assertThat(line.toLongArray()).containsExactly(3, 3, 9, 9, 3, 3);
        LazyTensor other = LazyTensor.of(Tensors.of(7L, 8L, 9L));
        handle.copy_(other.concat(0, other.neg()));
        assertThat(line.toLongArray()).containsExactly(7, 8, 9, -7, -8, -9);
    }

    @Test
    void partsAreComputedStraightIntoTheirPlaces() {
        long elements = 1 << 20;
        LazyTensor a = LazyTensor.of(Tensors.ones(Shape.of(elements), DType.FLOAT32));
        LazyTensor joined = a.add(1).concat(0, a.mul(3), a.sub(4));
        joined.compute().release(); // the kernels are compiled
        long limit = Memory.limitBytes();
        try {
            Memory.suggest(Memory.allocatedBytes() + 3 * 4 * elements + (1 << 19), 0);
            Tensor value = joined.compute();
            assertThat(value.getDouble(elements - 1)).isEqualTo(2);
            assertThat(value.getDouble(elements)).isEqualTo(3);
            assertThat(value.getDouble(2 * elements)).isEqualTo(-3);
            value.release();
        } finally {
            Memory.suggest(limit, limit / 2);
        }
    }

    @Test
    void theExplanationNamesTheMoves() {
        Tensor x = counted();
        LazyTensor fold = LazyTensor.of(x)
                .sum(0)
                .t()
                .concat(0, LazyTensor.of(x).sum(0).t().neg());
        assertThat(fold.explain())
                .contains(
                        "cat along 0 int64[8, 3]",
                        "permute[1, 0] int64[4, 3]",
                        "cat(…, dim=0) of int64[8, 3]: each part in its place");
        assertThat(LazyTensor.of(x).flip(2).explain()).contains("flip[2] of int64[2, 3, 4]: a copy");
        assertThat(LazyTensor.eval("x[0, :, 1].flip(0)", Map.of("x", x))
                        .compute()
                        .toLongArray())
                .containsExactly(9, 5, 1);
    }
}
