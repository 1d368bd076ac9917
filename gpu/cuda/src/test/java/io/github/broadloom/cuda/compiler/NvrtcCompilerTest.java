package io.github.broadloom.cuda.compiler;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cuda.NvrtcOrSkip;
import io.github.broadloom.cuda.code.CudaSource;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(NvrtcOrSkip.class)
class NvrtcCompilerTest {
    private static final int EM_CUDA = 190;
    private static final String NEWER_THAN_ANY = "sm_999";

    private final CudaCompiler compiler = new NvrtcCompiler();

    private static CudaSource multiplyAndAdd(String entry) {
        return new CudaSource(entry, """
                struct Par { float* y; const float* x; unsigned n; };
                extern "C" __global__ void ENTRY(const Par p) {
                  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
                  if (i < p.n) p.y[i] = p.x[i] * 3.0f + 1.0f;
                }
                """.replace("ENTRY", entry));
    }

    private static int machine(byte[] elf) {
        return ByteBuffer.wrap(elf).order(ByteOrder.LITTLE_ENDIAN).getShort(18);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sm_80", "sm_90"})
    void aKernelBecomesMachineCode(String architecture) {
        byte[] cubin = compiler.compile(multiplyAndAdd("fused"), architecture);
        assertThat(cubin).startsWith(0x7f, 'E', 'L', 'F');
        assertThat(machine(cubin)).isEqualTo(EM_CUDA);
        assertThat(new String(cubin, ISO_8859_1)).contains("fused");
    }

    @Test
    void aNewerDeviceGetsWhatItsDriverCanTranslate() {
        String ptx = new String(compiler.compile(multiplyAndAdd("fused"), NEWER_THAN_ANY), ISO_8859_1);
        List<Integer> known = NvrtcLibrary.load().architectures();
        assertThat(ptx)
                .contains(".visible .entry fused", ".target sm_" + known.get(known.size() - 1))
                .endsWith("\0");
    }

    @Test
    void productsAreRoundedBeforeTheyAreAdded() {
        String ptx = new String(compiler.compile(multiplyAndAdd("fused"), NEWER_THAN_ANY), ISO_8859_1);
        assertThat(ptx).contains("mul", "add").doesNotContain("fma");
    }

    @Test
    void anOlderDeviceThanItKnowsIsRefused() {
        assertThatThrownBy(() -> compiler.compile(multiplyAndAdd("fused"), "sm_10"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageMatching("Cannot compile kernel fused for sm_10: NVRTC [\\d.]+ begins at sm_\\d+; "
                        + "set broadloom\\.nvrtc\\.path to an earlier one");
    }

    @Test
    void whatIsNoArchitectureIsRefused() {
        assertThatThrownBy(() -> compiler.compile(multiplyAndAdd("fused"), "hopper"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Cannot compile for architecture: hopper; give sm_ and a number, as in sm_90");
    }

    @Test
    void aWrongKernelComesBackWithTheLogAndItsNumberedSource() {
        CudaSource wrong = new CudaSource("wrong", "extern \"C\" __global__ void wrong(float* x) {\n  x[0] = y;\n}\n");
        assertThatThrownBy(() -> compiler.compile(wrong, "sm_90"))
                .isInstanceOf(CudaCompileException.class)
                .hasMessageStartingWith("Cannot compile kernel wrong for sm_90: NVRTC ")
                .hasMessageContaining("wrong.cu(2): error: identifier \"y\" is undefined")
                .hasMessageContaining("   2    x[0] = y;");
    }

    @Test
    void functionsAreForTheDeviceUnlessTheySayOtherwise() {
        String helper = "float twice(float x) { return x + x; }\n";
        CudaSource source =
                new CudaSource("helped", helper + "extern \"C\" __global__ void helped(float* x) { *x = twice(*x); }");
        assertThat(compiler.compile(source, "sm_90")).isNotEmpty();
    }

    @Test
    void equalSourcesBecomeEqualMachineCode() {
        assertThat(compiler.compile(multiplyAndAdd("same"), "sm_90"))
                .isEqualTo(compiler.compile(multiplyAndAdd("same"), "sm_90"));
    }

    @Test
    void theVersionIsKnownBeforeTheLibraryIsLoaded() {
        assertThat(compiler.version()).contains(NvrtcLibrary.load().version());
    }

    @Test
    void severalThreadsCompileAtOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<byte[]>> cubins = new ArrayList<>();
            for (int i = 0; i < 24; i++) {
                String entry = "thread" + i;
                String architecture = i % 2 == 0 ? "sm_80" : "sm_90";
                cubins.add(threads.submit(() -> compiler.compile(multiplyAndAdd(entry), architecture)));
            }
            for (int i = 0; i < 24; i++) {
                assertThat(new String(cubins.get(i).get(), ISO_8859_1)).contains("thread" + i);
            }
        } finally {
            threads.shutdown();
        }
    }
}
