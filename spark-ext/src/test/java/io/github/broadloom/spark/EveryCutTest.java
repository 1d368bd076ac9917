package io.github.broadloom.spark;

import static io.github.broadloom.plan.Strategy.ALIGN;
import static io.github.broadloom.plan.Strategy.GRID;
import static io.github.broadloom.plan.Strategy.REPLICATE;
import static io.github.broadloom.plan.Strategy.RESLICE;
import static io.github.broadloom.plan.Strategy.SHUFFLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.github.broadloom.SomeOf;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.Operand;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Strategy;
import io.github.broadloom.spark.CutKinds.Kind;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every kind of expression over two tensors that are cut in every way, wherever they lie, has the bits of the local result; and what it takes to bring the tensors
 * together is what the kind says.
 */
class EveryCutTest {
    /** What is cut as the left of a pair; the others are cut as its right. */
    private static final Set<String> LEFT = Set.of("x", "a", "m");

    /** Little more than a row of {@code x}, so that results are cut, too. */
    private static final int CHUNK_BYTES = 128;
    /** A row of {@code x} or {@code y} may be copied to every executor, and none of the tensors. */
    private static final int REPLICATE_BYTES = 128;

    @TempDir
    static Path folder;

    private static Map<String, Tensor> tensors = Map.of();
    /** By name and cut. */
    private static final Map<String, DistributedTensor> CACHED = new TreeMap<>();

    @BeforeAll
    static void fill() throws IOException {
        Map<String, Tensor> filled = new LinkedHashMap<>();
        filled.put("x", numbers(1, 11, 6, 4));
        filled.put("y", numbers(2, 11, 6, 4));
        filled.put("a", numbers(3, 11, 5));
        filled.put("b", numbers(4, 7, 5));
        filled.put("m", numbers(5, 11, 9));
        filled.put("n", numbers(6, 9, 7));
        tensors = filled;
        for (String name : filled.keySet()) {
            broadloom().tensor(filled.get(name)).writeNpy(file(name), WriteMode.CREATE);
        }
    }

    @AfterAll
    static void clear() {
        CACHED.values().forEach(DistributedTensor::unpersist);
        CACHED.clear();
        tensors = Map.of();
    }

    private static Broadloom broadloom() {
        return LocalSpark.broadloom().withChunkBytes(CHUNK_BYTES).withReplicateBytes(REPLICATE_BYTES);
    }

    private static String file(String name) {
        return folder.resolve(name + ".npy").toString();
    }

    /** Of many magnitudes, so that sums in another order show, with equal values and both zeros among them. */
    private static Tensor numbers(int seed, long... shape) {
        Random random = new Random(seed);
        float[] values = new float
                [Math.toIntExact(io.github.broadloom.shape.Shape.of(shape).numel())];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextInt(3) == 0
                    ? random.nextInt(5) - 2
                    : (float) (random.nextGaussian() * Math.pow(10, random.nextInt(6) - 3));
        }
        values[values.length / 2] = -0.0f;
        return Tensors.copyOf(values, shape);
    }

    /** One kind of each strategy. */
    static Stream<Kind> oneOfEach() {
        return Stream.of(
                new Kind("x * y[3] + y", ALIGN, RESLICE, REPLICATE),
                new Kind("argmin(" + CutKinds.DISTANCES + ", 1)", GRID),
                new Kind("permute(x, 1, 0, 2) + permute(y, 1, 0, 2)", SHUFFLE),
                new Kind("mean(x - y, (0, 2))", ALIGN, RESLICE));
    }

    @SomeOf(value = "oneOfEach", oneIn = 8)
    void everyPairOfCutsGivesTheBitsOfTheLocalResult(Kind kind) {
        assertSameBits(
                kind,
                Stream.of(Cut.values())
                        .flatMap(left -> Stream.of(Cut.values()).map(right -> new Pair(left, right)))
                        .toList());
    }

    /** Every kind, with the number of places by which the right one of two cuts follows the left one. */
    static Stream<Arguments> allInSomePairs() {
        List<Kind> kinds = CutKinds.all().toList();
        return IntStream.range(0, kinds.size())
                .mapToObj(i -> arguments(kinds.get(i), 1 + i % (Cut.values().length - 1)));
    }

    @SomeOf(value = "allInSomePairs", oneIn = 16)
    void everyKindGivesTheBitsOfTheLocalResultWhateverTheCuts(Kind kind, int places) {
        Cut[] cuts = Cut.values();
        Cut same = cuts[places];
        assertSameBits(
                kind,
                Stream.concat(
                                Stream.of(new Pair(same, same)),
                                IntStream.range(0, cuts.length)
                                        .mapToObj(i -> new Pair(cuts[i], cuts[(i + places) % cuts.length])))
                        .toList());
    }

    private record Pair(Cut left, Cut right) {
        Cut of(String name) {
            return LEFT.contains(name) ? left : right;
        }
    }

    private static void assertSameBits(Kind kind, List<Pair> pairs) {
        Tensor expected = kind.local(tensors);
        Set<Strategy> met = EnumSet.noneOf(Strategy.class);
        for (Pair pair : pairs) {
            Map<String, DistributedTensor> operands = new TreeMap<>();
            tensors.keySet().stream()
                    .filter(kind::uses)
                    .forEach(name -> operands.put(name, cached(name, pair.of(name))));
            met.addAll(check(kind, operands, expected, pair.toString()));
        }
        assertThat(met).as(kind.toString()).containsAll(List.of(kind.strategies()));
    }

    private static DistributedTensor cached(String name, Cut cut) {
        return CACHED.computeIfAbsent(
                name + " in " + cut,
                key -> cut.of(tensors.get(name), broadloom()).cache());
    }

    /** What brought the operands to the tasks. */
    private static Set<Strategy> check(
            Kind kind, Map<String, DistributedTensor> operands, Tensor expected, String how) {
        DistributedTensor result = broadloom().eval(kind.expression(), operands);
        Tensor got = result.collect();
        assertThat(got.dtype()).as(how).isEqualTo(expected.dtype());
        assertThat(got.shape()).as(how).isEqualTo(expected.shape());
        assertThat(Bits.of(got)).as(how).isEqualTo(Bits.of(expected));
        Set<Strategy> met = EnumSet.noneOf(Strategy.class);
        Plan plan = result.lastRun().orElseThrow().plan();
        plan.stages()
                .forEach(stage ->
                        stage.operands().stream().map(Operand::strategy).forEach(met::add));
        return met;
    }

    /** Where a tensor lies that nobody cached, or that is cached by the action that reads it. */
    private enum Place {
        DRIVER {
            @Override
            DistributedTensor of(String name) {
                return Cut.SHIFTED.of(tensors.get(name), broadloom());
            }
        },
        FILE {
            @Override
            DistributedTensor of(String name) {
                try {
                    return broadloom().readNpy(file(name));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        },
        CLUSTER {
            @Override
            DistributedTensor of(String name) {
                return Cut.PRIMES.of(tensors.get(name), broadloom()).cache();
            }
        };

        abstract DistributedTensor of(String name);
    }

    static Stream<Kind> all() {
        return CutKinds.all();
    }

    @SomeOf(value = "all", oneIn = 3)
    void whereTheTensorsLieDoesNotMatter(Kind kind) {
        Tensor expected = kind.local(tensors);
        for (Place left : Place.values()) {
            Place right = Place.values()[(left.ordinal() + kind.expression().length()) % Place.values().length];
            Map<String, DistributedTensor> operands = new TreeMap<>();
            tensors.keySet().stream()
                    .filter(kind::uses)
                    .forEach(name -> operands.put(name, (LEFT.contains(name) ? left : right).of(name)));
            check(kind, operands, expected, left + " and " + right);
            operands.values().forEach(DistributedTensor::unpersist);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tensorsWithoutElementsAndScalarsAreCutAsWell(Cut cut) {
        Map<String, Tensor> some = Map.of(
                "e", Tensors.zeros(0, 4),
                "z", Tensors.zeros(11, 0, 4),
                "x", tensors.get("x"),
                "s", Tensors.scalar(2.5f, io.github.broadloom.dtype.DType.FLOAT32));
        for (String expression : List.of(
                "e * 2 - e",
                "sum(e, 0)",
                "mean(e)",
                "cumsum(e, 0)",
                "e.unsqueeze(1) - x[:, 0].unsqueeze(0)",
                "amax(x[:, 0].unsqueeze(1) - e.unsqueeze(0), 0)",
                "cat((e, x[:, 0]), 0)",
                "e @ x[:, 0].t()",
                "x[:, 0, :0] @ e",
                "z + x[:, :1]",
                "sum(z, (0, 1))",
                "permute(z, 1, 0, 2)",
                "reshape(z, 4, 0)",
                "flip(z, 0)",
                "s * s",
                "x * s + s",
                "sum(s) + sum(x)",
                "stack((s, s * 2), 0)",
                "reshape(s, 1, 1) - x")) {
            Kind kind = new Kind(expression);
            Tensor expected = kind.local(some);
            Map<String, DistributedTensor> operands = new TreeMap<>();
            some.forEach((name, tensor) -> {
                if (kind.uses(name)) {
                    operands.put(name, cut.of(tensor, broadloom()).cache());
                }
            });
            check(kind, operands, expected, expression);
            operands.values().forEach(DistributedTensor::unpersist);
        }
    }
}
