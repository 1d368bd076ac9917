package io.github.broadloom.arrow;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Tensors as Arrow record batches: one row for each index of the leading dimension, one column, {@value
 * ArrowColumn#DEFAULT_NAME}, of {@link FixedShapeTensorType} with the shape of the rest. A tensor of rank 0 is one row of
 * shape [].
 */
public final class TensorBatches {
    private TensorBatches() {}

    /** The schema of chunks of that dtype, whose rows have the shape {@code inner}. */
    public static Schema schema(DType dtype, Shape inner) {
        return new Schema(List.of(ArrowColumn.of(dtype, inner).field()));
    }

    /**
     * The tensor as a record batch. Where it is contiguous, not bool, and {@code allocator} descends from {@link
     * Memory#allocator()}, the batch shares its memory; else the elements are copied once.
     *
     * @param allocator the batch's, which has to be closed after the batch
     * @throws IllegalArgumentException where Arrow cannot count its rows or elements
     */
    public static VectorSchemaRoot toRecordBatch(Tensor chunk, BufferAllocator allocator) {
        Tensor rows = chunk.rank() == 0 ? chunk.unsqueeze(0) : chunk;
        long rowCount = rows.shape().size(0);
        if (Math.max(rowCount, chunk.numel()) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "Cannot make record batch: a tensor of shape " + chunk.shape() + " has " + chunk.numel()
                            + " elements; arrow-java has at most " + Integer.MAX_VALUE + " in a batch, so cut it");
        }
        ArrowColumn column = ArrowColumn.of(chunk.dtype(), rows.shape().inner());
        FieldVector vector = column.field().createVector(allocator);
        ArrowBuf noNulls = allocator.getEmpty();
        ArrowBuf data = data(rows, allocator);
        try {
            vector.loadFieldBuffers(new ArrowFieldNode(rowCount, 0), List.of(noNulls));
            vector.getChildrenFromFields()
                    .get(0)
                    .loadFieldBuffers(new ArrowFieldNode(chunk.numel(), 0), List.of(noNulls, data));
        } catch (RuntimeException | OutOfMemoryError e) {
            vector.close();
            throw e;
        } finally {
            data.getReferenceManager().release();
        }
        return new VectorSchemaRoot(List.of(vector.getField()), List.of(vector), (int) rowCount);
    }

    /** The elements in Arrow's form, with a reference for the caller. */
    private static ArrowBuf data(Tensor tensor, BufferAllocator allocator) {
        Tensor dense = tensor.contiguous();
        if (tensor.dtype() == DType.BOOL) {
            Storage bits = ArrowColumn.packed(dense);
            dense.releaseCopyOf(tensor);
            return shared(bits, 0, bits.sizeBytes(), allocator, true);
        }
        long bytes = tensor.dtype().sizeBytes(tensor.numel());
        long offset = tensor.dtype().sizeBytes(dense.layout().offset());
        return shared(dense.storage(), offset, bytes, allocator, dense.storage() != tensor.storage());
    }

    private static ArrowBuf shared(
            Storage storage, long offset, long bytes, BufferAllocator allocator, boolean temporary) {
        try (Hold held = Hold.of(storage)) {
            if (root(allocator) == Memory.allocator()) {
                ArrowBuf shared = storage.buffer().slice(offset, bytes);
                shared.getReferenceManager().retain();
                return shared;
            }
            // Arrow does not share memory between two families of allocators.
            ArrowBuf copy = allocator.buffer(bytes);
            RawMemory.copy(storage.address() + offset, copy.memoryAddress(), bytes);
            return copy;
        } finally {
            if (temporary) {
                storage.release();
            }
        }
    }

    private static BufferAllocator root(BufferAllocator allocator) {
        BufferAllocator root = allocator;
        for (BufferAllocator parent = allocator; parent != null; parent = parent.getParentAllocator()) {
            root = parent;
        }
        return root;
    }

    /**
     * The tensor that a column's rows make, its leading dimension the rows. It shares the vector's memory, and keeps it
     * from being freed; a bool is copied. A permutation in the type makes a permuted view.
     *
     * @param vector of {@link FixedShapeTensorType}, or of numbers or fixed-size lists of them
     * @throws IllegalArgumentException where the column has nulls, or a type that no tensor has
     */
    public static Tensor fromVector(FieldVector vector) {
        ArrowColumn column;
        try {
            column = ArrowColumn.of(vector.getField());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Cannot make tensor: " + e.getMessage(), e);
        }
        FieldVector elements = vector;
        refuseNulls(elements, column);
        while (elements instanceof FixedShapeTensorVector || elements instanceof FixedSizeListVector) {
            elements = elements.getChildrenFromFields().get(0);
            refuseNulls(elements, column);
        }
        long rows = vector.getValueCount();
        ArrowBuf data = elements.getDataBuffer();
        if (column.dtype() != DType.BOOL) {
            return Tensor.of(column.dtype(), column.layout(rows), Storage.wrap(data));
        }
        Storage bytes = Storage.allocate(column.elements(rows));
        column.unpack(data.memoryAddress(), bytes.address(), rows);
        return Tensor.of(DType.BOOL, column.layout(rows), bytes);
    }

    private static void refuseNulls(FieldVector vector, ArrowColumn column) {
        int nulls = vector.getNullCount();
        if (nulls > 0) {
            throw new IllegalArgumentException("Cannot make tensor: column '" + column.name() + "' has " + nulls
                    + " nulls, and a tensor has none; fill or drop them");
        }
    }
}
