package io.github.broadloom.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.Python;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.RowMajor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Files of one array, laid out here: what they hold comes back, and the libraries that made the formats read them. */
class FlatFileTest {
    private static final List<String> ENDS = List.of("npy", "nc", "h5", "tif", "safetensors");

    @TempDir
    Path folder;

    private static boolean has(String end, DType dtype) {
        return switch (dtype) {
            case BOOL -> !end.equals("nc") && !end.equals("tif");
            case FLOAT16 -> !end.equals("nc");
            case BFLOAT16 -> end.equals("h5") || end.equals("safetensors");
            default -> true;
        };
    }

    private static Tensor values(DType dtype, Shape shape) {
        Object[] values = new Object[(int) shape.numel()];
        for (int i = 0; i < values.length; i++) {
            double value = Formula.value(dtype.toString(), i);
            values[i] = dtype == DType.BOOL ? (Object) (value != 0) : (Object) value;
        }
        Tensor flat = Tensors.empty(dtype, Shape.of(values.length));
        for (int i = 0; i < values.length; i++) {
            flat.select(0, i).fill_(values[i]);
        }
        return flat.reshape(shape.toArray());
    }

    private Path write(String name, Tensor tensor) throws IOException {
        Address target = Address.of(folder.resolve(name).toString());
        FlatFile file =
                ArrayFormats.named(target.path()).orElseThrow().flatFile(target, tensor.dtype(), tensor.shape());
        Path path = Path.of(target.path());
        Tensor elements = tensor.copy();
        if (file.isSwapped()) {
            RawMemory.swapBytes(
                    elements.address(), elements.numel(), elements.dtype().bytes());
        }
        try (OutputStream out = Files.newOutputStream(path)) {
            out.write(file.head());
            RowMajor.write(elements, Channels.newChannel(out));
            out.write(new byte[file.padding()]);
        }
        assertThat(path).hasSize(file.bytes());
        return path;
    }

    private static StoredArray open(Path file, String key) throws IOException {
        return ArrayFormats.open(LocalStore.of(file), key);
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void everyDtypeComesBack(DType dtype) throws IOException {
        for (String end : ENDS) {
            for (Shape shape : List.of(Shape.of(5, 7), Shape.of(3, 5, 3))) {
                Tensor tensor =
                        dtype == DType.BFLOAT16 ? values(DType.FLOAT32, shape).to(dtype) : values(dtype, shape);
                if (has(end, dtype)) {
                    StoredArray array = open(write(dtype + "." + end, tensor), "");
                    assertThat(array.dtype()).isEqualTo(dtype);
                    Formula.assertHolds(array, dtype.toString());
                    assertThat(array.chunk()).isEqualTo(StoredArray.anyBox(shape.rank()));
                } else {
                    assertThatThrownBy(() -> write("x." + end, tensor))
                            .hasMessageStartingWith("Cannot write ")
                            .hasMessageContaining(dtype.toString());
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"nc, t2m", "h5, t2m", "h5, deep/er/t2m", "safetensors, model.weight"})
    void arraysHaveTheNameThatWasGiven(String end, String key) throws IOException {
        Path file = write("x." + end + ":" + key, values(DType.FLOAT32, Shape.of(4, 6)));
        StoredArray array = open(file, key);
        assertThat(array.key()).isEqualTo(key);
        Formula.assertHolds(array, "float32");
        StoredArray unnamed = open(write("y." + end, values(DType.FLOAT32, Shape.of(4, 6))), "");
        assertThat(unnamed.key()).isEqualTo("data");
    }

    @Test
    void scalarsAndEmptyArraysAreWrittenWhereTheFormatHasThem() throws IOException {
        for (String end : List.of("npy", "nc", "h5", "safetensors")) {
            Formula.assertHolds(open(write("scalar." + end, values(DType.FLOAT64, Shape.of())), ""), "float64");
        }
        for (String end : List.of("npy", "h5", "safetensors")) {
            assertThat(open(write("empty." + end, Tensors.zeros(3, 0)), "").shape())
                    .isEqualTo(Shape.of(3, 0));
        }
        assertThatThrownBy(() -> write("empty.nc", Tensors.zeros(3, 0)))
                .hasMessageContaining("a size of 0 means something else in NetCDF");
    }

    @Test
    void whatAFormatHasNotIsRefused() {
        assertThatThrownBy(() -> write("x.tif", Tensors.zeros(2, 3, 4, 5)))
                .hasMessageContaining("holds a picture, [h, w] or [h, w, c], and the tensor is of shape [2, 3, 4, 5]");
        assertThatThrownBy(() -> write("x.npy:a", Tensors.zeros(2)))
                .hasMessageContaining("a npy file holds one array, without a name");
        assertThatThrownBy(() -> write("x.png", Tensors.zeros(2, 2)))
                .hasMessageContaining("pictures files are read, not written");
        assertThatThrownBy(() -> write("x.safetensors:__metadata__", Tensors.zeros(2)))
                .hasMessageContaining("no tensor may be called '__metadata__'");
    }

    /** Of a picture that 4 GiB do not hold, only the beginning is made: every strip is where it says. */
    @Test
    void largePicturesAreBigTiff() throws IOException {
        Shape shape = Shape.of(40_000, 30_000);
        FlatFile file = ArrayFormats.of("tiff").flatFile(new Address("x.tif", ""), DType.FLOAT32, shape);
        Path path = folder.resolve("x.tif");
        try (SeekableByteChannel out =
                Files.newByteChannel(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(file.head()));
            out.position(file.bytes() - 1).write(ByteBuffer.wrap(new byte[1])); // the rest takes no room
        }
        StoredArray array = open(path, "");
        assertThat(array.shape()).isEqualTo(shape);
        assertThat(array.chunk()).isEqualTo(StoredArray.anyBox(2));
    }

    private static final String FORMULA = """
            import numpy as np, sys
            folder = sys.argv[1]
            def expected(dtype, shape=(3, 5, 3)):
                n = (np.arange(np.prod(shape)) * 37 + 11) % 100
                values = {"bool": n % 2, "uint8": n * 2, "int8": n - 50, "int16": (n - 50) * 300, "int32": (n - 50) * 70000,
                          "int64": (n - 50) * 5000000000}.get(dtype, (n - 50) * 0.25)
                return values.astype(dtype).reshape(shape)
            def same(found, dtype):
                found = np.asarray(found)
                assert found.dtype.newbyteorder("=") == np.dtype(dtype), (found.dtype, dtype)
                assert np.array_equal(found, expected(dtype)), dtype
            """;

    static Stream<String[]> readers() {
        return Stream.of(
                new String[] {
                    "h5py", "h5", "import h5py\nfor d in names:\n  same(h5py.File(f'{folder}/{d}.h5')['data'][...], d)"
                },
                new String[] {"netCDF4", "nc", """
                    import netCDF4
                    for d in names:
                      with netCDF4.Dataset(f'{folder}/{d}.nc') as file:
                        file.set_auto_mask(False)
                        assert file['data'].dimensions == ('dim_0', 'dim_1', 'dim_2')
                        same(file['data'][...], d)
                    """},
                new String[] {
                    "xarray",
                    "nc",
                    "import xarray\nfor d in names:\n  same(xarray.open_dataset(f'{folder}/{d}.nc')['data'], d)"
                },
                new String[] {
                    "tifffile",
                    "tif",
                    "import tifffile\nfor d in names:\n  same(tifffile.imread(f'{folder}/{d}.tif'), d)"
                },
                new String[] {"PIL", "tif", "from PIL import Image\nsame(Image.open(f'{folder}/uint8.tif'), 'uint8')"},
                new String[] {"safetensors.numpy", "safetensors", """
                    from safetensors.numpy import load_file
                    for d in names:
                      same(load_file(f'{folder}/{d}.safetensors')['data'], d)
                    """});
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("readers")
    void theirLibrariesReadThem(String module, String end, String script) throws IOException, InterruptedException {
        Python.assumeHas(module);
        StringBuilder names = new StringBuilder();
        for (DType dtype : DType.values()) {
            if (has(end, dtype) && dtype != DType.BFLOAT16) {
                write(dtype + "." + end, values(dtype, Shape.of(3, 5, 3)));
                names.append(dtype).append(' ');
            }
        }
        Python.succeeds(FORMULA + "names = '" + names + "'.split()\n" + script, folder.toString());
    }
}
