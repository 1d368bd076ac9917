package io.github.broadloom.format;

import io.github.broadloom.io.Npz;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** NumPy's archives of npy files. An array of one is read whole, as it is compressed in one go. */
public final class NpzFormat implements ArrayFormat {
    private static final byte[] MAGIC = {'P', 'K', 3, 4};

    @Override
    public String name() {
        return "npz";
    }

    @Override
    public List<String> suffixes() {
        return List.of(".npz");
    }

    @Override
    public boolean recognizes(Store store) throws IOException {
        return Arrays.equals(FileBytes.first(store, MAGIC.length), MAGIC);
    }

    @Override
    public List<String> keys(Store store) throws IOException {
        if (store instanceof LocalStore local) {
            return Npz.keys(Path.of(local.file()));
        }
        try (InputStream in = Channels.newInputStream(store.open(""))) {
            return Npz.keys(in, store.name());
        }
    }

    @Override
    public StoredArray open(Store store, String key) throws IOException {
        List<String> keys = keys(store);
        if (!keys.contains(key)) {
            throw TensorFormatException.noArray(store.name(), key, keys);
        }
        Tensor array = read(store, key);
        try {
            Shape shape = array.shape();
            Shape chunk = Shape.of(Arrays.stream(shape.toArray())
                    .map(size -> Math.max(1, size))
                    .toArray());
            return new StoredArray(
                    key,
                    array.dtype(),
                    shape,
                    chunk,
                    List.of(),
                    Map.of(),
                    "in an archive",
                    new Entry(store, key, shape));
        } finally {
            array.release();
        }
    }

    private static Tensor read(Store store, String key) throws IOException {
        if (store instanceof LocalStore local) {
            return Npz.read(Path.of(local.file()), key);
        }
        try (InputStream in = Channels.newInputStream(store.open(""))) {
            return Npz.read(in, key, store.name());
        }
    }

    private record Entry(Store store, String key, Shape shape) implements BlockReader {
        @Override
        public Tensor read(Box box) throws IOException {
            Tensor whole = NpzFormat.read(store, key);
            if (box.equals(Box.whole(shape))) {
                return whole;
            }
            try {
                return box.of(whole).copy();
            } finally {
                whole.release();
            }
        }

        @Override
        public Shape held(Shape box) {
            return shape;
        }
    }
}
