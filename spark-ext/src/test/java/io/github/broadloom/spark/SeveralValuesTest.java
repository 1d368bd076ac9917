package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several values of one plan: the same as each by itself, and what they have in common is read and computed once. */
class SeveralValuesTest {
    @TempDir
    Path folder;

    private static Tensor numbers() {
        return Tensors.arange(-7, 53, 1, DType.FLOAT32).view(20, 3);
    }

    private static Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("m", "mean(x, 0)");
        texts.put("e", "exp(x - m)");
        texts.put("s", "sum(e, 1)");
        texts.put("shares", "e / s.unsqueeze(1)");
        texts.put("logs", "log(e + 1)");
        texts.put("all", "sum(shares)");
        texts.put("turned", "x.T");
        return texts;
    }

    private static Map<String, Tensor> expected() {
        Map<String, Object> names = new LinkedHashMap<>(Map.of("x", numbers()));
        Map<String, Tensor> values = new LinkedHashMap<>();
        texts().forEach((name, text) -> {
            Tensor value = LazyTensor.eval(text, names).compute();
            values.put(name, value);
            names.put(name, value);
        });
        return values;
    }

    private String file(String name) {
        return folder.resolve(name).toString();
    }

    private List<String> left() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void valuesOfAnyDtypeAndShapeComeTogether(int chunks) throws Exception {
        Broadloom broadloom = LocalSpark.broadloom();
        DistributedTensor x = broadloom.tensor(numbers(), chunks);
        DistributedTensor large = broadloom.tensor(Tensors.of(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE), chunks);
        List<DistributedTensor> all = new ArrayList<>(List.of(
                x.sum(0),
                x.amax(),
                x.to(DType.FLOAT16).mean(1),
                x.argmin(0),
                x.gt(0).any(0),
                x.mul(x).mean(0),
                large.mul(1),
                x,
                x));
        for (DType dtype : DType.values()) {
            all.add(x.to(dtype).slice(0, Slice.of(18, 20)));
        }
        List<Tensor> together = broadloom.collectAll(all.toArray(DistributedTensor[]::new));
        for (int i = 0; i < all.size(); i++) {
            Bits.assertSame(together.get(i), all.get(i).collect());
        }
        try (Jobs jobs = Jobs.listen()) {
            broadloom.collectAll(x.sum(0), x.amax(0), x.mul(x).mean(0));
            broadloom.collectAll(x.add(1), x.sum(1), x.gt(0), x.unsqueeze(2));
            assertThat(jobs.descriptions()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void eachGoesToAFileOfItsFormat(int chunks) throws Exception {
        Broadloom broadloom = LocalSpark.broadloom();
        Map<String, DistributedTensor> values =
                broadloom.evalAll(texts(), Map.of("x", broadloom.tensor(numbers(), chunks)));
        Map<String, DistributedTensor> files = new LinkedHashMap<>();
        Map<String, String> names = new LinkedHashMap<>();
        for (String name : values.keySet()) {
            for (String end : name.equals("all") ? List.of(".npy", ".zarr") : List.of(".npy", ".zarr", ".arrow", "")) {
                files.put(file(name + end), values.get(name));
                names.put(file(name + end), name);
            }
        }
        try (Jobs jobs = Jobs.listen()) {
            broadloom.writeAll(files, WriteMode.CREATE);
            // The means, the sum of all, what has 20 rows, and what has 3.
            assertThat(jobs.descriptions()).hasSizeBetween(3, 4);
        }
        Map<String, Tensor> expected = expected();
        for (Map.Entry<String, String> written : names.entrySet()) {
            Bits.assertSame(broadloom.read(written.getKey()).collect(), expected.get(written.getValue()));
        }
        assertThat(left()).hasSize(files.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 7})
    void whatIsDearAndSharedIsComputedOnce(int chunks) {
        Broadloom broadloom = LocalSpark.broadloom();
        Map<String, DistributedTensor> values =
                broadloom.evalAll(texts(), Map.of("x", broadloom.tensor(numbers(), chunks)));
        String plan = broadloom.explainAll(values.get("shares"), values.get("logs"), values.get("s"));
        assertThat(plan.split("once for several outputs:", -1)).as(plan).hasSize(3); // of e, and of s
        DistributedTensor cheap = broadloom.tensor(numbers(), chunks).add(1);
        assertThat(broadloom.explainAll(cheap.mul(2), cheap.mul(3))).doesNotContain("once for several outputs");
    }

    /** What a fold would send of each chunk of rows is more than what is read. */
    @ParameterizedTest
    @ValueSource(longs = {96, 384, 1 << 20})
    void sumsOfAStoreInBlocksAreTakenBlockByBlock(long chunkBytes) throws Exception {
        Tensor u = LazyTensor.of(Tensors.arange(-300, 276, 1, DType.FLOAT32).view(24, 4, 6))
                .div(7)
                .compute();
        Tensor v = LazyTensor.of(u).exp().compute();
        ZarrOptions blocks =
                ZarrOptions.DEFAULT.withChunk(Shape.of(3, 2, 3)).withCompression(ZarrOptions.Compression.NONE);
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(chunkBytes).withDriverBytes(8192);
        broadloom.tensor(u).writeZarr(file("u.zarr"), WriteMode.CREATE, blocks);
        broadloom.tensor(v).writeZarr(file("v.zarr"), WriteMode.CREATE, blocks);
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("uu", "mean(u * u, 0)");
        texts.put("vv", "mean(v * v, 0)");
        texts.put("uv", "mean(u * v, 0)");
        texts.put("low", "amin(u - v, 0)");
        texts.put("again", "mean(u * u, 0)");
        Map<String, DistributedTensor> values = broadloom.evalAll(
                texts, Map.of("u", broadloom.read(file("u.zarr")), "v", broadloom.read(file("v.zarr"))));
        DistributedTensor[] all = values.values().toArray(DistributedTensor[]::new);
        if (chunkBytes == 96) {
            assertThat(broadloom.explainAll(all)).contains(" which goes along dimension 0 in 8 steps", " shuffle 0 B ");
        }
        List<Tensor> together = broadloom.collectAll(all);
        int i = 0;
        for (String text : texts.values()) {
            Bits.assertSame(
                    together.get(i++),
                    LazyTensor.eval(text, Map.of("u", u, "v", v)).compute());
        }
    }

    @Test
    void whatFailsLeavesNone() throws Exception {
        Broadloom broadloom = LocalSpark.broadloom();
        Npy.write(numbers(), folder.resolve("there.npy"), WriteMode.CREATE);
        DistributedTensor x = broadloom.tensor(numbers(), 3);
        Map<String, DistributedTensor> files = new LinkedHashMap<>();
        files.put(file("first.npy"), x.add(1));
        files.put(file("there.npy"), x.mul(2));
        assertThatThrownBy(() -> broadloom.writeAll(files, WriteMode.CREATE))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("there.npy");
        assertThat(left()).containsExactly("there.npy");
        Bits.assertSame(Npy.read(folder.resolve("there.npy")), numbers());

        files.put(file("nowhere/third.npy"), x);
        assertThatThrownBy(() -> broadloom.writeAll(files, WriteMode.OVERWRITE))
                .isInstanceOf(NoSuchFileException.class);
        assertThat(left()).containsExactly("there.npy");
        Bits.assertSame(Npy.read(folder.resolve("there.npy")), numbers());
    }

    @Test
    void aTaskThatFailsLeavesNone() throws Exception {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(64);
        Npy.write(numbers(), folder.resolve("x.npy"), WriteMode.CREATE);
        DistributedTensor x = broadloom.read(file("x.npy"));
        Files.write(folder.resolve("x.npy"), new byte[130]);
        Map<String, DistributedTensor> files = new LinkedHashMap<>();
        files.put(file("a.npy"), x.add(1));
        files.put(file("b"), x.mul(2));
        files.put(file("c.zarr"), x.sum(1));
        assertThatThrownBy(() -> broadloom.writeAll(files, WriteMode.CREATE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("x.npy");
        assertThat(left()).containsExactly("x.npy");
    }

    @Test
    void aFileOrANameIsGivenOnce() {
        Broadloom broadloom = LocalSpark.broadloom();
        DistributedTensor x = broadloom.tensor(numbers());
        assertThatThrownBy(
                        () -> broadloom.writeAll(Map.of(file("a.npy"), x, file("./a.npy"), x.add(1)), WriteMode.CREATE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("they are one file");
        assertThatThrownBy(() -> broadloom.evalAll(Map.of("x", "x + 1"), Map.of("x", x)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot call the value of 'x + 1' x: an operand has that name");
        assertThat(broadloom.collectAll()).isEmpty();
    }
}
