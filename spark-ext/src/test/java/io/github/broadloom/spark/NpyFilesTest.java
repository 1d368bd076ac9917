package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.NpyHeader;
import io.github.broadloom.io.Npz;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpyFilesTest {
    @TempDir
    Path folder;

    private static Broadloom broadloom() {
        return LocalSpark.broadloom().withChunkBytes(256);
    }

    private static Tensor numbers(long... shape) {
        Shape sizes = Shape.of(shape);
        return Tensors.arange(sizes.numel()).view(shape);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private List<String> names() throws IOException {
        try (var list = Files.list(folder)) {
            return list.map(p -> p.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @EnumSource(value = DType.class, mode = EnumSource.Mode.EXCLUDE, names = "BFLOAT16")
    void everyDtypeIsReadInChunksAndWrittenAsOneFile(DType dtype) throws IOException {
        Tensor x = numbers(50, 7).to(dtype);
        Npy.write(x, folder.resolve("x.npy"), WriteMode.CREATE);
        DistributedTensor d = broadloom().readNpy(path("x.npy"));
        Bits.assertSame(d.collect(), x);
        d.writeNpy(path("y.npy"), WriteMode.CREATE);
        assertThat(folder.resolve("y.npy")).hasSameBinaryContentAs(folder.resolve("x.npy"));
        assertThat(names()).containsExactly("x.npy", "y.npy");
    }

    @Test
    void bigEndianElementsAreSwappedByTheTasks() throws IOException {
        NpyHeader header = new NpyHeader(DType.INT32, ByteOrder.BIG_ENDIAN, false, Shape.of(100, 2), 0);
        ByteBuffer data = ByteBuffer.allocate(800);
        for (int i = 0; i < 200; i++) {
            data.putInt(i);
        }
        try (OutputStream out = Files.newOutputStream(folder.resolve("big.npy"))) {
            out.write(header.encode());
            out.write(data.array());
        }
        DistributedTensor d = broadloom().readNpy(path("big.npy"));
        assertThat(d.chunks()).isGreaterThan(1);
        Bits.assertSame(d.collect(), numbers(100, 2).to(DType.INT32));
    }

    @Test
    void fortranOrderIsReadRight() throws IOException {
        Tensor x = numbers(6, 40);
        Npy.write(x.t(), folder.resolve("f.npy"), WriteMode.CREATE);
        DistributedTensor d = broadloom().readNpy(path("f.npy"));
        Bits.assertSame(d.add(0).collect(), x.t());
    }

    @Test
    void aFileOfManyGigabytesIsCutByItsHeaderAlone() throws IOException {
        Shape shape = Shape.of(1 << 20, 1 << 12);
        NpyHeader header = NpyHeader.of(DType.FLOAT32, shape);
        try (RandomAccessFile file = new RandomAccessFile(path("sparse.npy"), "rw")) {
            file.write(header.encode());
            file.setLength(header.dataOffset() + header.dataBytes());
        }
        DistributedTensor d = LocalSpark.broadloom().readNpy(path("sparse.npy"));
        assertThat(d.shape()).isEqualTo(shape);
        assertThat(d.chunks()).isEqualTo(256); // 16 GiB in chunks of 64 MiB
    }

    @Test
    void partsAreWrittenAndReadBackInOrder() throws IOException {
        Tensor x = numbers(30, 5).to(DType.FLOAT32);
        broadloom().tensor(x, 12).writeNpy(path("parts"), WriteMode.CREATE);
        assertThat(folder.resolve("parts").toFile().list())
                .hasSize(13)
                .contains("part-00000.npy", "part-00011.npy", "_broadloom.json");
        DistributedTensor back = broadloom().readNpy(path("parts"));
        Bits.assertSame(back.collect(), x);
        Bits.assertSame(back.sum(0).collect(), broadloom().tensor(x, 1).sum(0).collect());
        Files.delete(folder.resolve("parts/part-00004.npy"));
        assertThatThrownBy(() -> broadloom().readNpy(path("parts")))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("part-00004.npy is missing");
        Files.delete(folder.resolve("parts/_broadloom.json"));
        assertThatThrownBy(() -> broadloom().readNpy(path("parts"), ManifestMode.OPTIONAL))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("part 4")
                .hasMessageContaining("missing");
    }

    @Test
    void anExistingOutputIsKeptUnlessItMayBeOverwritten() throws Exception {
        DistributedTensor one = broadloom().tensor(Tensors.ones(4), 2);
        DistributedTensor two = broadloom().tensor(Tensors.zeros(6), 3);
        for (String name : List.of("out.npy", "out")) {
            one.writeNpy(path(name), WriteMode.CREATE);
            try (Jobs jobs = Jobs.listen()) {
                assertThatThrownBy(() -> two.writeNpy(path(name), WriteMode.CREATE))
                        .isInstanceOf(FileAlreadyExistsException.class)
                        .hasMessageContaining(name);
                assertThat(jobs.descriptions()).isEmpty();
            }
            Bits.assertSame(broadloom().readNpy(path(name)).collect(), Tensors.ones(4));
            two.writeNpy(path(name), WriteMode.OVERWRITE);
            Bits.assertSame(broadloom().readNpy(path(name)).collect(), Tensors.zeros(6));
        }
        assertThat(names()).containsExactly("out", "out.npy");
    }

    @Test
    void aFolderWithOtherThingsIsNeverReplaced() throws IOException {
        Files.createDirectory(folder.resolve("home"));
        Files.writeString(folder.resolve("home/thesis.txt"), "years of work");
        DistributedTensor x = broadloom().tensor(Tensors.ones(4), 2);
        assertThatThrownBy(() -> x.writeNpy(path("home"), WriteMode.OVERWRITE))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("thesis.txt");
        assertThat(folder.resolve("home/thesis.txt")).hasContent("years of work");
    }

    @ParameterizedTest
    @ValueSource(strings = {"out.npy", "out"})
    void aFailedTaskLeavesNothingAndSaysOneSentence(String name) throws IOException {
        Npy.write(numbers(64, 8), folder.resolve("x.npy"), WriteMode.CREATE);
        DistributedTensor d = broadloom().readNpy(path("x.npy")).add(1);
        // The file shrinks between the check on the driver and the tasks' reading.
        try (RandomAccessFile file = new RandomAccessFile(path("x.npy"), "rw")) {
            file.setLength(file.length() / 2);
        }
        assertThatThrownBy(() -> d.writeNpy(path(name), WriteMode.CREATE))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Cannot read ")
                .hasMessageContaining("x.npy")
                .hasMessageNotContaining("\n");
        assertThat(names()).containsExactly("x.npy");
        assertThatThrownBy(d::collect).hasMessageStartingWith("Cannot read ").hasMessageNotContaining("\n");
    }

    @Test
    void damagedFilesAreRefusedBeforeAnyJob() throws Exception {
        Npy.write(numbers(64, 8), folder.resolve("x.npy"), WriteMode.CREATE);
        try (RandomAccessFile file = new RandomAccessFile(path("x.npy"), "rw")) {
            file.setLength(file.length() - 1);
        }
        try (Jobs jobs = Jobs.listen()) {
            assertThatThrownBy(() -> broadloom().readNpy(path("x.npy")))
                    .isInstanceOf(TensorFormatException.class)
                    .hasMessageContaining("truncated");
            assertThatThrownBy(() -> broadloom().readNpy(path("none.npy"))).isInstanceOf(NoSuchFileException.class);
            assertThatThrownBy(() -> broadloom().readNpy(folder.toString())).isInstanceOf(TensorFormatException.class);
            assertThatThrownBy(() -> broadloom().readNpy("gopher://x/y.npy")).isInstanceOf(IOException.class);
            assertThat(jobs.descriptions()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:b.npy", "d:ir", "50%25 of ü#?.npy", "star*[1].npy", "folder/"})
    void anyNameOfAFileWillDo(String name) throws IOException {
        Tensor x = numbers(20, 7);
        broadloom().tensor(x).writeNpy(folder + "/" + name, WriteMode.CREATE);
        Bits.assertSame(broadloom().readNpy(folder + "/" + name).collect(), x);
        assertThat(names()).hasSize(1);
    }

    @Test
    void aColonThatReadsAsAFileSystemIsExplained() {
        DistributedTensor x = broadloom().tensor(numbers(4));
        assertThatThrownBy(() -> x.writeNpy("a:b.npy", WriteMode.CREATE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("write ./a:b.npy");
    }

    @Test
    void aFileThatWasReplacedByAnotherKindIsNotReadAsGarbage() throws IOException {
        Npy.write(numbers(50, 7), folder.resolve("x.npy"), WriteMode.CREATE);
        DistributedTensor x = broadloom().readNpy(path("x.npy"));
        x.to(DType.FLOAT32).writeNpy(path("x.npy"), WriteMode.OVERWRITE);
        Bits.assertSame(
                broadloom().readNpy(path("x.npy")).collect(), numbers(50, 7).to(DType.FLOAT32));
        assertThatThrownBy(x::collect)
                .hasMessageContaining("int64 [50, 7]")
                .hasMessageContaining("float32 [50, 7]")
                .hasMessageContaining("open it again");
    }

    @Test
    void aFileAndAFolderMayBeReadAndOverwrittenByOneAction() throws IOException {
        Tensor x = numbers(50, 7).to(DType.FLOAT64);
        for (String name : List.of("x.npy", "x")) {
            broadloom().tensor(x, 4).writeNpy(path(name), WriteMode.CREATE);
            DistributedTensor d = broadloom().readNpy(path(name));
            d.sub(d.amin(0)).add(1).writeNpy(path(name), WriteMode.OVERWRITE);
            DistributedTensor back = broadloom().readNpy(path(name));
            assertThat(back.amin().collect().item()).isEqualTo(1.0);
            assertThat(back.amax().collect().item()).isEqualTo(344.0);
        }
        assertThat(names()).containsExactly("x", "x.npy");
    }

    @Test
    void partsWithoutRowsAndInFortranOrderAreReadInTheirPlace() throws IOException {
        Tensor x = numbers(50, 7);
        Path parts = Files.createDirectory(folder.resolve("parts"));
        Npy.write(x.narrow(0, 0, 20).t().contiguous().t(), parts.resolve("part-00000.npy"), WriteMode.CREATE);
        Npy.write(x.narrow(0, 0, 0), parts.resolve("part-00001.npy"), WriteMode.CREATE);
        Npy.write(x.narrow(0, 20, 30), parts.resolve("part-00002.npy"), WriteMode.CREATE);
        assertThatThrownBy(() -> broadloom().readNpy(path("parts")))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("it has no _broadloom.json")
                .hasMessageEndingWith(
                        "read it with ManifestMode.OPTIONAL (eval --without-manifest, in SQL the option manifest 'optional')");
        Bits.assertSame(
                broadloom().readNpy(path("parts"), ManifestMode.OPTIONAL).collect(), x);
    }

    @Test
    void oneArrayOfAnArchiveIsReadByItsKey() throws IOException {
        Npz.write(Map.of("a", numbers(3, 2), "b", numbers(5)), folder.resolve("x.npz"), WriteMode.CREATE);
        Bits.assertSame(broadloom().readNpy(path("x.npz:b")).collect(), numbers(5));
        assertThatThrownBy(() -> broadloom().readNpy(path("x.npz")))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("x.npz:KEY");
    }

    @Test
    void rankZeroAndEmptyTensorsAreWritten() throws IOException {
        broadloom().tensor(Tensors.scalar(2.5)).mul(2).writeNpy(path("s.npy"), WriteMode.CREATE);
        assertThat(Npy.read(folder.resolve("s.npy")).item()).isEqualTo(5.0);
        broadloom().tensor(Tensors.zeros(0, 3)).writeNpy(path("e.npy"), WriteMode.CREATE);
        assertThat(Npy.read(folder.resolve("e.npy")).shape()).isEqualTo(Shape.of(0, 3));
        broadloom().tensor(numbers(9, 2), 3).sum(0).writeNpy(path("r"), WriteMode.CREATE);
        Bits.assertSame(broadloom().readNpy(path("r")).collect(), Tensors.of(72L, 81L));
    }
}
