package io.github.broadloom.exec;

import io.github.broadloom.tensor.MemoryMeter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.io.UncheckedIOException;

/** Objects as bytes of Java's own serialisation, for results of tasks whichever serialiser the session has: Kryo does not know records. */
public final class JavaBytes {
    private JavaBytes() {}

    public static <T extends Serializable> byte[] of(T object) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        MemoryMeter.array(2L * bytes.size()); // the stream's and the copy
        return bytes.toByteArray();
    }

    public static <T extends Serializable> T read(byte[] bytes, Class<T> type) {
        try (ObjectInputStream in = new OurObjects(bytes)) {
            return type.cast(in.readObject());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("A result of another version of Broadloom", e);
        }
    }

    /** Finds our classes wherever this one was loaded from: in a Spark shell that is no parent of the thread's loader. */
    private static final class OurObjects extends ObjectInputStream {
        OurObjects(byte[] bytes) throws IOException {
            super(new ByteArrayInputStream(bytes));
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass type) throws IOException, ClassNotFoundException {
            try {
                return Class.forName(type.getName(), false, JavaBytes.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                return super.resolveClass(type);
            }
        }
    }
}
