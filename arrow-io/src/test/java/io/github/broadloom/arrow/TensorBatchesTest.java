package io.github.broadloom.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.extension.InvalidExtensionMetadataException;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.ExtensionTypeRegistry;
import org.apache.arrow.vector.util.TransferPair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TensorBatchesTest {
    private static Tensor counted(DType dtype) {
        Tensor numbers = Tensors.arange(30).view(5, 2, 3);
        return dtype == DType.BOOL ? Tensors.of(true, false, false).expand(5, 2, 3) : numbers.to(dtype);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BFLOAT16")
    void aBatchHasTheValuesOfItsTensor(DType dtype) {
        Tensor tensor = counted(dtype);
        try (VectorSchemaRoot batch = TensorBatches.toRecordBatch(tensor, Memory.allocator())) {
            assertThat(batch.getRowCount()).isEqualTo(5);
            assertThat(batch.getSchema().getFields().get(0).getType())
                    .isEqualTo(FixedShapeTensorType.of(Shape.of(2, 3)));
            Tensor back = TensorBatches.fromVector(batch.getVector(ArrowColumn.DEFAULT_NAME));
            assertThat(back.dtype()).isEqualTo(dtype);
            assertThat(back.shape()).isEqualTo(tensor.shape());
            assertThat(back.values()).isEqualTo(tensor.values());
        }
    }

    @Test
    void arrowSeesTheElements() {
        Tensor tensor = Tensors.arange(6).to(DType.INT32).view(2, 3);
        try (VectorSchemaRoot batch = TensorBatches.toRecordBatch(tensor, Memory.allocator())) {
            FixedShapeTensorVector vector = (FixedShapeTensorVector) batch.getVector(0);
            assertThat(vector.getObject(1)).asList().containsExactly(3, 4, 5);
            assertThat(vector.getNullCount()).isZero();
        }
    }

    @Test
    void aContiguousTensorIsShared() {
        Tensor tensor = Tensors.zeros(4, 3);
        try (VectorSchemaRoot batch = TensorBatches.toRecordBatch(tensor.narrow(0, 1, 2), Memory.allocator())) {
            tensor.set(7.0, 1, 2);
            Tensor back = TensorBatches.fromVector(batch.getVector(0));
            assertThat(back.get(0, 2)).isEqualTo(7.0);
            assertThat(back.address()).isEqualTo(tensor.narrow(0, 1, 2).address());
        }
    }

    @Test
    void aTensorOutlivesTheBatchThatItCameFrom() {
        Tensor back;
        try (VectorSchemaRoot batch = TensorBatches.toRecordBatch(Tensors.of(1, 2, 3), Memory.allocator())) {
            back = TensorBatches.fromVector(batch.getVector(0));
        }
        assertThat(back.values()).isEqualTo(List.of(1L, 2L, 3L));
    }

    @Test
    void anotherFamilyOfAllocatorsGetsACopy() {
        Tensor tensor = Tensors.of(1, 2, 3);
        try (BufferAllocator other = new RootAllocator();
                VectorSchemaRoot batch = TensorBatches.toRecordBatch(tensor, other)) {
            tensor.set(9L, 0);
            assertThat(((FixedShapeTensorVector) batch.getVector(0)).getObject(0))
                    .asList()
                    .containsExactly(1L);
        }
        try (BufferAllocator child = Memory.allocator().newChildAllocator("child", 0, Long.MAX_VALUE);
                VectorSchemaRoot batch = TensorBatches.toRecordBatch(tensor, child)) {
            tensor.set(8L, 0);
            assertThat(((FixedShapeTensorVector) batch.getVector(0)).getObject(0))
                    .asList()
                    .containsExactly(8L);
        }
    }

    @Test
    void stridedTensorsScalarsAndEmptyOnesHaveBatchesToo() {
        for (Tensor tensor : List.of(
                Tensors.arange(6).view(2, 3).t(),
                Tensors.zeros(0, 3),
                Tensors.zeros(3, 0),
                Tensors.of(true, false, true).slice(0, null, null, 2))) {
            try (VectorSchemaRoot batch = TensorBatches.toRecordBatch(tensor, Memory.allocator())) {
                Tensor back = TensorBatches.fromVector(batch.getVector(0));
                assertThat(back.shape()).isEqualTo(tensor.shape());
                assertThat(back.values()).isEqualTo(tensor.values());
            }
        }
        try (VectorSchemaRoot batch = TensorBatches.toRecordBatch(Tensors.scalar(2.5), Memory.allocator())) {
            assertThat(TensorBatches.fromVector(batch.getVector(0)).shape()).isEqualTo(Shape.of(1));
        }
    }

    @Test
    void theVectorMovesAndSplitsAsATensorVector() {
        try (VectorSchemaRoot batch =
                        TensorBatches.toRecordBatch(Tensors.arange(6).view(3, 2), Memory.allocator());
                VectorSchemaRoot slice = batch.slice(1, 2)) {
            assertThat(TensorBatches.fromVector(slice.getVector(0)).values()).isEqualTo(List.of(2L, 3L, 4L, 5L));
        }
        try (VectorSchemaRoot batch =
                TensorBatches.toRecordBatch(Tensors.of(true, false, true).view(3, 1), Memory.allocator())) {
            TransferPair pair = batch.getVector(0).getTransferPair(Memory.allocator());
            pair.transfer();
            try (FieldVector moved = (FieldVector) pair.getTo()) {
                assertThat(TensorBatches.fromVector(moved).values()).isEqualTo(List.of(true, false, true));
            }
        }
    }

    @Test
    void nullsAreRefusedByName() {
        try (IntVector vector = new IntVector("age", Memory.allocator())) {
            vector.allocateNew(3);
            vector.set(0, 1);
            vector.setNull(1);
            vector.set(2, 3);
            vector.setValueCount(3);
            assertThatThrownBy(() -> TensorBatches.fromVector(vector))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "Cannot make tensor: column 'age' has 1 nulls, and a tensor has none; fill or drop them");
            vector.set(1, 2);
            assertThat(TensorBatches.fromVector(vector).values()).isEqualTo(List.of(1L, 2L, 3L));
        }
    }

    @Test
    void theTypeIsKnownToArrowByItsCanonicalName() {
        TensorBatches.schema(DType.FLOAT32, Shape.of(2));
        assertThat(ExtensionTypeRegistry.lookup("arrow.fixed_shape_tensor")).isInstanceOf(FixedShapeTensorType.class);
    }

    /** The texts are examples of Arrow's specification. */
    @Test
    void theMetadataIsThatOfTheSpecification() {
        FixedShapeTensorType type =
                FixedShapeTensorType.of(Shape.of(100, 200, 500), new int[] {2, 0, 1}, List.of("C", "H", "W"));
        String json = "{\"shape\":[100,200,500],\"permutation\":[2,0,1],\"dim_names\":[\"C\",\"H\",\"W\"]}";

        assertThat(type.serialize()).isEqualTo(json);
        assertThat(
                        type.deserialize(
                                new ArrowType.FixedSizeList(10_000_000),
                                "{ \"shape\": [100, 200, 500], \"dim_names\": [\"C\", \"H\", \"W\"], \"permutation\": [2, 0, 1]}"))
                .isEqualTo(type);
        assertThat(FixedShapeTensorType.of(Shape.of(2, 5)).serialize()).isEqualTo("{\"shape\":[2,5]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "{\"shape\":3}",
                "{\"shape\":[2,-3]}",
                "{\"shape\":[2,2.5]}",
                "{\"shape\":[2,4]}",
                "{\"shape\":[2,3],\"permutation\":[0]}",
                "{\"shape\":[2,3],\"permutation\":[0,0]}",
                "{\"shape\":[2,3],\"permutation\":[0,99999999999]}",
                "{\"shape\":[2,3],\"dim_names\":[\"a\"]}",
                "{\"shape\":[4611686018427387904,4,3]}",
            })
    void metadataThatMakesNoSenseIsRefused(String json) {
        FixedShapeTensorType any = FixedShapeTensorType.of(Shape.SCALAR);
        ArrowType storage = new ArrowType.FixedSizeList(6);

        assertThatThrownBy(() -> any.deserialize(storage, json)).isInstanceOf(InvalidExtensionMetadataException.class);
    }
}
