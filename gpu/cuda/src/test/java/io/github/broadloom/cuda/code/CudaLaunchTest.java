package io.github.broadloom.cuda.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.CudaArgument.Long64;
import io.github.broadloom.cuda.code.CudaArgument.Word;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Ops;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class CudaLaunchTest {
    private static final CudaSource NOTHING = new CudaSource("nothing", "extern \"C\" __global__ void nothing() {}");

    @Test
    void theStructIsLittleEndianInWholesOfEightBytes() {
        CudaLaunch launch = new CudaLaunch(
                NOTHING, 1, 32, List.of(new Address(1, 0x10), new Long64(-2), new Word(3), new Word(-1), new Word(7)));
        byte[] struct = launch.parameters(new long[] {0, 0x1000}, List.of());
        assertThat(HexFormat.of().formatHex(struct))
                .isEqualTo("1010000000000000" + "feffffffffffffff" + "03000000ffffffff" + "0700000000000000");
    }

    @Test
    void aWordBeforeEightBytesIsRefused() {
        assertThatThrownBy(() -> new CudaLaunch(NOTHING, 1, 32, List.of(new Word(1), new Address(0, 0))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("put the words last");
    }

    @Test
    void theHashIsThatOfTheOptionsAndTheText() {
        // printf '%s\0%s' '--fmad=false -std=c++17 -default-device' text | sha256sum
        assertThat(new CudaSource("e", "text").hash())
                .isEqualTo("5b0a8cbeb245376dba6b2082435f7c993a9b12158044e69fbe552b77aff5c516");
    }

    @Test
    void sizesAreNotInTheSource() {
        CudaSource small = Kernels.source(sum(64, 32));
        CudaSource large = Kernels.source(sum(4096, 1024));
        assertThat(large).isEqualTo(small);
    }

    @Test
    void nothingIsLaunchedForNoElement() {
        assertThat(Kernels.launches(sum(0, 32))).isEmpty();
    }

    @Test
    void moreThanTwoToThe31ElementsTakeSeveralLaunchesOfOneKernel() {
        List<CudaLaunch> launches = Kernels.launches(sum(70_000, 65_536)); // 4.6 billion
        assertThat(launches).hasSize(3);
        assertThat(launches.stream().map(CudaLaunch::source).distinct()).hasSize(1);
        // 32752 rows, a multiple of 16 below 2^31 / 65536
        assertThat(launches.get(1).arguments())
                .contains(new Address(0, 32_752L * 65_536 * 4), new Address(1, 32_752L * 4));
    }

    private static Expr sum(long rows, long columns) {
        return Expr.apply(Ops.ADD, Kernels.input(DType.FLOAT32, rows, columns), Kernels.input(DType.FLOAT32, rows, 1));
    }
}
