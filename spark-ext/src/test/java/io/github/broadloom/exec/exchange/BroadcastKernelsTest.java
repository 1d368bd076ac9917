package io.github.broadloom.exec.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.Cubin;
import io.github.broadloom.cuda.compiler.Cubins;
import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.spark.LocalSpark;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compiled kernels on their way to the executors. */
class BroadcastKernelsTest {
    private final List<Broadcast<byte[]>> made = new ArrayList<>();

    private Broadcast<byte[]> broadcast(byte[] bytes) {
        Broadcast<byte[]> broadcast = LocalSpark.session().sparkContext().broadcast(bytes, Scala.tag(byte[].class));
        made.add(broadcast);
        return broadcast;
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 10_000, 100_000})
    void whatWasSentIsFoundWhereItIsUnpacked(int imageBytes) {
        CudaSource source = new CudaSource("sent" + imageBytes, "a text of " + imageBytes);
        byte[] image = new byte[imageBytes];
        image[imageBytes - 1] = 7;
        BroadcastKernels kernels =
                BroadcastKernels.of(List.of(new Cubin(source.hash(), "sm_90", image)), this::broadcast);
        assertThat(made).hasSize(imageBytes > 1 << 16 ? 1 : 0);

        BroadcastKernels arrived = JavaBytes.read(JavaBytes.of(kernels), BroadcastKernels.class);
        arrived.unpack();
        made.forEach(Broadcast::destroy);
        arrived.unpack(); // the second task needs nothing more
        assertThat(Cubins.shared().cubin(source, "sm_90")).isEqualTo(image);
    }

    @Test
    void noKernelsAreNotBroadcast() {
        assertThat(BroadcastKernels.of(List.of(), this::broadcast)).isSameAs(BroadcastKernels.EMPTY);
        BroadcastKernels.EMPTY.unpack();
    }
}
