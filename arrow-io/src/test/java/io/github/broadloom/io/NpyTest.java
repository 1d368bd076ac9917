package io.github.broadloom.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpyTest {
    @TempDir
    Path folder;

    @Test
    void aWriterThatIsInterruptedLeavesNothingAndSaysSo() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> Npy.write(Tensors.ones(3), folder.resolve("x.npy"), WriteMode.CREATE))
                    .isInstanceOf(IOException.class)
                    .hasMessageEndingWith("x.npy: its thread was interrupted; nothing was left there");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void whatNumPyHasNoDtypeForIsRefused() {
        Tensor tensor = Tensors.ones(3).to(DType.BFLOAT16);

        assertThatThrownBy(() -> Npy.write(tensor, folder.resolve("x.npy"), WriteMode.CREATE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Cannot write a npy file: NumPy has no bfloat16; cast the tensor with to(...) to float32 first");
        assertThat(folder).isEmptyDirectory();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BFLOAT16")
    void readsWhatNumPyWrote(DType dtype) throws IOException {
        Tensor tensor = Npy.read(NumPyFiles.file(dtype + ".npy"));

        assertThat(tensor.dtype()).isEqualTo(dtype);
        assertThat(tensor.shape()).isEqualTo(Shape.of(2, 3));
        assertThat(tensor.values()).isEqualTo(NumPyFiles.VALUES.get(dtype));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BFLOAT16")
    void fortranOrderIsATransposedView(DType dtype) throws IOException {
        Tensor tensor = Npy.read(NumPyFiles.file(dtype + "-fortran.npy"));

        assertThat(tensor.layout().strides()).containsExactly(1, 2);
        assertThat(tensor.storage().sizeBytes()).isEqualTo(6L * dtype.bytes());
        assertThat(tensor.values()).isEqualTo(NumPyFiles.VALUES.get(dtype));
    }

    @ParameterizedTest
    @EnumSource(
            names = {"BFLOAT16", "UINT8", "INT8", "BOOL"},
            mode = EnumSource.Mode.EXCLUDE)
    void readsBigEndian(DType dtype) throws IOException {
        Path file = NumPyFiles.file(dtype + "-big.npy");

        assertThat(Npy.read(file).values()).isEqualTo(NumPyFiles.VALUES.get(dtype));
        assertThat(Npy.map(file).values()).isEqualTo(NumPyFiles.VALUES.get(dtype));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BFLOAT16")
    void mapsWhatNumPyWrote(DType dtype) throws IOException {
        assertThat(Npy.map(NumPyFiles.file(dtype + ".npy")).values()).isEqualTo(NumPyFiles.VALUES.get(dtype));
        assertThat(Npy.map(NumPyFiles.file(dtype + "-fortran.npy")).values()).isEqualTo(NumPyFiles.VALUES.get(dtype));
    }

    @ParameterizedTest
    @ValueSource(strings = {"version2.npy", "version3.npy"})
    void readsTheLaterVersions(String name) throws IOException {
        assertThat(Npy.read(NumPyFiles.file(name)).values()).isEqualTo(List.of(0.0, 1.0, 2.0, 3.0, 4.0, 5.0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"python2.npy", "unaligned.npy"})
    void readsHeadersAsOthersSpellThem(String name) throws IOException {
        assertThat(Npy.read(NumPyFiles.file(name)).values()).isEqualTo(List.of(0L, 1L, 2L, 3L, 4L, 5L));
        assertThat(Npy.map(NumPyFiles.file(name)).values()).isEqualTo(List.of(0L, 1L, 2L, 3L, 4L, 5L));
    }

    @Test
    void readsEveryRank() throws IOException {
        assertThat(Npy.read(NumPyFiles.file("rank0.npy")).item()).isEqualTo(2.5);
        assertThat(Npy.read(NumPyFiles.file("rank1.npy")).toShortArray()).containsExactly(0, 1, 2, 3, 4);
        Tensor rank4 = Npy.read(NumPyFiles.file("rank4-fortran-big.npy"));
        assertThat(rank4.toIntArray())
                .containsExactly(Tensors.arange(120).to(DType.INT32).toIntArray());
        assertThat(Npy.read(NumPyFiles.file("empty.npy")).shape()).isEqualTo(Shape.of(0, 3));
        assertThat(Npy.map(NumPyFiles.file("empty-fortran.npy")).shape()).isEqualTo(Shape.of(2, 0, 3));
    }

    @Test
    void aBoolThatIsNeitherZeroNorOneIsTrue() throws IOException {
        byte[] bytes = Files.readAllBytes(NumPyFiles.file("bool.npy"));
        bytes[bytes.length - 1] = 2;
        Path file = Files.write(folder.resolve("odd.npy"), bytes);

        for (Tensor tensor : List.of(Npy.read(file), Npy.map(file))) {
            assertThat(bytes(tensor)).containsExactly(1, 0, 1, 1, 0, 1);
        }
        assertThat(file).hasBinaryContent(bytes);
    }

    private static byte[] bytes(Tensor tensor) {
        byte[] bytes = new byte[(int) tensor.storage().sizeBytes()];
        RawMemory.copy(tensor.storage().address(), bytes, 0, bytes.length);
        Reference.reachabilityFence(tensor);
        return bytes;
    }

    @Test
    void writingToAMappedTensorLeavesTheFileAlone() throws IOException {
        Path file = Files.copy(NumPyFiles.file("int32.npy"), folder.resolve("x.npy"));

        Tensor tensor = Npy.map(file);
        tensor.set(99L, 0, 0);

        assertThat(tensor.get(0, 0)).isEqualTo(99L);
        assertThat(file).hasSameBinaryContentAs(NumPyFiles.file("int32.npy"));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BFLOAT16")
    void writesTheVeryBytesThatNumPyWrites(DType dtype) throws IOException {
        for (String name : List.of(dtype + ".npy", dtype + "-fortran.npy")) {
            Path file = folder.resolve(name);
            Npy.write(Npy.read(NumPyFiles.file(name)), file, WriteMode.CREATE);
            assertThat(file).hasSameBinaryContentAs(NumPyFiles.file(name));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rank0.npy", "rank1.npy", "empty.npy"})
    void writesEveryRankAsNumPyDoes(String name) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        Npy.write(Npy.read(NumPyFiles.file(name)), out);

        assertThat(out.toByteArray()).isEqualTo(Files.readAllBytes(NumPyFiles.file(name)));
    }

    static Stream<Tensor> views() {
        Tensor base = Tensors.arange(5L * 7 * 11).view(5, 7, 11);
        return Stream.of(
                base.narrow(0, 2, 2),
                base.slice(2, null, null, 3),
                base.permute(1, 0, 2),
                base.select(1, 3).expand(4, 5, 11),
                base.slice(0, 1L, 4L, 2).transpose(0, 2),
                base.narrow(1, 0, 0));
    }

    @ParameterizedTest
    @MethodSource("views")
    void writesEveryLayout(Tensor view) throws IOException {
        Path file = folder.resolve("view.npy");

        Npy.write(view, file, WriteMode.CREATE);

        Tensor back = Npy.read(file);
        assertThat(back.shape()).isEqualTo(view.shape());
        assertThat(back.values()).isEqualTo(view.values());
    }

    @Test
    void writesAStridedTensorLargerThanOnePiece() throws IOException {
        // Twice 20 MB out of two rows: pieces have to be cut within a row.
        long columns = 5_000_000;
        Tensor wide = Tensors.arange(columns)
                .to(DType.INT32)
                .unsqueeze(0)
                .unsqueeze(2)
                .expand(2, columns, 1);
        Path file = folder.resolve("wide.npy");

        Npy.write(wide, file, WriteMode.CREATE);

        Tensor back = Npy.map(file);
        assertThat(back.getLong(0, columns - 1, 0)).isEqualTo(columns - 1);
        assertThat(back.getLong(1, 0, 0)).isZero();
        assertThat(back.getLong(1, 4_194_305, 0)).isEqualTo(4_194_305);
    }

    @Test
    void severalArraysFollowEachOtherInAStream() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Npy.write(Tensors.of(1, 2), out);
        Npy.write(Tensors.of(true), out);

        InputStream in = new ByteArrayInputStream(out.toByteArray());

        assertThat(Npy.read(in, "stream").values()).isEqualTo(List.of(1L, 2L));
        assertThat(Npy.read(in, "stream").values()).isEqualTo(List.of(true));
        assertThat(in.read()).isEqualTo(-1);
    }

    @Test
    void aRangeOfElementsIsReadWhereItIsWanted() throws IOException {
        Path file = NumPyFiles.file("int64-big.npy");
        Storage target = Storage.allocateZeroed(4 * Long.BYTES);
        try (InputStream in = Files.newInputStream(file)) {
            NpyHeader header = NpyHeader.read(in, "file");
            in.skipNBytes(2L * Long.BYTES);
            Npy.readInto(in, header, target, Long.BYTES, 3, "file");
            assertThat(Tensor.of(DType.INT64, Layout.contiguous(Shape.of(4)), target)
                            .values())
                    .isEqualTo(List.of(0L, 0L, 1L, 0x0102030405060708L));
            assertThatThrownBy(() -> Npy.readInto(in, header, target, 0, 2, "x.npy"))
                    .isInstanceOf(TensorFormatException.class)
                    .hasMessage(
                            "Cannot read x.npy: it ends 8 bytes before the last element that was asked for; the file is truncated");
        }
    }

    @Test
    void anExistingFileIsKeptUnlessItMayBeOverwritten() throws IOException {
        Path file = Files.writeString(folder.resolve("x.npy"), "precious");

        assertThatThrownBy(() -> Npy.write(Tensors.of(1f), file, WriteMode.CREATE))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("x.npy");
        assertThat(file).hasContent("precious");

        Npy.write(Tensors.of(1f), file, WriteMode.OVERWRITE);
        assertThat(Npy.read(file).values()).isEqualTo(List.of(1.0));
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
    }

    @Test
    void aFailureLeavesNothingBehind() throws IOException {
        Path file = folder.resolve("x.npy");
        AtomicFile.Content failing = channel -> {
            channel.write(ByteBuffer.allocate(1000));
            throw new IOException("No space left on device");
        };

        assertThatThrownBy(() -> AtomicFile.write(file, WriteMode.CREATE, failing))
                .isInstanceOf(IOException.class)
                .hasMessage("Cannot write " + file + ": No space left on device; nothing was left there");
        assertThat(folder).isEmptyDirectory();

        Files.writeString(file, "precious");
        assertThatThrownBy(() -> AtomicFile.write(file, WriteMode.OVERWRITE, failing))
                .isInstanceOf(IOException.class);
        assertThat(folder)
                .isDirectoryContaining(path -> path.equals(file))
                .isDirectoryNotContaining(path -> !path.equals(file));
        assertThat(file).hasContent("precious");
    }

    @Test
    void aFileThatAppearsMeanwhileIsKept() throws IOException {
        Path file = folder.resolve("x.npy");

        assertThatThrownBy(() -> AtomicFile.write(file, WriteMode.CREATE, channel -> Files.writeString(file, "faster")))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(file).hasContent("faster");
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(file));
    }

    @Test
    void aNameIsRefusedOnlyWhereTheSystemRefusesIt() throws IOException {
        Path longest = folder.resolve("x".repeat(251) + ".npy");
        Path tooLong = folder.resolve("x".repeat(300) + ".npy");

        Npy.write(Tensors.of(1f), longest, WriteMode.CREATE);
        assertThatThrownBy(() -> Npy.write(Tensors.of(1f), tooLong, WriteMode.CREATE))
                .isInstanceOf(FileSystemException.class)
                .hasMessageStartingWith(tooLong.toString())
                .hasMessageContaining("nothing was left there");
        assertThat(folder).isDirectoryNotContaining(path -> !path.equals(longest));
    }

    @Test
    void missingPlacesAreNamed() {
        assertThatThrownBy(() -> Npy.write(Tensors.of(1f), folder.resolve("no/x.npy"), WriteMode.CREATE))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("its folder does not exist");
        assertThatThrownBy(() -> Npy.read(folder.resolve("no.npy"))).isInstanceOf(NoSuchFileException.class);
        assertThatThrownBy(() -> Npy.read(folder))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("it is a folder");
    }

    @Test
    void rowsAreReadInEitherOrder(@TempDir Path folder) throws IOException {
        Tensor array = Tensors.arange(24).view(4, 2, 3);
        Npy.write(array, folder.resolve("c.npy"), WriteMode.CREATE);
        Npy.write(array.permute(2, 1, 0), folder.resolve("fortran.npy"), WriteMode.CREATE);
        Tensor rows = Npy.readRows(folder.resolve("c.npy"), 1, 2);
        assertThat(rows.shape()).isEqualTo(Shape.of(2, 2, 3));
        assertThat(rows.toLongArray()).containsExactly(6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17);
        assertThat(Npy.readRows(folder.resolve("fortran.npy"), 2, 1).toLongArray())
                .containsExactly(2, 8, 14, 20, 5, 11, 17, 23);
        assertThat(Npy.readRows(folder.resolve("c.npy"), 4, 0).shape()).isEqualTo(Shape.of(0, 2, 3));
        assertThatThrownBy(() -> Npy.readRows(folder.resolve("c.npy"), 3, 2))
                .hasMessage("start (3) + length (2) exceeds dimension size (4).");
    }
}
