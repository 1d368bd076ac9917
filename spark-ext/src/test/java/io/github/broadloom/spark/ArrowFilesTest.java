package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.ArrowIpc;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ArrowFilesTest {
    @TempDir
    Path folder;

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private static Broadloom broadloom() {
        return LocalSpark.broadloom();
    }

    @ParameterizedTest
    @EnumSource(value = DType.class, mode = EnumSource.Mode.EXCLUDE, names = "BFLOAT16")
    void everyDtypeComesBackFromOneFileAndFromParts(DType dtype) throws IOException {
        Tensor x = Tensors.arange(50 * 6).view(50, 2, 3).to(dtype);
        for (String name : List.of("x.arrow", "parts")) {
            broadloom().tensor(x, 7).writeArrow(path(name), WriteMode.CREATE);
            Bits.assertSame(broadloom().readArrow(path(name)).collect(), x);
        }
        Bits.assertSame(ArrowIpc.readFile(folder.resolve("x.arrow")), x);
        assertThat(folder.resolve("parts").toFile().list()).hasSize(8).contains("part-00006.arrow", "_broadloom.json");
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("x.arrow", "parts");
    }

    @Test
    void chunksAreCutBetweenBatchesAndSmallBatchesAreTakenTogether() throws IOException {
        Tensor x = Tensors.arange(100).to(DType.INT32).view(50, 2);
        List<Tensor> batches = List.of(x.narrow(0, 0, 3), x.narrow(0, 3, 4), x.narrow(0, 7, 20), x.narrow(0, 27, 23));
        try (OutputStream out = Files.newOutputStream(folder.resolve("x.arrows"))) {
            ArrowIpc.writeStream(batches.iterator(), out);
        }
        DistributedTensor d = broadloom().withChunkBytes(80).readArrow(path("x.arrows"));
        assertThat(d.chunks()).isEqualTo(3);
        Bits.assertSame(d.collect(), x);
        Bits.assertSame(
                d.add(broadloom().tensor(x, 5)).collect(),
                Bits.local(io.github.broadloom.expr.Expr.apply(
                        io.github.broadloom.expr.ops.Op.of("add"),
                        io.github.broadloom.expr.Input.of(x),
                        io.github.broadloom.expr.Input.of(x))));
    }

    @Test
    void scalarsAndEmptyTensorsComeBack() throws IOException {
        broadloom().tensor(Tensors.scalar(2.5)).writeArrow(path("s.arrow"), WriteMode.CREATE);
        assertThat(broadloom().readArrow(path("s.arrow")).collect().item()).isEqualTo(2.5);
        broadloom().tensor(Tensors.zeros(0, 3)).writeArrow(path("e.arrow"), WriteMode.CREATE);
        Bits.assertSame(broadloom().readArrow(path("e.arrow")).collect(), Tensors.zeros(0, 3));
    }

    @Test
    void existingFilesAreKeptAndTruncatedOnesRefused() throws IOException {
        DistributedTensor x = broadloom().tensor(Tensors.ones(40, 2), 4);
        x.writeArrow(path("x.arrow"), WriteMode.CREATE);
        assertThatThrownBy(() -> x.writeArrow(path("x.arrow"), WriteMode.CREATE))
                .isInstanceOf(FileAlreadyExistsException.class);
        x.add(1).writeArrow(path("x.arrow"), WriteMode.OVERWRITE);
        assertThat(broadloom().readArrow(path("x.arrow")).amin().collect().item())
                .isEqualTo(2.0);
        try (RandomAccessFile file = new RandomAccessFile(path("x.arrow"), "rw")) {
            file.setLength(700);
        }
        assertThatThrownBy(() -> broadloom().readArrow(path("x.arrow")))
                .isInstanceOf(TensorFormatException.class)
                .hasMessageContaining("truncated");
        Files.writeString(folder.resolve("poem.arrow"), "Had we but world enough, and time");
        assertThatThrownBy(() -> broadloom().readArrow(path("poem.arrow"))).isInstanceOf(TensorFormatException.class);
    }
}
