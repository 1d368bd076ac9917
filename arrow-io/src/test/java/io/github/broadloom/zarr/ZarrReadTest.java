package io.github.broadloom.zarr;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.ArrayFormats;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores of TensorStore and zarr-python: every dtype, order and codec. */
class ZarrReadTest {
    @TempDir
    static Path folder;

    @BeforeAll
    static void unpack() throws IOException {
        Fixtures.unpack(folder);
    }

    private static void assertHolds(String store, String key, Tensor expected) throws IOException {
        StoredArray array = Fixtures.open(folder.resolve(store), key);
        assertThat(array.dtype()).isEqualTo(expected.dtype());
        assertThat(array.shape()).isEqualTo(expected.shape());
        Tensor read = Fixtures.readAll(array);
        assertThat(read.values()).as(store + " " + key).isEqualTo(expected.values());
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void everyDtypeIsReadFromVersion3(DType dtype) throws IOException {
        assertHolds("v3-" + dtype + ".zarr", "", Fixtures.valuesAndFill(dtype));
        if (dtype.bytes() > 1) {
            assertHolds("v3-" + dtype + "-big.zarr", "", Fixtures.values(dtype, Fixtures.SHAPE));
        }
    }

    @ParameterizedTest
    @EnumSource(value = DType.class, names = "BFLOAT16", mode = EnumSource.Mode.EXCLUDE)
    void everyDtypeIsReadFromVersion2InBothOrders(DType dtype) throws IOException {
        Tensor expected = Fixtures.values(dtype, Fixtures.SHAPE);
        assertHolds("v2-" + dtype + "-C.zarr", "", expected);
        assertHolds("v2-" + dtype + "-F.zarr", "", expected); // big-endian, too
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd", "lz4", "zlib", "gzip", "blosc", "none"})
    void everyCodecOfNumcodecsIsRead(String codec) throws IOException {
        for (DType dtype : List.of(DType.INT32, DType.FLOAT32, DType.BOOL, DType.INT16, DType.FLOAT64)) {
            assertHolds("v2-group.zarr", codec + "/" + dtype, Fixtures.valuesAndFill(dtype));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "lz4, noshuffle", "lz4, shuffle", "lz4, bitshuffle", "lz4hc, noshuffle", "lz4hc, shuffle", "lz4hc, bitshuffle",
        "zstd, noshuffle", "zstd, shuffle", "zstd, bitshuffle", "zlib, noshuffle", "zlib, shuffle", "zlib, bitshuffle",
        "blosclz, noshuffle", "blosclz, shuffle", "blosclz, bitshuffle"
    })
    void everyCompressorAndShuffleOfBloscIsRead(String compressor, String shuffle) throws IOException {
        double[] expected = Fixtures.values(DType.FLOAT64, Shape.of(64, 40, 30)).toDoubleArray();
        Tensor read = Fixtures.read(folder.resolve("v3-blosc-" + compressor + "-" + shuffle + ".zarr"), "");
        assertThat(Arrays.equals(read.toDoubleArray(), expected)).isTrue();
    }

    @Test
    void transposedAndShardedChunksAreRead() throws IOException {
        assertHolds("v3-transposed.zarr", "", Fixtures.values(DType.INT32, Fixtures.SHAPE));
        assertHolds("v3-v2-names.zarr", "", Fixtures.values(DType.INT32, Fixtures.SHAPE));
        for (String store : List.of("v3-sharded-end.zarr", "v3-sharded-start.zarr", "v3-sharded-twice.zarr")) {
            assertHolds(store, "", Fixtures.valuesAndFill(DType.INT32));
        }
        assertHolds("v2-group.zarr", "shuffled", Fixtures.values(DType.INT32, Fixtures.SHAPE));
    }

    @Test
    void aScalarIsOneChunk() throws IOException {
        assertThat(Fixtures.read(folder.resolve("v3-scalar.zarr"), "").item()).isEqualTo(2.5);
    }

    @Test
    void boxesAreThoseOfTheWhole() throws IOException {
        Random random = new Random(5);
        for (String store : List.of(
                "v3-int32.zarr",
                "v3-int32-big.zarr",
                "v2-int32-F.zarr",
                "v3-transposed.zarr",
                "v3-sharded-end.zarr",
                "v3-sharded-start.zarr",
                "v3-sharded-twice.zarr")) {
            StoredArray array = Fixtures.open(folder.resolve(store), "");
            Tensor whole = Fixtures.readAll(array);
            for (int i = 0; i < 40; i++) {
                long[] starts = new long[3];
                long[] ends = new long[3];
                for (int d = 0; d < 3; d++) {
                    long size = array.shape().size(d);
                    starts[d] = random.nextLong(size + 1);
                    ends[d] = starts[d] + random.nextLong(size - starts[d] + 1);
                }
                Box box = Box.of(starts, ends);
                Tensor read = array.reader().read(box);
                assertThat(read.shape()).isEqualTo(box.shape());
                assertThat(read.values())
                        .as(store + " " + box)
                        .isEqualTo(box.of(whole).values());
            }
        }
    }

    @Test
    void integersWithoutASignAreReadAsWiderOnes() throws IOException {
        for (int bits : new int[] {16, 32}) {
            long largest = (1L << bits) - 1;
            List<Object> expected = List.of(0L, 1L, largest - 1, largest / 2 + 1, largest);
            DType dtype = bits == 16 ? DType.INT32 : DType.INT64;
            for (Tensor read : List.of(
                    Fixtures.read(folder.resolve("v3-uint" + bits + ".zarr"), ""),
                    Fixtures.read(folder.resolve("v2-group.zarr"), "unsigned/uint" + bits))) {
                assertThat(read.dtype()).isEqualTo(dtype);
                assertThat(read.values()).isEqualTo(expected);
            }
        }
    }

    @Test
    void fillValuesStandWhereNoChunkIs() throws IOException {
        Path group = folder.resolve("v2-group.zarr");
        assertThat(Fixtures.read(group, "fills/nan").values()).containsOnly(Double.NaN);
        assertThat(Fixtures.read(group, "fills/infinity").values()).containsOnly(Double.NEGATIVE_INFINITY);
        assertThat(Fixtures.read(group, "fills/seven").values()).containsOnly(7L);
        assertThat(Fixtures.read(group, "fills/true").values()).containsOnly(true);
        float[] bits = Fixtures.read(folder.resolve("v3-missing.zarr"), "").toFloatArray();
        for (float value : bits) {
            assertThat(Float.floatToRawIntBits(value)).isEqualTo(0x7fc01234);
        }
    }

    @Test
    void groupsTellTheirArraysWithNamesAndAttributes() throws IOException {
        List<String> keys = new ZarrFormat().keys(Fixtures.store(folder.resolve("v2-group.zarr")));
        assertThat(keys).hasSize(6 * 5 + 1 + 4 + 7 + 2).isSorted().contains("zstd/int32", "fills/nan", "others/struct");
        assertThat(new ZarrFormat().keys(Fixtures.store(folder.resolve("v2-consolidated.zarr"))))
                .isEqualTo(keys);
        StoredArray array = Fixtures.open(folder.resolve("v2-group.zarr"), "zstd/int32");
        assertThat(array.dimensions()).containsExactly("time", "lat", "lon");
        assertThat(array.attributes()).isEqualTo(Map.of("valid", Double.NaN));
        assertThat(array.chunk()).isEqualTo(Shape.of(3, 2, 4));
        assertThat(array.encoding()).isEqualTo("Zarr 2, column-major, little-endian, zstd");
    }

    @Test
    void dimensionNamesAndAttributesOfVersion3AreThere() throws IOException {
        StoredArray array = Fixtures.open(folder.resolve("v3-transposed.zarr"), "");
        assertThat(array.dimensions()).containsExactly("t", "", "x");
        assertThat(array.attributes()).isEqualTo(Map.of("units", "K", "scale", List.of(1L, 2.5), "deep", "{\"a\":1}"));
        assertThat(Fixtures.open(folder.resolve("v3-sharded-end.zarr"), "").chunk())
                .isEqualTo(Shape.of(3, 1, 2));
        assertThat(Fixtures.open(folder.resolve("v3-sharded-twice.zarr"), "").chunk())
                .isEqualTo(Shape.of(3, 1, 2));
    }

    @Test
    void storesAreRecognized() throws IOException {
        for (String name : List.of("v3-int32.zarr", "v2-int32-C.zarr", "v2-group.zarr", "v2-consolidated.zarr")) {
            assertThat(ArrayFormats.of(Fixtures.store(folder.resolve(name))).orElseThrow())
                    .isInstanceOf(ZarrFormat.class);
        }
        assertThat(new ZarrFormat().recognizes(Fixtures.store(folder))).isFalse();
        assertThat(new ZarrFormat().recognizes(Fixtures.store(folder.resolve("nothing"))))
                .isFalse();
    }
}
