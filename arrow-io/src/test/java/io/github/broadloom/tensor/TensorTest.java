package io.github.broadloom.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TensorTest {

    @Test
    void aWriteThroughOneViewIsSeenThroughAll() {
        Tensor base = Tensors.zeros(3, 4);
        base.t().select(0, 1).set(5L, 2);
        assertThat(base.get(2, 1)).isEqualTo(5.0);
        assertThat(base.expand(2, 3, 4).get(1, 2, 1)).isEqualTo(5.0);
        assertThat(base.reshape(12).get(9)).isEqualTo(5.0);
    }

    @Test
    void aCopyIsItsOwn() {
        Tensor base = Tensors.zeros(3);
        Tensor copy = base.copy();
        base.set(1L, 0);
        assertThat(copy.get(0)).isEqualTo(0.0);
        assertThat(base.contiguous()).isSameAs(base);
    }

    @Test
    void slicesIndexTheLeadingDimensions() {
        Tensor base = Tensors.arange(24).reshape(2, 3, 4);
        Tensor view = base.index(Slice.from(1), Slice.parse(":-1"));
        assertThat(view.shape()).isEqualTo(Shape.of(1, 2, 4));
        assertThat(view.toLongArray()).containsExactly(12, 13, 14, 15, 16, 17, 18, 19);
        assertThatThrownBy(() -> base.index(Slice.all(), Slice.all(), Slice.all(), Slice.all()))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("too many indices for tensor of dimension 3");
    }

    @Test
    void reshapeCopiesOnlyWhereItMust() {
        Tensor base = Tensors.arange(6).reshape(2, 3);
        assertThat(base.reshape(3, 2).storage()).isSameAs(base.storage());
        Tensor copied = base.t().reshape(-1);
        assertThat(copied.storage()).isNotSameAs(base.storage());
        assertThat(copied.toLongArray()).containsExactly(0, 3, 1, 4, 2, 5);
        assertThat(base.flatten(0, 1).storage()).isSameAs(base.storage());
    }

    @ParameterizedTest
    @EnumSource
    void everyDtypeReadsBackWhatWasWritten(DType dtype) {
        Tensor tensor = Tensors.zeros(Shape.of(2), dtype);
        Object one = dtype == DType.BOOL ? (Object) true : dtype.isFloatingPoint() ? (Object) 1.0 : (Object) 1L;
        tensor.set(one, -1);
        assertThat(tensor.values().get(1)).isEqualTo(one);
        assertThat(tensor.get(1)).isEqualTo(one);
        assertThat(tensor.getDouble(1)).isEqualTo(1.0);
        assertThat(tensor.getDouble(0)).isZero();
    }

    @Test
    void itemNeedsExactlyOneElement() {
        assertThat(Tensors.of(2.5).reshape(1, 1).item()).isEqualTo(2.5);
        assertThat(Tensors.scalar(Long.MAX_VALUE).item()).isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> Tensors.zeros(3).item())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a Tensor with 3 elements cannot be converted to Scalar");
    }

    @Test
    void uint8IsUnsigned() {
        Tensor bytes = Tensors.full(Shape.of(1), 255L, DType.UINT8);
        assertThat(bytes.item()).isEqualTo(255L);
        assertThat(bytes.toIntArray()).containsExactly(255);
        assertThat(bytes.toFloatArray()).containsExactly(255f);
    }

    @Test
    void arraysComeOutOfStridedViewsToo() {
        Tensor view = Tensors.copyOf(new int[] {1, 2, 3, 4}, 2, 2).t();
        assertThat(view.toIntArray()).containsExactly(1, 3, 2, 4);
        assertThat(view.toLongArray()).containsExactly(1, 3, 2, 4);
        assertThat(view.toDoubleArray()).containsExactly(1, 3, 2, 4);
        assertThat(view.to(DType.INT16).toShortArray()).containsExactly((short) 1, (short) 3, (short) 2, (short) 4);
        assertThat(view.to(DType.INT8).toByteArray()).containsExactly(1, 3, 2, 4);
        assertThat(Tensors.of(true, false, true).slice(0, Slice.every(2)).toBooleanArray())
                .containsExactly(true, true);
    }

    @Test
    void anArrayThatCouldChangeAValueIsRefused() {
        assertThatThrownBy(() -> Tensors.copyOf(new double[1]).toFloatArray())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot read a float64 tensor as float: values could change; cast with to(...) first");
        assertThatThrownBy(() -> Tensors.of(1L).toDoubleArray()).hasMessageContaining("int64");
        assertThatThrownBy(() -> Tensors.of(1L).toIntArray()).hasMessageContaining("int64");
        assertThatThrownBy(() -> Tensors.of(1.5).toLongArray()).hasMessageContaining("float32");
        assertThatThrownBy(() -> Tensors.of(1.5).getLong(0)).hasMessageContaining("float32");
    }

    @ParameterizedTest
    @CsvSource({
        "UINT8, 256, uint8_t",
        "INT8, -129, int8_t",
        "INT16, 32768, int16_t",
        "INT32, 2147483648, int",
        "INT64, 1e19, int64_t",
        "FLOAT32, 1e39, float"
    })
    void aNumberThatTheDtypeCannotHoldIsRefused(DType dtype, String number, String name) {
        Object value = number.matches("-?\\d+") ? (Object) Long.valueOf(number) : (Object) Double.valueOf(number);
        assertThatThrownBy(() -> Tensors.zeros(Shape.of(1), dtype).set(value, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("value cannot be converted to type " + name + " without overflow");
    }

    @Test
    void infinitiesAreNoOverflow() {
        assertThat(Tensors.scalar(Double.POSITIVE_INFINITY, DType.FLOAT16).item())
                .isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(Tensors.scalar(Double.NaN, DType.FLOAT32).item()).isEqualTo(Double.NaN);
    }

    @Test
    void aNumberPastTheRangeOfFloat16BecomesInfinite() {
        Tensor half = Tensors.full(Shape.of(3), -70000.0, DType.FLOAT16);
        half.set(65505L, 1);
        half.set(65520L, 2);
        assertThat(half.toDoubleArray()).containsExactly(Double.NEGATIVE_INFINITY, 65504, Double.POSITIVE_INFINITY);
    }

    @Test
    void anIndexOutOfBoundsHasPyTorchsText() {
        assertThatThrownBy(() -> Tensors.zeros(2, 3).get(0, 3))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("index 3 is out of bounds for dimension 1 with size 3");
    }

    @Test
    void aLayoutPastTheStorageIsRefused() {
        Storage storage = Storage.allocate(16);
        Layout layout = Layout.of(Shape.of(3), new long[] {2}, 0);
        assertThatThrownBy(() -> Tensor.of(DType.FLOAT32, layout, storage))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("setStorage: sizes [3], strides [2], storage offset 0, and itemsize 4 requiring a storage"
                        + " size of 20 are out of bounds for storage of size 16");
    }

    @Test
    void tooFewSizesToExpandToHavePyTorchsText() {
        assertThatThrownBy(() -> Tensors.zeros(2, 3).expand(3))
                .hasMessage("expand(torch.FloatTensor{[2, 3]}, size=[3]): the number of sizes provided (1) must be"
                        + " greater or equal to the number of dimensions in the tensor (2)");
    }

    @Test
    void copyingMethodsRefuseWhatPyTorchRefuses() {
        assertThatThrownBy(() -> Tensors.zeros(2, 3).repeat(2))
                .hasMessage(
                        "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
        assertThatThrownBy(() -> Tensors.zeros(2, 3).flip(0, -2))
                .hasMessage("dim 0 appears multiple times in the list of dims");
        assertThatThrownBy(() -> Tensors.zeros(2).copy_(Tensors.zeros(3, 2)))
                .hasMessage("output with shape [2] doesn't match the broadcast shape [3, 2]");
    }
}
