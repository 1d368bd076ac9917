package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensors in chunks of another shape. */
class DistributedRechunkTest {
    private final Broadloom broadloom = LocalSpark.broadloom();

    private static Tensor values() {
        return Tensors.arange(0, 7 * 6 * 5, 1, DType.FLOAT32).view(7, 6, 5);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void theValuesStayTheSame(int chunks) {
        Tensor values = values();
        DistributedTensor x = broadloom.tensor(values, chunks);
        long[][] shapes = {{3}, {-1, 2}, {-1, -1, 2}, {2, 3, 2}, {100, 100}, {}};
        for (long[] shape : shapes) {
            Bits.assertSame(x.rechunk(shape).collect(), values);
            Bits.assertSame(x.rechunk(2, 3).rechunk(shape).collect(), values);
            Bits.assertSame(
                    x.rechunk(shape).mul(2).add(x).collect(),
                    LazyTensor.of(values).mul(2).add(values).compute());
        }
        Bits.assertSame(x.rechunk(-1, 2).sum(0).collect(), x.sum(0).collect());
        Bits.assertSame(x.mean(0).rechunk(2, 2).collect(), x.mean(0).collect());
    }

    @Test
    void whatIsWrittenIsInThoseChunks(@TempDir Path folder) throws IOException {
        Tensor values = values();
        Path file = folder.resolve("x.npy");
        Npy.write(values, file, WriteMode.CREATE);
        DistributedTensor x = broadloom.read(file.toString());
        assertThat(x.rechunk(3).chunks()).isEqualTo(3);
        assertThat(x.rechunk(3, 4, -1).chunks()).isEqualTo(6);
        String parts = folder.resolve("parts").toString();
        DistributedTensor byPlace = x.rechunk(-1, 2, 2).add(1).mul(x.select(0, 0));
        assertThat(byPlace.chunks()).isEqualTo(9); // what is computed of it lies as it does
        Bits.assertSame(byPlace.collect(), x.add(1).mul(x.select(0, 0)).collect());
        DistributedTensor anomalies =
                x.rechunk(-1, 2, 2).sub(x.rechunk(-1, 2, 2).mean(0));
        assertThat(anomalies.chunks()).isEqualTo(9);
        Bits.assertSame(anomalies.collect(), x.sub(x.mean(0)).collect());
        x.rechunk(3).write(parts, WriteMode.CREATE);
        assertThat(folder.resolve("parts")).isDirectoryContaining("glob:**/part-00002.npy");
        Bits.assertSame(broadloom.read(parts).collect(), values);
    }

    /** The pieces that an exchange takes of a store are those of its chunks, however these lie. */
    @ParameterizedTest
    @ValueSource(ints = {1, 200, 1 << 20})
    void aStoreThatIsCutAlongInnerDimensionsIsReshaped(int chunkBytes, @TempDir Path folder) throws IOException {
        Tensor values = values();
        String store = folder.resolve("x.zarr").toString();
        broadloom.tensor(values, 2).rechunk(-1, 4, 3).write(store, WriteMode.CREATE);
        DistributedTensor x = broadloom.withChunkBytes(chunkBytes).read(store);
        Bits.assertSame(x.view(7, 30).add(0).collect(), values.view(7, 30));
        Bits.assertSame(x.view(42, 5).add(0).collect(), values.view(42, 5)); // without the leading dimension as it is
        Bits.assertSame(x.flatten().add(0).collect(), values.flatten());
    }

    /** By the blocks that there are, whichever way these are cut; their cuts may fall between, and a dimension of size one is none. */
    @ParameterizedTest
    @ValueSource(strings = {"-1,4,3", "4", "5", "8,-1,2"})
    void aDimensionThatIsSplitIsReadWhereItLies(String cuts, @TempDir Path folder) throws IOException {
        Tensor values = Tensors.arange(0, 24 * 6 * 5, 1, DType.FLOAT32).view(24, 6, 5);
        long[] shape = Arrays.stream(cuts.split(",")).mapToLong(Long::parseLong).toArray();
        String store = folder.resolve("x.zarr").toString();
        broadloom.tensor(values, 2).rechunk(shape).write(store, WriteMode.CREATE);
        DistributedTensor x = broadloom.withChunkBytes(500).read(store);
        long[][] split = {{6, 4, 6, 5}, {6, 2, 2, 6, 5}, {24, 3, 2, 5}, {3, 8, 1, 2, 3, 5, 1}, {1, 24, 6, 5}};
        for (long[] sizes : split) {
            DistributedTensor parts = x.view(sizes).add(0);
            assertThat(parts.explain()).as(Arrays.toString(sizes)).contains("shuffle 0 B");
            Bits.assertSame(parts.collect(), values.view(sizes));
        }
        Bits.assertSame(x.view(6, 4, 6, 5).rechunk(2, 3, -1, 2).collect(), values.view(6, 4, 6, 5));
        Bits.assertSame(x.view(6, 2, 2, 6, 5).rechunk(2, 1, 1, 4).collect(), values.view(6, 2, 2, 6, 5));
        Bits.assertSame(
                x.view(6, 4, 6, 5).mean(1).collect(),
                LazyTensor.of(values).view(6, 4, 6, 5).mean(1).compute());
        Bits.assertSame(
                x.view(6, 4, 6, 5).index(2, 1).collect(),
                values.view(6, 4, 6, 5).select(0, 2).select(0, 1));
    }

    @Test
    void chunksThatCannotBeAreRefused() {
        DistributedTensor x = broadloom.tensor(values(), 2);
        assertThatThrownBy(() -> x.rechunk(0))
                .hasMessage("Cannot cut shape [7, 6, 5] into chunks of [0]: name at most one size for each dimension,"
                        + " of 1 or more, or -1 for all of it");
        assertThatThrownBy(() -> x.rechunk(1, 2, 3, 4)).hasMessageContaining("name at most one size");
    }
}
