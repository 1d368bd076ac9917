package io.github.broadloom.zarr;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.LocalStore;
import io.github.broadloom.format.MemoryStore;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The stores that {@code make_fixtures.py} made with TensorStore and zarr-python, and the elements that it gave them. */
final class Fixtures {
    static final Shape SHAPE = Shape.of(7, 5, 6);

    private Fixtures() {}

    /** All of them, by their names. */
    static Map<String, MemoryStore> stores() throws IOException {
        Map<String, MemoryStore> stores = new TreeMap<>();
        try (InputStream archive = Fixtures.class.getResourceAsStream("/zarr/fixtures.zip");
                ZipInputStream in = new ZipInputStream(archive)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                String[] name = entry.getName().split("/", 2);
                stores.computeIfAbsent(name[0], store -> new MemoryStore("memory"))
                        .files()
                        .put(name[1], in.readAllBytes());
            }
        }
        return stores;
    }

    static void unpack(Path folder) throws IOException {
        for (var store : stores().entrySet()) {
            for (var file : store.getValue().files().entrySet()) {
                Path path = folder.resolve(store.getKey()).resolve(file.getKey());
                Files.createDirectories(path.getParent());
                Files.write(path, file.getValue());
            }
        }
    }

    static StoredArray open(Path folder, String key) throws IOException {
        return new ZarrFormat().open(LocalStore.of(folder), key);
    }

    static Tensor read(Path folder, String key) throws IOException {
        return readAll(open(folder, key));
    }

    static Tensor readAll(StoredArray array) throws IOException {
        return array.reader().read(Box.whole(array.shape()));
    }

    static Store store(Path folder) {
        return LocalStore.of(folder);
    }

    /** The elements that the script computes. */
    static Tensor values(DType dtype, Shape shape) {
        int count = (int) shape.numel();
        double[] values = new double[count];
        for (int n = 0; n < count; n++) {
            values[n] = switch (dtype.kind()) {
                case BOOL -> n % 3 == 1 ? 1 : 0;
                case INTEGER -> dtype == DType.UINT8 ? n % 256 : n % 200 - 100;
                case FLOATING -> (n % 200 - 100) / 4.0;
            };
        }
        return Tensors.copyOf(values, shape.toArray()).to(dtype);
    }

    /** The same with zeros in the last row, of whose chunks some are not there. */
    static Tensor valuesAndFill(DType dtype) {
        Tensor values = values(dtype, SHAPE);
        values.select(0, 6).zero_();
        return values;
    }
}
