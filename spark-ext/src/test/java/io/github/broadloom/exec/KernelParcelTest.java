package io.github.broadloom.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.codegen.cuda.CudaSource;
import io.github.broadloom.device.cuda.Cubin;
import io.github.broadloom.device.cuda.Cubins;
import io.github.broadloom.spark.LocalSpark;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compiled kernels on their way to the executors. */
class KernelParcelTest {
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
        KernelParcel parcel = KernelParcel.of(List.of(new Cubin(source.hash(), "sm_90", image)), this::broadcast);
        assertThat(made).hasSize(imageBytes > 1 << 16 ? 1 : 0);

        KernelParcel arrived = JavaBytes.read(JavaBytes.of(parcel), KernelParcel.class);
        arrived.unpack();
        made.forEach(Broadcast::destroy);
        arrived.unpack(); // the second task needs nothing more
        assertThat(Cubins.shared().cubin(source, "sm_90")).isEqualTo(image);
    }

    @Test
    void noKernelsAreNoParcel() {
        assertThat(KernelParcel.of(List.of(), this::broadcast)).isSameAs(KernelParcel.EMPTY);
        KernelParcel.EMPTY.unpack();
    }

    @Test
    void aSettingNamesTheArchitectures() {
        SparkContext context = LocalSpark.session().sparkContext();
        SparkConf conf = new SparkConf(false).set(SparkSettings.ARCHITECTURES.sparkName(), "sm_80, sm_90,sm_80");
        assertThat(Architectures.set(conf)).hasValue(List.of("sm_80", "sm_90"));
        assertThat(Architectures.set(context.getConf())).isEmpty();
        assertThatThrownBy(() -> Architectures.set(conf.set(SparkSettings.ARCHITECTURES.sparkName(), "sm_80,H200")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot use spark.broadloom.cuda.architectures=sm_80,H200:"
                        + " give architectures with commas, such as sm_80,sm_90");
    }
}
