package io.github.broadloom.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpzTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"stored.npz", "compressed.npz", "streamed.npz"})
    void readsWhatNumPyWrote(String name) throws IOException {
        Path file = NumPyFiles.file(name);

        assertThat(Npz.keys(file)).containsExactly("x", "flags", "group/scalar", "fortran");
        assertThat(Npz.read(file, "x").values()).isEqualTo(NumPyFiles.VALUES.get(DType.FLOAT32));
        assertThat(Npz.read(file, "flags").values()).isEqualTo(NumPyFiles.VALUES.get(DType.BOOL));
        assertThat(Npz.read(file, "group/scalar").item()).isEqualTo(7L);
        assertThat(Npz.read(file, "fortran").toShortArray()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(Npz.read(file, "x.npy").shape()).isEqualTo(Shape.of(2, 3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"stored.npz", "compressed.npz", "streamed.npz"})
    void readsFromAStream(String name) throws IOException {
        try (InputStream in = Files.newInputStream(NumPyFiles.file(name))) {
            assertThat(Npz.read(in, "x", "upload").values()).isEqualTo(NumPyFiles.VALUES.get(DType.FLOAT32));
        }
    }

    @Test
    void readsEntriesWithoutTheSuffix() throws IOException {
        Path file = NumPyFiles.file("bare-names.npz");

        assertThat(Npz.read(file, "x").values()).isEqualTo(NumPyFiles.VALUES.get(DType.FLOAT32));
        assertThatThrownBy(() -> Npz.read(file, "notes.txt"))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read " + file + ":notes.txt: it does not begin as a npy file does");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            stored.npz  | y | : it has no array 'y'; it has x, flags, group/scalar, fortran
            twice.npz   | x | : it holds two arrays of the name 'x'
            float32.npy | x | : it is not a whole zip archive
            lzma.npz    | x | : it is not a whole zip archive of stored or deflated entries
            damaged.npz | x | :x: its checksum does not match its bytes; the file is damaged
            """)
    void saysWhatIsWrong(String fileName, String key, String problem) throws IOException {
        Path file = NumPyFiles.file(fileName);

        assertThatThrownBy(() -> Npz.read(file, key))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageStartingWith("Cannot read " + file + problem);
        try (InputStream in = Files.newInputStream(file)) {
            assertThatThrownBy(() -> Npz.read(in, key, "upload"))
                    .isInstanceOf(TensorFormatException.class)
                    .hasMessageStartingWith("Cannot read upload" + problem);
        }
    }

    @Test
    void aTruncatedArchiveIsRefused() throws IOException {
        byte[] bytes = Files.readAllBytes(NumPyFiles.file("stored.npz"));
        Path file = Files.write(folder.resolve("x.npz"), Arrays.copyOf(bytes, bytes.length / 2));

        assertThatThrownBy(() -> Npz.keys(file)).isInstanceOf(TensorFormatException.class);
        assertThatThrownBy(() -> Npz.read(folder, "x")).isInstanceOf(TensorFormatException.class);
        assertThatThrownBy(() -> Npz.keys(folder.resolve("no.npz"))).isInstanceOf(NoSuchFileException.class);
    }

    @ParameterizedTest
    @EnumSource
    void whatIsWrittenComesBack(Npz.Compression compression) throws IOException {
        Map<String, Tensor> arrays = new LinkedHashMap<>();
        for (DType dtype : NumPyFiles.VALUES.keySet()) {
            arrays.put(dtype.torchName(), Npy.read(NumPyFiles.file(dtype + ".npy")));
        }
        arrays.put("view", Tensors.arange(24).view(2, 3, 4).slice(2, null, null, 2));
        arrays.put("transposed", Tensors.arange(6).view(2, 3).t());
        arrays.put("nested/scalar", Tensors.scalar(1.5, DType.FLOAT16));
        arrays.put("x.npy", Tensors.zeros(0, 2));
        Path file = folder.resolve("all.npz");

        Npz.write(arrays, file, WriteMode.CREATE, compression);

        Map<String, Tensor> back = Npz.readAll(file);
        assertThat(back.keySet()).containsExactlyElementsOf(arrays.keySet());
        arrays.forEach((key, array) -> {
            Tensor read = Objects.requireNonNull(back.get(key));
            assertThat(read.dtype()).isEqualTo(array.dtype());
            assertThat(read.shape()).isEqualTo(array.shape());
            assertThat(read.values()).isEqualTo(array.values());
        });
        assertThat(Npz.read(file, "x.npy").shape()).isEqualTo(Shape.of(0, 2));
        try (ZipFile archive = new ZipFile(file.toFile())) {
            int method = compression == Npz.Compression.STORED ? ZipEntry.STORED : ZipEntry.DEFLATED;
            assertThat(archive.stream()).allMatch(entry -> entry.getMethod() == method);
        }
    }

    @Test
    void anExistingArchiveIsKeptUnlessItMayBeOverwritten() throws IOException {
        Path file = Files.writeString(folder.resolve("x.npz"), "precious");
        Map<String, Tensor> arrays = Map.of("x", Tensors.of(1f));

        assertThatThrownBy(() -> Npz.write(arrays, file, WriteMode.CREATE))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file).hasContent("precious");

        Npz.write(arrays, file, WriteMode.OVERWRITE);
        assertThat(Npz.keys(file)).containsExactly("x");
    }
}
