package io.github.broadloom.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
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

class ParcelTest {
    private static final SparkConf CONF = new SparkConf(false);

    private static SerializerInstance serializer(String name) {
        return name.equals("Kryo") ? new KryoSerializer(CONF).newInstance() : new JavaSerializer(CONF).newInstance();
    }

    /** A broadcast variable that travels as often as it is asked for. */
    private static final class Travelling extends Broadcast<Parcel> {
        private static final long serialVersionUID = 1L;
        private final transient SerializerInstance serializer;
        private byte[] bytes;

        Travelling(SerializerInstance serializer, Parcel parcel) {
            super(0, Scala.tag(Parcel.class));
            this.serializer = serializer;
            ByteBuffer buffer = serializer.serialize(parcel, Scala.tag(Parcel.class));
            bytes = new byte[buffer.remaining()];
            buffer.get(bytes);
        }

        @Override
        public Parcel getValue() {
            return serializer.deserialize(ByteBuffer.wrap(bytes), Scala.tag(Parcel.class));
        }

        @Override
        public void doUnpersist(boolean blocking) {}

        @Override
        public void doDestroy(boolean blocking) {}
    }

    /** One that Spark does not find. */
    private static final class Lost extends Broadcast<Parcel> {
        private static final long serialVersionUID = 1L;

        Lost() {
            super(0, Scala.tag(Parcel.class));
        }

        @Override
        public Parcel getValue() {
            return sneak(new SparkException("Failed to get broadcast_7_piece0 of broadcast_7"));
        }

        @SuppressWarnings("unchecked")
        private static <E extends Exception> Parcel sneak(Exception e) throws E {
            throw (E) e;
        }

        @Override
        public void doUnpersist(boolean blocking) {}

        @Override
        public void doDestroy(boolean blocking) {}
    }

    private static Parcels send(Tensor tensor, long pieceBytes, String serializer) {
        return Parcels.send("m", tensor, pieceBytes, parcel -> new Travelling(serializer(serializer), parcel));
    }

    private static Tensor numbers(long... shape) {
        return Tensors.arange(Shape.of(shape).numel()).to(DType.FLOAT32).view(shape);
    }

    private static Parcels with(Parcels sent, UnaryOperator<List<Broadcast<Parcel>>> change) {
        List<Broadcast<Parcel>> changed = change.apply(new ArrayList<>(sent.parcels()));
        return new Parcels(sent.whole(), sent.name(), sent.dtype(), sent.shape(), sent.held(), changed);
    }

    private static void assertArrives(Tensor tensor, Parcels sent) throws IOException {
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
        Parcels sent = send(tensor, pieceBytes, serializer);
        // Within 100 bytes are eight lines of 12 bytes, and the other two of the ten; within eight bytes two elements,
        // and the third.
        assertThat(sent.parcels()).hasSize(pieces);
        assertThat(sent.bytes()).isEqualTo(480);
        assertArrives(tensor, sent);
        assertArrives(tensor, sent);
    }

    @Test
    void viewsTravelAsTheyAreAndRepeatedElementsOnce() throws IOException {
        assertArrives(numbers(6, 4).t(), send(numbers(6, 4).t(), 20, "Java"));
        Tensor repeated = numbers(1, 8).expand(1000, 8);
        Parcels sent = send(repeated, 10, "Kryo");
        assertThat(sent.bytes()).isEqualTo(32);
        assertThat(sent.parcels()).hasSize(4);
        assertArrives(repeated, sent);
        assertArrives(Tensors.scalar(2.5f), send(Tensors.scalar(2.5f), 1, "Java"));
        assertArrives(numbers(0, 3), send(numbers(0, 3), 1, "Java"));
    }

    @Test
    void allTasksHaveOneTensorWhichIsNotWrittenAgain() throws IOException {
        Parcels sent = send(numbers(100), 40, "Java");
        Tensor whole = sent.tensor();
        whole.set(-1, 5);
        assertThat(sent.tensor().storage()).isSameAs(whole.storage());
        sent.parcels().forEach(Broadcast::value);
        assertThat(whole.get(5)).isEqualTo(-1.0);
        Reference.reachabilityFence(whole);
    }

    @Test
    void aParcelThatArrivedTravelsOn() throws IOException {
        Tensor tensor = numbers(6, 5);
        Parcels sent = send(tensor, 40, "Java");
        Tensor whole = sent.tensor();
        Parcel arrived = sent.parcels().get(1).value();
        ByteBuffer again = serializer("Kryo").serialize(arrived, Scala.tag(Parcel.class));
        ByteBuffer first = serializer("Kryo").serialize(sent.parcels().get(1).value(), Scala.tag(Parcel.class));
        assertThat(again).isEqualTo(first);
        assertThat(whole.values()).isEqualTo(tensor.values());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Java", "Kryo"})
    void aDamagedPieceIsRefused(String serializer) {
        Parcels sent = send(numbers(100), 100, serializer);
        Parcels damaged = with(sent, parcels -> {
            byte[] bytes = ((Travelling) parcels.get(3)).bytes;
            bytes[bytes.length - 12] ^= 1;
            return parcels;
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
        Parcel parcel = new Parcel(
                new Parcel.Label(new UUID(0x0123456789abcdefL, 2), 0, DType.FLOAT32, Shape.of(3)),
                List.of(new Block(numbers(3), 0)));
        Travelling travelling = new Travelling(serializer("Java"), parcel);
        int at = new String(travelling.bytes, java.nio.charset.StandardCharsets.ISO_8859_1)
                .indexOf("\u0001\u0023\u0045\u0067\u0089\u00ab\u00cd\u00ef");
        travelling.bytes[at + 22] ^= 0x40; // the size: behind the name, the number, the dtype and the rank
        assertThatThrownBy(travelling::value)
                .hasMessageContaining("Cannot receive the label of a piece of a tensor: it arrived damaged");
    }

    @Test
    void aMissingPieceIsNamed() {
        Parcels sent = send(numbers(100), 100, "Java");
        Parcels lost = with(sent, parcels -> {
            parcels.set(1, new Lost());
            return parcels;
        });
        assertThatThrownBy(lost::tensor)
                .isInstanceOf(IOException.class)
                .hasMessage("Cannot assemble m (float32 [100]): piece 1 of "
                        + sent.parcels().size() + " is not to be had: Failed to get broadcast_7_piece0 of broadcast_7");
    }

    @Test
    void aTensorOfWhichAPieceNeverCameIsRefused() {
        Parcels sent = send(numbers(64), 64, "Java");
        Parcels less = with(sent, parcels -> parcels.subList(0, 3));
        assertThatThrownBy(less::tensor)
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "Cannot assemble m (float32 [64]): of its 3 pieces came 48 of 64 elements, in pieces [0, 1, 2]; run the action again");
    }

    @Test
    void aParcelThatDidNotTravelHasNothingToAssemble() {
        Parcel parcel = new Parcel(
                new Parcel.Label(UUID.randomUUID(), 0, DType.FLOAT32, Shape.of(3)), List.of(new Block(numbers(3), 0)));
        assertThatThrownBy(parcel::requireArrived)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot assemble from parcel: it did not travel");
    }
}
