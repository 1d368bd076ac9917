package io.github.broadloom.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.spark.KryoClasses;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockTest {

    @Test
    void aBlockThatOwnsItsMemoryGivesItBackWhenSparkDropsIt() {
        Tensor tensor = Tensors.ones(2, 3);
        Block block = Block.owning(tensor, 0);
        block.close();
        assertThat(tensor.storage().isReleased()).isTrue();
        block.close();
    }

    @Test
    void whatATaskHoldsStaysUntilItLetsGo() {
        Tensor tensor = Tensors.ones(2, 3);
        Block block = Block.owning(tensor, 0);
        block.hold();
        block.hold();
        block.close();
        block.letGo();
        block.close(); // not counted twice
        assertThat(RawMemory.getFloat(tensor.address())).isEqualTo(1);
        block.letGo();
        assertThatThrownBy(tensor::address).hasMessageContaining("24 bytes were released");
    }

    @Test
    void aDroppedBlockIsNotReadAnyMore() {
        Block block = Block.owning(Tensors.ones(2, 3), 4);
        block.close();
        assertThatThrownBy(block::hold)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot read block of float32 [2, 3] from row 4: Spark dropped it meanwhile");
    }

    @Test
    void aBlockThatSharesItsMemoryLeavesItAlone() {
        Tensor tensor = Tensors.ones(2, 3);
        Block block = new Block(tensor, 0);
        block.hold();
        block.letGo();
        block.close();
        assertThat(tensor.storage().isReleased()).isFalse();
        tensor.release();
    }

    /** Spark checks nothing of what it keeps uncompressed; what it wraps around a block may be read all the same where bits are not used. */
    @ParameterizedTest
    @ValueSource(classes = {JavaSerializer.class, KryoSerializer.class})
    void noBitThatChangesOnTheWayIsTakenForAnElement(Class<? extends Serializer> type) throws Exception {
        SparkConf conf = new SparkConf().set("spark.kryo.registrator", KryoClasses.class.getName());
        SerializerInstance serializer =
                type.getConstructor(SparkConf.class).newInstance(conf).newInstance();
        Tensor tensor = Tensors.arange(6).view(2, 3);
        ByteBuffer sent = serializer.serialize(new Block(tensor, 4, 1), Scala.tag(Block.class));
        int refused = 0;
        for (int bit = 0; bit < 8 * sent.limit(); bit++) {
            byte[] bytes = Arrays.copyOf(sent.array(), sent.limit());
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                Block arrived = serializer.deserialize(ByteBuffer.wrap(bytes), Scala.tag(Block.class));
                assertThat(arrived.tensor().values()).isEqualTo(tensor.values());
                assertThat(arrived.box()).isEqualTo(Box.at(new long[] {4, 1}, tensor.shape()));
            } catch (Exception e) { // Scala declares nothing
                refused++;
            }
        }
        long payloadBits = 8 * BlockCodec.payloadBytes(tensor);
        assertThat(refused).isGreaterThan((int) payloadBits);
    }
}
