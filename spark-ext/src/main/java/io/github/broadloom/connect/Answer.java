package io.github.broadloom.connect;

import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.spark.PythonGateway;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * What a client is told.
 *
 * @param failure Python's name of an exception, whose sentence the text is
 * @param text what was asked for, or the dtype of a tensor that was made
 * @param shape of a tensor that was made
 * @param elements of a small tensor, as a npy file
 */
@SuppressWarnings("ArrayRecordComponent") // it is written into a row and forgotten
record Answer(@Nullable String failure, @Nullable String text, long @Nullable [] shape, byte @Nullable [] elements) {
    static final StructType COLUMNS = new StructType()
            .add("failure", DataTypes.StringType)
            .add("text", DataTypes.StringType)
            .add("shape", DataTypes.createArrayType(DataTypes.LongType, false))
            .add("elements", DataTypes.BinaryType);

    static final Answer NONE = text("");

    static Answer text(String text) {
        return new Answer(null, text, null, null);
    }

    static Answer failed(Throwable failure) {
        var told = PythonGateway.told(failure);
        return new Answer(told.get(0), told.get(1), null, null);
    }

    static Answer made(DistributedTensor x) {
        return new Answer(null, PythonGateway.dtype(x), x.shape().toArray(), null);
    }

    static Answer elements(byte[] npy) {
        return new Answer(null, null, null, npy);
    }

    InternalRow row() {
        return new GenericInternalRow(new Object[] {
            UTF8String.fromString(failure),
            UTF8String.fromString(text),
            shape == null ? null : new GenericArrayData(shape),
            elements
        });
    }
}
