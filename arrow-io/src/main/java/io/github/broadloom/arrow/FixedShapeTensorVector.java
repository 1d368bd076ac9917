package io.github.broadloom.arrow;

import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.util.hash.ArrowBufHasher;
import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.util.CallBack;
import org.apache.arrow.vector.util.TransferPair;
import org.jspecify.annotations.Nullable;

/** A vector of {@link FixedShapeTensorType}, over the fixed-size lists that hold the elements. */
public final class FixedShapeTensorVector extends ExtensionTypeVector<FixedSizeListVector> {
    private final FieldType type;

    FixedShapeTensorVector(String name, FieldType type, BufferAllocator allocator) {
        super(name, allocator, lists(name, type, allocator));
        this.type = type;
    }

    private static FixedSizeListVector lists(String name, FieldType type, BufferAllocator allocator) {
        FixedShapeTensorType tensors = (FixedShapeTensorType) type.getType();
        return new FixedSizeListVector(
                name, allocator, new FieldType(type.isNullable(), tensors.storageType(), type.getDictionary()), null);
    }

    /** The shape of the rows and how they are stored. */
    public FixedShapeTensorType tensorType() {
        return (FixedShapeTensorType) type.getType();
    }

    @Override
    public Field getField() {
        return new Field(getName(), type, getUnderlyingVector().getField().getChildren());
    }

    /** The elements of one row in the order in which they are stored, or null. */
    @Override
    public @Nullable List<?> getObject(int index) {
        return getUnderlyingVector().getObject(index);
    }

    @Override
    public int hashCode(int index) {
        return getUnderlyingVector().hashCode(index);
    }

    @Override
    public int hashCode(int index, @Nullable ArrowBufHasher hasher) {
        return getUnderlyingVector().hashCode(index, hasher);
    }

    @Override
    public TransferPair getTransferPair(BufferAllocator target) {
        return getTransferPair(getName(), target);
    }

    @Override
    public TransferPair getTransferPair(String name, BufferAllocator target) {
        FixedShapeTensorVector to = new FixedShapeTensorVector(name, type, target);
        to.initializeChildrenFromFields(getField().getChildren());
        return new Transfer(this, to);
    }

    @Override
    public TransferPair getTransferPair(String name, BufferAllocator target, @Nullable CallBack callBack) {
        return getTransferPair(name, target);
    }

    @Override
    public TransferPair getTransferPair(Field field, BufferAllocator target) {
        return getTransferPair(field.getName(), target);
    }

    @Override
    public TransferPair getTransferPair(Field field, BufferAllocator target, @Nullable CallBack callBack) {
        return getTransferPair(field.getName(), target);
    }

    @Override
    public TransferPair makeTransferPair(ValueVector target) {
        return new Transfer(this, (FixedShapeTensorVector) target);
    }

    /** Moves the lists, and answers with the tensor vector and not with them. */
    private static final class Transfer implements TransferPair {
        private final FixedShapeTensorVector to;
        private final TransferPair lists;

        Transfer(FixedShapeTensorVector from, FixedShapeTensorVector to) {
            this.to = to;
            this.lists = from.getUnderlyingVector().makeTransferPair(to.getUnderlyingVector());
        }

        @Override
        public void transfer() {
            lists.transfer();
        }

        @Override
        public void splitAndTransfer(int startIndex, int length) {
            lists.splitAndTransfer(startIndex, length);
        }

        @Override
        public FixedShapeTensorVector getTo() {
            return to;
        }

        @Override
        public void copyValueSafe(int from, int to) {
            lists.copyValueSafe(from, to);
        }
    }
}
