package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class TensorsTest {

    @Test
    void literalsTakePyTorchsDefaultDtypes() {
        assertThat(List.of(Tensors.of(1, 2), Tensors.of(1L), Tensors.of((byte) 1), Tensors.scalar((short) 1)))
                .allMatch(tensor -> tensor.dtype() == DType.INT64);
        assertThat(List.of(Tensors.of(1.5, 2), Tensors.of(1.5f), Tensors.of(1, 2.5f), Tensors.scalar(1.5)))
                .allMatch(tensor -> tensor.dtype() == DType.FLOAT32);
        assertThat(Tensors.of(1, 2, 3).toLongArray()).containsExactly(1, 2, 3);
        assertThat(Tensors.of(1.5, 2, 3).toFloatArray()).containsExactly(1.5f, 2, 3);
        assertThat(Tensors.of(true).dtype()).isEqualTo(DType.BOOL);
        assertThat(Tensors.zeros(2).dtype()).isEqualTo(DType.FLOAT32);
        assertThat(Tensors.full(Shape.of(2), 3).dtype()).isEqualTo(DType.INT64);
        assertThat(Tensors.full(Shape.of(2), 3.5).dtype()).isEqualTo(DType.FLOAT32);
        assertThat(Tensors.full(Shape.of(2), true).dtype()).isEqualTo(DType.BOOL);
    }

    @Test
    void aCopiedArrayKeepsItsType() {
        assertThat(Tensors.copyOf(new int[] {1, 2, 3, 4}, 2, 2).shape()).isEqualTo(Shape.of(2, 2));
        assertThat(List.of(
                        Tensors.copyOf(new byte[1]),
                        Tensors.copyOf(new short[1]),
                        Tensors.copyOf(new int[1]),
                        Tensors.copyOf(new long[1]),
                        Tensors.copyOf(new float[1]),
                        Tensors.copyOf(new double[1]),
                        Tensors.copyOf(new boolean[1])))
                .extracting(Tensor::dtype)
                .containsExactly(
                        DType.INT8, DType.INT16, DType.INT32, DType.INT64, DType.FLOAT32, DType.FLOAT64, DType.BOOL);
        assertThat(Tensors.copyOf(new double[] {0.1}).item()).isEqualTo(0.1);
        assertThat(Tensors.copyOf(new short[] {-7}).item()).isEqualTo(-7L);
        assertThatThrownBy(() -> Tensors.copyOf(new int[3], 2, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("shape '[2, 2]' is invalid for input of size 3");
    }

    @Test
    void onesAndFullFillEverything() {
        assertThat(Tensors.ones(2, 3).toFloatArray()).containsOnly(1f).hasSize(6);
        assertThat(Tensors.full(Shape.of(300), 7L, DType.UINT8).toIntArray())
                .containsOnly(7)
                .hasSize(300);
        assertThat(Tensors.full(Shape.of(0), 7L).numel()).isZero();
        assertThat(Tensors.zeros(Shape.of(9), DType.INT64).toLongArray()).containsOnly(0);
    }

    @Test
    void arangeExcludesItsEnd() {
        assertThat(Tensors.arange(4).toLongArray()).containsExactly(0, 1, 2, 3);
        assertThat(Tensors.arange(1, 8, 3).toLongArray()).containsExactly(1, 4, 7);
        assertThat(Tensors.arange(5, 0, -2).toLongArray()).containsExactly(5, 3, 1);
        assertThat(Tensors.arange(3, 3, 1).numel()).isZero();
        assertThat(Tensors.arange(0.0, 1.0, 0.25).toFloatArray()).containsExactly(0f, 0.25f, 0.5f, 0.75f);
        assertThat(Tensors.arange(1.0, 2.5, 0.5).dtype()).isEqualTo(DType.FLOAT32);
    }

    @Test
    void arangeRefusesAStepThatNeverArrives() {
        assertThatThrownBy(() -> Tensors.arange(0, 5, 0)).hasMessage("step must be nonzero");
        assertThatThrownBy(() -> Tensors.arange(0, 5, -1))
                .hasMessage("upper bound and lower bound inconsistent with step sign");
        assertThatThrownBy(() -> Tensors.arange(0.0, -5.0, 1.0))
                .hasMessage("upper bound and lower bound inconsistent with step sign");
    }

    @Test
    void linspaceIncludesBothEnds() {
        assertThat(Tensors.linspace(0, 1, 5).toFloatArray()).containsExactly(0f, 0.25f, 0.5f, 0.75f, 1f);
        assertThat(Tensors.linspace(3, 10, 1).toFloatArray()).containsExactly(3f);
        assertThat(Tensors.linspace(0, 1, 0).numel()).isZero();
        double[] tenths = Tensors.linspace(-1, 1, 7, DType.FLOAT64).toDoubleArray();
        assertThat(tenths[0]).isEqualTo(-1);
        assertThat(tenths[6]).isEqualTo(1);
        assertThatThrownBy(() -> Tensors.linspace(0, 1, -1)).hasMessage("number of steps must be non-negative");
    }

    @Test
    void rangesThatCannotBeAreRefused() {
        assertThatThrownBy(() -> Tensors.arange(0, Double.POSITIVE_INFINITY, 1.0))
                .hasMessage("unsupported range: 0 -> inf");
        assertThatThrownBy(() -> Tensors.arange(0, Double.NaN, 1.0)).hasMessage("unsupported range: 0 -> nan");
        assertThatThrownBy(() -> Tensors.arange(0, 1, 1e-300)).hasMessage("invalid size, possible overflow?");
        assertThatThrownBy(() -> Tensors.arange(0, 1, 1, DType.BOOL))
                .hasMessage("\"arange_cpu\" not implemented for 'Bool'");
        assertThatThrownBy(() -> Tensors.linspace(0, 1, 3, DType.BOOL))
                .hasMessage("\"linspace_cpu\" not implemented for 'Bool'");
    }

    /** Values of PyTorch 2.13. */
    @Test
    void aRunOfNumbersIsMadeWithoutThoseBefore() {
        Progression between = Progression.linspace(-3, 7, 9, DType.FLOAT64);
        assertThat(between.elements(0, 9).toDoubleArray())
                .containsExactly(-3, -1.75, -0.5, 0.75, 2, 3.25, 4.5, 5.75, 7);
        assertThat(between.elements(3, 6).toDoubleArray()).containsExactly(0.75, 2, 3.25);
        assertThat(Progression.linspace(0, 7, 5, DType.INT16).elements(1, 4).toLongArray())
                .containsExactly(1, 3, 5);
        assertThat(Progression.arange(0.5, -2, -0.75, DType.FLOAT64)
                        .elements(1, 4)
                        .toDoubleArray())
                .containsExactly(-0.25, -1, -1.75);
        assertThat(Progression.arange(3, -4, -3, DType.INT32).elements(2, 3).toLongArray())
                .containsExactly(-3);
    }

    @Test
    void eyeHasOnesOnItsDiagonal() {
        assertThat(Tensors.eye(2).toFloatArray()).containsExactly(1, 0, 0, 1);
        assertThat(Tensors.eye(2, 3, DType.INT64).toLongArray()).containsExactly(1, 0, 0, 0, 1, 0);
        assertThat(Tensors.eye(3, 2, DType.BOOL).toBooleanArray())
                .containsExactly(true, false, false, true, false, false);
        assertThat(Tensors.eye(0, 2, DType.INT8).shape()).isEqualTo(Shape.of(0, 2));
        assertThatThrownBy(() -> Tensors.eye(-1)).hasMessage("n must be greater or equal to 0, got -1");
        assertThatThrownBy(() -> Tensors.eye(2, -1, DType.INT8)).hasMessage("m must be greater or equal to 0, got -1");
    }

    @Test
    void aWrappedBufferIsShared() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(32).order(ByteOrder.nativeOrder());
        buffer.position(8);
        Tensor tensor = Tensors.wrap(buffer, DType.INT64, Shape.of(3));
        buffer.putLong(16, 42);
        assertThat(tensor.get(1)).isEqualTo(42L);
        tensor.set(-1L, 2);
        assertThat(buffer.getLong(24)).isEqualTo(-1);
        assertThatThrownBy(() -> Tensors.wrap(buffer, DType.INT64, Shape.of(4)))
                .hasMessageContaining("out of bounds for storage of size 24");
        assertThatThrownBy(() -> Tensors.wrap(ByteBuffer.allocate(8), DType.INT64, Shape.of(1)))
                .hasMessageContaining("direct");
    }

    @Test
    void storageValuesTakeJsonsStrings() {
        Layout layout = Layout.of(Shape.of(2, 2), new long[] {0, 2}, 1);
        Tensor tensor = Tensors.fromStorageValues(DType.FLOAT32, layout, List.of(9, "-Infinity", 2.5, "NaN"));
        assertThat(tensor.values())
                .containsExactly(Double.NEGATIVE_INFINITY, Double.NaN, Double.NEGATIVE_INFINITY, Double.NaN);
        Layout one = Layout.contiguous(Shape.of(1));
        assertThat(Tensors.fromStorageValues(DType.INT64, one, List.of(Long.MAX_VALUE))
                        .item())
                .isEqualTo(Long.MAX_VALUE);
        assertThat(Tensors.fromStorageValues(DType.FLOAT16, one, List.of("-0.0"))
                        .item())
                .isEqualTo(-0.0);
        assertThat(Tensors.fromStorageValues(DType.BOOL, one, List.of(true)).item())
                .isEqualTo(true);
    }
}
