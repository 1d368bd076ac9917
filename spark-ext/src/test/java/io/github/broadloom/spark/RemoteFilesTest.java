package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.Npz;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrOptions;
import io.github.broadloom.zarr.ZarrOptions.Compression;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that is read and written goes through Hadoop where the scheme is not file:. */
class RemoteFilesTest {
    @TempDir
    Path folder;

    @BeforeEach
    void configure() {
        Configuration configuration = LocalSpark.session().sparkContext().hadoopConfiguration();
        configuration.set("fs.remote.impl", RemoteFileSystem.class.getName());
    }

    private String remote(String name) {
        return "remote://" + folder.resolve(name);
    }

    private static Broadloom broadloom() {
        return LocalSpark.broadloom().withChunkBytes(256);
    }

    @ParameterizedTest
    @EnumSource(value = DType.class, mode = EnumSource.Mode.EXCLUDE, names = "BFLOAT16")
    void everyDtypeIsReadInChunksAndWrittenAsOneFileAndAsParts(DType dtype) throws IOException {
        Tensor x = Tensors.arange(350).view(50, 7).to(dtype);
        Npy.write(x, folder.resolve("x.npy"), WriteMode.CREATE);
        DistributedTensor d = broadloom().readNpy(remote("x.npy"));
        Bits.assertSame(d.collect(), x);
        d.writeNpy(remote("y.npy"), WriteMode.CREATE);
        d.writeNpy(remote("parts"), WriteMode.CREATE);
        d.writeArrow(remote("y.arrow"), WriteMode.CREATE);
        assertThat(folder.resolve("y.npy")).hasSameBinaryContentAs(folder.resolve("x.npy"));
        Bits.assertSame(broadloom().readNpy(remote("parts")).collect(), x);
        Bits.assertSame(broadloom().readArrow(remote("y.arrow")).collect(), x);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("x.npy", "y.npy", "parts", "y.arrow");
    }

    /** Bands of the rows are read in many ranges: of a disk of this machine that is cheap, of a store each is a request. */
    @ParameterizedTest
    @ValueSource(strings = {"x.npy", "x.zarr"})
    void meansOverTheRowsGoAlongBandsOfFilesOfThisMachineAlone(String name) throws IOException {
        Tensor x = LazyTensor.random(3).randn(67, 256, 300).compute();
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(1 << 20);
        String file = folder.resolve(name).toString();
        if (name.endsWith(".npy")) {
            Npy.write(x, folder.resolve(name), WriteMode.CREATE);
        } else { // whole maps
            ZarrOptions maps = ZarrOptions.DEFAULT.withChunk(Shape.of(5, 256, 300));
            broadloom.tensor(x).writeZarr(file, WriteMode.CREATE, maps.withCompression(Compression.NONE));
        }
        DistributedTensor here = broadloom.read(file).mean(0);
        DistributedTensor far = broadloom.read(remote(name)).mean(0);
        assertThat(here.explain()).contains("which goes along dimension 0 in", "shuffle 0 B");
        assertThat(far.explain()).contains("partial results of");
        Tensor expected = LazyTensor.of(x).mean(0).compute();
        Bits.assertSame(here.collect(), expected);
        Bits.assertSame(far.collect(), expected);

        String text = "mean((x - mean(x, 0)) ** 2, 0)"; // a mean has no rows to step along, however it is cut
        DistributedTensor distances = broadloom.eval(text, Map.of("x", broadloom.read(file)));
        String plan = distances.explain();
        assertThat(plan.split("which goes along dimension 0 in", -1)).as(plan).hasSize(3);
        assertThat(plan).contains("shuffle 0 B");
        Bits.assertSame(
                distances.collect(), LazyTensor.eval(text, Map.of("x", x)).compute());
    }

    /** No part is read again, and the driver writes the header alone. */
    @Test
    void aNpyFileIsJoinedWithoutCopyingWhereTheFileSystemCan() throws IOException {
        Tensor x = Tensors.arange(350).view(50, 7);
        Map<RemoteFileSystem.Operation, Integer> asked =
                Collections.synchronizedMap(new EnumMap<>(RemoteFileSystem.Operation.class));
        RemoteFileSystem.watch((operation, path) -> asked.merge(operation, 1, Integer::sum));
        try {
            broadloom().tensor(x, 7).writeNpy(remote("y.npy"), WriteMode.CREATE);
        } finally {
            RemoteFileSystem.unwatch();
        }
        assertThat(asked)
                .containsEntry(RemoteFileSystem.Operation.CONCAT, 1)
                .doesNotContainKey(RemoteFileSystem.Operation.OPEN);
        Bits.assertSame(Npy.read(folder.resolve("y.npy")), x);
        broadloom().tensor(Tensors.zeros(0, 3)).writeNpy(remote("e.npy"), WriteMode.CREATE);
        Bits.assertSame(Npy.read(folder.resolve("e.npy")), Tensors.zeros(0, 3));
    }

    @Test
    void aFileSystemThatCannotJoinTheseFilesHasThemCopied() throws IOException {
        Tensor x = Tensors.arange(350).view(50, 7);
        RemoteFileSystem.watch((operation, path) -> {
            if (operation == RemoteFileSystem.Operation.CONCAT) {
                throw new IOException("these files have erasure codes");
            }
        });
        try {
            broadloom().tensor(x, 7).writeNpy(remote("y.npy"), WriteMode.CREATE);
        } finally {
            RemoteFileSystem.unwatch();
        }
        Bits.assertSame(Npy.read(folder.resolve("y.npy")), x);
        assertThat(folder.toFile().list()).containsExactly("y.npy");
    }

    /** 105 bytes, which NetCDF pads to 108. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFileThatEndsInPaddingIsJoinedToo(boolean joins) throws IOException {
        Tensor x = Tensors.arange(105).view(15, 7).to(DType.INT8);
        RemoteFileSystem.watch((operation, path) -> {
            if (!joins && operation == RemoteFileSystem.Operation.CONCAT) {
                throw new IOException("these files have erasure codes");
            }
        });
        try {
            broadloom().tensor(x, 7).write(remote("y.nc"), WriteMode.CREATE);
        } finally {
            RemoteFileSystem.unwatch();
        }
        assertThat(Files.size(folder.resolve("y.nc")) % 4).isZero();
        Bits.assertSame(broadloom().read(folder.resolve("y.nc").toString()).collect(), x);
        assertThat(folder.toFile().list()).containsExactly("y.nc");
    }

    @Test
    void existingOutputsAreKeptOrReplacedWhole() throws IOException {
        DistributedTensor x = broadloom().tensor(Tensors.ones(20, 2), 4);
        for (String name : new String[] {"x.npy", "x", "x.arrow"}) {
            boolean arrow = name.endsWith(".arrow");
            for (WriteMode mode : new WriteMode[] {WriteMode.CREATE, WriteMode.OVERWRITE}) {
                if (arrow) {
                    x.writeArrow(remote(name), mode);
                } else {
                    x.writeNpy(remote(name), mode);
                }
            }
            assertThatThrownBy(() -> {
                        if (arrow) {
                            x.writeArrow(remote(name), WriteMode.CREATE);
                        } else {
                            x.writeNpy(remote(name), WriteMode.CREATE);
                        }
                    })
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("x.npy", "x", "x.arrow");
    }

    @Test
    void archivesAndMissingFilesAreAnsweredAsOnTheMachinesOwnDisk() throws IOException {
        Npz.write(Map.of("a", Tensors.of(1f, 2f)), folder.resolve("x.npz"), WriteMode.CREATE);
        assertThat(broadloom().readNpy(remote("x.npz") + ":a").collect().toFloatArray())
                .containsExactly(1f, 2f);
        assertThatThrownBy(() -> broadloom().readNpy(remote("none.npy"))).isInstanceOf(NoSuchFileException.class);
    }
}
