package io.github.broadloom.exec.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BroadcastPieceTest {
    private static final SparkConf CONF = new SparkConf(false);

    private static SerializerInstance serializer(String name) {
        return name.equals("Kryo") ? new KryoSerializer(CONF).newInstance() : new JavaSerializer(CONF).newInstance();
    }

    /** A broadcast variable that travels as often as it is asked for. */
    private static final class Travelling extends Broadcast<BroadcastPiece> {
        private static final long serialVersionUID = 1L;
        private final transient SerializerInstance serializer;
        private byte[] bytes;

        Travelling(SerializerInstance serializer, BroadcastPiece piece) {
            super(0, Scala.tag(BroadcastPiece.class));
            this.serializer = serializer;
            ByteBuffer buffer = serializer.serialize(piece, Scala.tag(BroadcastPiece.class));
            bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
        }

        @Override
        public BroadcastPiece getValue() {
            return serializer.deserialize(ByteBuffer.wrap(bytes), Scala.tag(BroadcastPiece.class));
        }

        @Override
        public void doUnpersist(boolean blocking) {}

        @Override
        public void doDestroy(boolean blocking) {}
    }

    /** One that Spark does not find. */
    private static final class Lost extends Broadcast<BroadcastPiece> {
        private static final long serialVersionUID = 1L;

        Lost() {
            super(0, Scala.tag(BroadcastPiece.class));
        }

        @Override
        public BroadcastPiece getValue() {
            return sneak(new SparkException("Failed to get broadcast_7_piece0 of broadcast_7"));
        }

        @SuppressWarnings("unchecked")
        private static <E extends Exception> BroadcastPiece sneak(Exception e) throws E {
            throw (E) e;
        }

        @Override
        public void doUnpersist(boolean blocking) {}

        @Override
        public void doDestroy(boolean blocking) {}
    }

    private static BroadcastTensor send(Tensor tensor, long pieceBytes, String serializer) {
        return BroadcastTensor.send("m", tensor, pieceBytes, piece -> new Travelling(serializer(serializer), piece));
    }

    private static Tensor numbers(long... shape) {
        return Tensors.arange(Shape.of(shape).numel()).to(DType.FLOAT32).view(shape);
    }

    private static BroadcastTensor with(BroadcastTensor sent, UnaryOperator<List<Broadcast<BroadcastPiece>>> change) {
        List<Broadcast<BroadcastPiece>> changed = change.apply(new ArrayList<>(sent.pieces()));
        return new BroadcastTensor(sent.whole(), sent.name(), sent.dtype(), sent.shape(), sent.held(), changed);
    }

    private static void assertArrives(Tensor tensor, BroadcastTensor sent) throws IOException {
        Tensor arrived = sent.tensor();
        assertThat(arrived.shape()).isEqualTo(tensor.shape());
        assertThat(arrived.storage()).isNotSameAs(tensor.storage());
        assertThat(arrived.values()).isEqualTo(tensor.values());
        Reference.reachabilityFence(arrived);
    }

    @ParameterizedTest
    @CsvSource({"Java, 4096, 1", "Java, 100, 8", "Kryo, 100, 8", "Kryo, 8, 80", "Java, 1, 120"})
    void aTensorIsPutTogetherFromItsPieces(String serializer, long pieceBytes, int pieces) throws IOException {
        Tensor tensor = numbers(4, 10, 3);
        BroadcastTensor sent = send(tensor, pieceBytes, serializer);
        // Within 100 bytes are eight lines of 12 bytes, and the other two of the ten; within eight bytes two elements,
        // and the third.
        assertThat(sent.pieces()).hasSize(pieces);
        assertThat(sent.bytes()).isEqualTo(480);
        assertArrives(tensor, sent);
        assertArrives(tensor, sent);
    }

    @Test
    void viewsTravelAsTheyAreAndRepeatedElementsOnce() throws IOException {
        assertArrives(numbers(6, 4).t(), send(numbers(6, 4).t(), 20, "Java"));
        Tensor repeated = numbers(1, 8).expand(1000, 8);
        BroadcastTensor sent = send(repeated, 10, "Kryo");
        assertThat(sent.bytes()).isEqualTo(32);
        assertThat(sent.pieces()).hasSize(4);
        assertArrives(repeated, sent);
        assertArrives(Tensors.scalar(2.5f), send(Tensors.scalar(2.5f), 1, "Java"));
        assertArrives(numbers(0, 3), send(numbers(0, 3), 1, "Java"));
    }

    @Test
    void allTasksHaveOneTensorWhichIsNotWrittenAgain() throws IOException {
        BroadcastTensor sent = send(numbers(100), 40, "Java");
        Tensor whole = sent.tensor();
        whole.set(-1, 5);
        assertThat(sent.tensor().storage()).isSameAs(whole.storage());
        sent.pieces().forEach(Broadcast::value);
        assertThat(whole.get(5)).isEqualTo(-1.0);
        Reference.reachabilityFence(whole);
    }

    @Test
    void aPieceThatArrivedTravelsOn() throws IOException {
        Tensor tensor = numbers(6, 5);
        BroadcastTensor sent = send(tensor, 40, "Java");
        Tensor whole = sent.tensor();
        BroadcastPiece arrived = sent.pieces().get(1).value();
        ByteBuffer again = serializer("Kryo").serialize(arrived, Scala.tag(BroadcastPiece.class));
        ByteBuffer first = serializer("Kryo").serialize(sent.pieces().get(1).value(), Scala.tag(BroadcastPiece.class));
        assertThat(again).isEqualTo(first);
        assertThat(whole.values()).isEqualTo(tensor.values());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Java", "Kryo"})
    void aDamagedPieceIsRefused(String serializer) {
        BroadcastTensor sent = send(numbers(100), 100, serializer);
        BroadcastTensor damaged = with(sent, pieces -> {
            byte[] bytes = ((Travelling) pieces.get(3)).bytes;
            bytes[bytes.length - 12] ^= 1;
            return pieces;
        });
        assertThatThrownBy(damaged::tensor)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("Cannot assemble m (float32 [100]): piece 3 of ")
                .hasMessageContaining(
                        "is not to be had: Cannot receive piece 3 of a tensor of float32 [100]: it arrived damaged, with CRC-32C ")
                .hasMessageEndingWith("look at the network and the disks of this machine");
    }

    @Test
    void aDamagedLabelIsRefusedBeforeMemoryIsTaken() {
        BroadcastPiece piece = new BroadcastPiece(
                new BroadcastPiece.Label(new UUID(0x0123456789abcdefL, 2), 0, DType.FLOAT32, Shape.of(3)),
                List.of(new Block(numbers(3), 0)));
        Travelling travelling = new Travelling(serializer("Java"), piece);
        int at = new String(travelling.bytes, java.nio.charset.StandardCharsets.ISO_8859_1)
                .indexOf("\u0001\u0023\u0045\u0067\u0089\u00ab\u00cd\u00ef");
        travelling.bytes[at + 22] ^= 0x40; // the size: behind the name, the number, the dtype and the rank
        assertThatThrownBy(travelling::value)
                .hasMessageContaining("Cannot receive the label of a piece of a tensor: it arrived damaged");
    }

    @Test
    void aMissingPieceIsNamed() {
        BroadcastTensor sent = send(numbers(100), 100, "Java");
        BroadcastTensor lost = with(sent, pieces -> {
            pieces.set(1, new Lost());
            return pieces;
        });
        assertThatThrownBy(lost::tensor)
                .isInstanceOf(IOException.class)
                .hasMessage("Cannot assemble m (float32 [100]): piece 1 of "
                        + sent.pieces().size() + " is not to be had: Failed to get broadcast_7_piece0 of broadcast_7");
    }

    @Test
    void aTensorOfWhichAPieceNeverCameIsRefused() {
        BroadcastTensor sent = send(numbers(64), 64, "Java");
        BroadcastTensor less = with(sent, pieces -> pieces.subList(0, 3));
        assertThatThrownBy(less::tensor)
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "Cannot assemble m (float32 [64]): of its 3 pieces came 48 of 64 elements, in pieces [0, 1, 2]; run the action again");
    }

    @Test
    void aPieceThatDidNotTravelHasNothingToAssemble() {
        BroadcastPiece piece = new BroadcastPiece(
                new BroadcastPiece.Label(UUID.randomUUID(), 0, DType.FLOAT32, Shape.of(3)),
                List.of(new Block(numbers(3), 0)));
        assertThatThrownBy(piece::requireArrived)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot assemble from piece: it did not travel");
    }
}
