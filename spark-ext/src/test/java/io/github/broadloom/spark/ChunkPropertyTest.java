package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.exec.Block;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Graphs;
import io.github.broadloom.expr.Input;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.testkit.random.Property;
import io.github.broadloom.testkit.random.RandomExprs;
import io.github.broadloom.testkit.random.RandomTensors;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.reflect.ClassTag$;

/**
 * Random expressions give the same bits on Spark, however their operands are cut, as without it; NaN counts as one
 * value.
 */
class ChunkPropertyTest {

    static LongStream seeds() {
        return Property.seeds(60);
    }

    static LongStream tensors() {
        return Property.seeds(200);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void theChunksDoNotMatter(long seed) {
        Property.check(seed, new RandomExprs(seed).next(), expr -> {
            Tensor expected = Bits.local(expr);
            for (int chunks : new int[] {1, 2, 7}) {
                assertSame(distributed(expr, operand -> chunks), expected, chunks + " chunks");
            }
            assertSame(distributed(expr, ChunkPropertyTest::rows), expected, "a chunk for each row");
            assertSame(distributed(expr, operand -> rows(operand) + 3), expected, "more chunks than rows");
            RandomTensors cuts = new RandomTensors(seed);
            assertSame(distributed(expr, operand -> 1 + cuts.below(5)), expected, "operands cut differently");
        });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatOnePlanComputesTogetherIsTheSame(long seed) {
        Property.check(seed, new RandomExprs(seed).next(), expr -> {
            List<Expr> parts = expr.postOrder();
            List<Tensor> expected = parts.stream().map(Bits::local).toList();
            RandomTensors cuts = new RandomTensors(seed);
            for (int chunks : new int[] {1, 1 + cuts.below(5), 7}) {
                Broadloom broadloom = LocalSpark.broadloom();
                DistributedTensor[] placed = Graphs.rewrite(
                                parts,
                                (node, over) -> node instanceof Input input
                                        ? broadloom
                                                .tensor((Tensor) input.source(), chunks)
                                                .expr()
                                        : over)
                        .stream()
                        .map(part -> broadloom.of(part, null))
                        .toArray(DistributedTensor[]::new);
                List<Tensor> got = broadloom.collectAll(placed);
                for (int i = 0; i < placed.length; i++) {
                    assertSame(got.get(i), expected.get(i), chunks + " chunks of " + placed[i]);
                }
            }
        });
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whereTheElementsGoDoesNotMatterEither(long seed) {
        Property.check(seed, RandomExprs.rearranging(seed).next(), hidden -> {
            Tensor expected = Bits.local(RandomExprs.reveal(hidden, Input::of));
            RandomTensors cuts = new RandomTensors(seed);
            for (int chunks : new int[] {1, 1 + cuts.below(5), 7}) {
                Broadloom broadloom = LocalSpark.broadloom();
                Expr placed = RandomExprs.reveal(
                        hidden, operand -> broadloom.tensor(operand, chunks).expr());
                Tensor got = broadloom.tensor(Tensors.zeros(1)).withExpr(placed).collect();
                assertSame(got, expected, chunks + " chunks");
            }
        });
    }

    private static int rows(Tensor operand) {
        return operand.rank() == 0
                ? 1
                : (int) Math.max(1, Math.min(operand.shape().size(0), 64));
    }

    private static Tensor distributed(Expr expr, ToIntFunction<Tensor> chunks) {
        Broadloom broadloom = LocalSpark.broadloom();
        Expr placed = expr.mapInputs(input -> {
            Tensor operand = (Tensor) input.source();
            return broadloom.tensor(operand, chunks.applyAsInt(operand)).expr();
        });
        return broadloom.tensor(Tensors.zeros(1)).withExpr(placed).collect();
    }

    private static void assertSame(Tensor got, Tensor expected, String how) {
        assertThat(got.dtype()).as(how).isEqualTo(expected.dtype());
        assertThat(got.shape()).as(how).isEqualTo(expected.shape());
        assertThat(got.values()).as(how).isEqualTo(expected.values());
    }

    @ParameterizedTest
    @MethodSource("tensors")
    void aBlockTravelsThroughBothOfSparksSerialisers(long seed) {
        Expr any = new RandomExprs(seed).inputs().get(0);
        Property.check(seed, any, expr -> {
            Tensor rows = (Tensor) ((Input) expr).source();
            for (Serializer serializer :
                    new Serializer[] {new JavaSerializer(new SparkConf()), new KryoSerializer(new SparkConf())}) {
                SerializerInstance instance = serializer.newInstance();
                ByteBuffer bytes = instance.serialize(new Block(rows, seed), ClassTag$.MODULE$.apply(Block.class));
                Block back = instance.deserialize(bytes, ClassTag$.MODULE$.apply(Block.class));
                assertThat(back.firstRow()).isEqualTo(rows.rank() == 0 ? 0 : seed);
                assertSame(back.tensor(), rows, serializer.getClass().getSimpleName());
            }
        });
    }
}
