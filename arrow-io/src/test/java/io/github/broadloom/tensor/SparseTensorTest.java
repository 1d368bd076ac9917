package io.github.broadloom.tensor;

import static io.github.broadloom.tensor.SparseParts.indices;
import static io.github.broadloom.tensor.SparseParts.row;
import static io.github.broadloom.tensor.SparseParts.uncoalesced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.Golden;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SparseTensorTest {
    /** 2⁶² elements: a dense copy would not fit anywhere. */
    private static final Shape HUGE = Shape.of(1L << 31, 1L << 31);

    @Test
    void coalescingSortsAndAddsUp() {
        SparseTensor sparse = uncoalesced();
        SparseTensor coalesced = sparse.coalesce();
        assertThat(sparse.isCoalesced()).isFalse();
        assertThat(sparse.nnz()).isEqualTo(3);
        assertThat(coalesced.isCoalesced()).isTrue();
        assertThat(coalesced.nnz()).isEqualTo(2);
        assertThat(coalesced.indices().toLongArray()).containsExactly(0, 1, 1, 2);
        assertThat(coalesced.values().toFloatArray()).containsExactly(3f, 4f);
        assertThat(coalesced.coalesce()).isSameAs(coalesced);
        assertThat(sparse.toDense().toFloatArray()).containsExactly(0, 3, 0, 0, 0, 4);
    }

    @Test
    void fewerThanTwoEntriesAreCoalescedFromTheStart() {
        assertThat(SparseTensor.of(indices(row(1)), Tensors.of(1.0)).isCoalesced())
                .isTrue();
        assertThat(SparseTensor.of(indices(row()), Tensors.of(new float[0])).isCoalesced())
                .isTrue();
    }

    static Stream<Named<JsonNode>> vectors() {
        return Golden.lines("sparse.jsonl", "sparse");
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void coalescedAndDenseFormsAreThoseOfPyTorch(JsonNode vector) {
        DType dtype = DType.of(vector.get("dtype").textValue());
        SparseTensor sparse = SparseTensor.of(
                matrix(vector.get("indices")),
                list(dtype, vector.get("values")),
                Shape.of(Golden.longs(vector.get("shape"))));
        SparseTensor coalesced = sparse.coalesce();
        JsonNode expected = vector.get("coalesced");
        assertThat(coalesced.indices().values())
                .isEqualTo(matrix(expected.get("indices")).values());
        assertThat(coalesced.values().values())
                .isEqualTo(list(dtype, expected.get("values")).values());
        assertThat(sparse.toDense().values())
                .isEqualTo(list(dtype, vector.get("dense").get("values")).values());
    }

    private static Tensor matrix(JsonNode rows) {
        long[][] all = StreamSupport.stream(rows.spliterator(), false)
                .map(Golden::longs)
                .toArray(long[][]::new);
        return indices(all);
    }

    private static Tensor list(DType dtype, JsonNode values) {
        List<Object> numbers = StreamSupport.stream(values.spliterator(), false)
                .map(value -> value.isTextual() ? (Object) value.textValue() : value.numberValue())
                .toList();
        return Tensors.fromStorageValues(dtype, Layout.contiguous(Shape.of(numbers.size())), numbers);
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void everyDTypeAddsInItself(DType dtype) {
        Tensor values = Tensors.of(100, 50, 120, 1).to(dtype);
        SparseTensor sparse = SparseTensor.of(indices(row(2, 0, 2, 2)), values, Shape.of(3));
        Object sum = switch (dtype) {
            case BOOL -> true;
            case UINT8 -> 221L;
            case INT8 -> -35L;
            case INT16, INT32, INT64 -> 221L;
            default -> 221.0;
        };
        assertThat(sparse.dtype()).isEqualTo(dtype);
        assertThat(sparse.coalesce().values().get(1)).isEqualTo(sum);
        assertThat(sparse.toDense().get(2)).isEqualTo(sum);
    }

    @Test
    void duplicatesAddInTheOrderTheyStandAndEachSumIsRounded() {
        // 2048 + 1 is 2048 in float16, and 2²⁴ + 1 is 2²⁴ in float32; the ones first would count
        Tensor half = Tensors.of(2048, 1, 1, 1).to(DType.FLOAT16);
        assertThat(SparseTensor.of(indices(row(0, 0, 0, 0)), half)
                        .coalesce()
                        .values()
                        .toFloatArray())
                .containsExactly(2048f);
        assertThat(sumAtOnePlace(1f, 1f, 0x1p24f)).isEqualTo(0x1p24f + 2);
        assertThat(sumAtOnePlace(0x1p24f, 1f, 1f)).isEqualTo(0x1p24f);
    }

    private static float sumAtOnePlace(float... values) {
        Tensor indices = Tensors.zeros(Shape.of(1, values.length), DType.INT64);
        return SparseTensor.of(indices, Tensors.of(values)).coalesce().values().toFloatArray()[0];
    }

    @Test
    void negativeZerosStayInTheValuesAndVanishInTheDenseForm() {
        SparseTensor sparse = SparseTensor.of(indices(row(1, 0, 0)), Tensors.of(-0f, -0f, -0f), Shape.of(2));
        assertThat(sparse.coalesce().values().toFloatArray()).containsExactly(-0f, -0f);
        assertThat(sparse.toDense().toFloatArray()).containsExactly(0f, 0f);
    }

    @Test
    void denseDimensionsAreAddedAsBlocks() {
        Tensor blocks = Tensors.copyOf(new int[] {1, 2, 10, 20, 100, 200}, 3, 2);
        SparseTensor sparse = SparseTensor.of(indices(row(2, 0, 2)), blocks, Shape.of(4, 2));
        assertThat(sparse.sparseDim()).isEqualTo(1);
        assertThat(sparse.denseDim()).isEqualTo(1);
        assertThat(sparse.coalesce().values().toIntArray()).containsExactly(10, 20, 101, 202);
        assertThat(sparse.toDense().toIntArray()).containsExactly(10, 20, 0, 0, 101, 202, 0, 0);
        Tensor transposed =
                Tensors.copyOf(new int[] {1, 10, 100, 2, 20, 200}, 2, 3).t();
        assertThat(SparseTensor.of(indices(row(2, 0, 2)), transposed).toDense().toIntArray())
                .containsExactly(10, 20, 0, 0, 101, 202);
    }

    @Test
    void aShapeThatIsNotGivenIsTheSmallest() {
        SparseTensor sparse = SparseTensor.of(indices(row(0, 4), row(2, 1)), Tensors.ones(2, 5));
        assertThat(sparse.shape()).isEqualTo(Shape.of(5, 3, 5));
        assertThat(SparseTensor.of(Tensors.zeros(2, 0), Tensors.zeros(0, 3)).shape())
                .isEqualTo(Shape.of(0, 0, 3));
    }

    @Test
    void aScalarHasEntriesToo() {
        SparseTensor sparse = SparseTensor.of(Tensors.zeros(0, 3), Tensors.of(1.0, 2.0, 3.0));
        assertThat(sparse.shape()).isEqualTo(Shape.SCALAR);
        assertThat(sparse.toDense().item()).isEqualTo(6.0);
        assertThat(SparseTensor.of(indices(row(1)), Tensors.scalar(3L), Shape.of(2))
                        .toDense()
                        .toLongArray())
                .containsExactly(0, 3);
    }

    @Test
    void manyUnorderedEntriesAreSortedStably() {
        int entries = 200_000;
        long places = 70_000; // needs two digits; 7919 is prime, so every place is met
        Tensor indices = Tensors.empty(DType.INT64, Shape.of(1, entries));
        Tensor values = Tensors.empty(DType.INT64, Shape.of(entries));
        long[] sums = new long[(int) places];
        for (int i = 0; i < entries; i++) {
            long place = i * 7919L % places;
            RawMemory.putLong(indices.address() + 8L * i, place);
            RawMemory.putLong(values.address() + 8L * i, i);
            sums[(int) place] += i;
        }
        SparseTensor coalesced =
                SparseTensor.of(indices, values, Shape.of(places)).coalesce();
        assertThat(coalesced.indices().select(0, 0).toLongArray())
                .isEqualTo(Tensors.arange(places).toLongArray());
        assertThat(coalesced.values().toLongArray()).isEqualTo(sums);
    }

    @Test
    void aHugeShapeCostsOnlyItsEntries() {
        long last = (1L << 31) - 1;
        SparseTensor sparse =
                SparseTensor.of(indices(row(last, 0, last), row(last, 7, last)), Tensors.of(1, 2, 3), HUGE);
        assertThat(sparse.numel()).isEqualTo(1L << 62);
        SparseTensor coalesced = sparse.coalesce();
        assertThat(coalesced.indices().toLongArray()).containsExactly(0, last, 7, last);
        assertThat(coalesced.values().toLongArray()).containsExactly(2, 4);
        assertThat(sparse.linearIndices().toLongArray()).containsExactly((1L << 62) - 1, 7, (1L << 62) - 1);
    }

    @Test
    void aCastKeepsTheEntries() {
        SparseTensor cast = uncoalesced().to(DType.UINT8);
        assertThat(cast.dtype()).isEqualTo(DType.UINT8);
        assertThat(cast.nnz()).isEqualTo(3);
        assertThat(uncoalesced().coalesce().to(DType.INT8).isCoalesced()).isTrue();
        assertThat(cast.layout()).isEqualTo(TensorLayout.SPARSE_COO);
    }

    @Test
    void uncoalescedPartsAreRefused() {
        SparseTensor sparse = uncoalesced();
        assertThatThrownBy(sparse::indices)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot get indices on an uncoalesced tensor, please call .coalesce() first");
        assertThatThrownBy(sparse::values)
                .hasMessage("Cannot get values on an uncoalesced tensor, please call .coalesce() first");
        assertThat(sparse.rawValues().toFloatArray()).containsExactly(4, 1, 2);
    }

    @Test
    void partsThatDoNotGoTogetherAreRefusedInPyTorchsWords() {
        Tensor two = indices(row(0, 1), row(1, 2));
        Tensor values = Tensors.of(3.0, 4.0);
        refuses(
                two,
                values,
                Shape.of(2, 2),
                "size is inconsistent with indices: for dim 1, size is 2 but found index 2");
        refuses(indices(row(0, -1), row(1, 2)), values, Shape.of(2, 3), "found negative index -1 for dim 0");
        refuses(
                indices(row(0)),
                Tensors.of(1.0),
                Shape.of(0),
                "size is inconsistent with indices: for dim 0, size is 0" + " but found index 0");
        refuses(
                two,
                values,
                Shape.of(2),
                "'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = 1,"
                        + " sparse_dim = 2, dense_dim = 0");
        refuses(
                two,
                Tensors.of(1.0),
                Shape.of(2, 3),
                "indices and values must have same nnz, but got nnz from" + " indices: 2, nnz from values: 1");
        refuses(two, Tensors.zeros(2, 4), Shape.of(2, 3, 5), "values has incorrect size, expected [2, 5], got [2, 4]");
        refuses(Tensors.of(0L, 1L), values, Shape.of(2), "indices must be sparse_dim x nnz, but got: [2]");
        assertThatThrownBy(() -> SparseTensor.of(indices(row(-3, 1)), values))
                .hasMessage("found negative index -3 for dim 0");
    }

    private static void refuses(Tensor indices, Tensor values, Shape shape, String message) {
        assertThatThrownBy(() -> SparseTensor.of(indices, values, shape))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void anIndexChangedAfterwardsReachesNoForeignMemory() {
        Tensor indices = indices(row(0, 1));
        SparseTensor sparse = SparseTensor.of(indices, Tensors.of(1.0, 2.0), Shape.of(2));
        indices.set(1L << 40, 0, 1);
        assertThatThrownBy(sparse::toDense)
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("index 1099511627776 is out of bounds for dimension 0 with size 2");
    }
}
