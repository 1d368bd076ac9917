package io.github.broadloom.exec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoSerializable;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.UncheckedIOException;
import org.apache.spark.util.KnownSizeEstimation;

/** Off-heap elements of an RDD or a broadcast variable: both of Spark's serialisers carry them as bytes of their own making. */
public abstract class OwnBytes implements Externalizable, KryoSerializable, KnownSizeEstimation {
    private static final long serialVersionUID = 1L;

    protected abstract void writeTo(DataOutput out) throws IOException;

    protected abstract void readFrom(DataInput in) throws IOException;

    @Override
    public final void writeExternal(ObjectOutput out) throws IOException {
        writeTo(out);
    }

    @Override
    public final void readExternal(ObjectInput in) throws IOException {
        readFrom(in);
    }

    @Override
    public final void write(Kryo kryo, Output out) {
        try {
            DataOutputStream data = new DataOutputStream(out);
            writeTo(data);
            data.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public final void read(Kryo kryo, Input in) {
        try {
            // Not closed and not buffered: what follows in the stream belongs to Kryo.
            readFrom(new DataInputStream(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }
}
