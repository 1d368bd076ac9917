package io.github.broadloom.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.NvrtcCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** NVIDIA's compiler looks for a driver in its process, and asks it for more than the rest of this library does. */
@WithFakeGpu
@ExtendWith(NvrtcOrSkip.class)
class NvrtcBesideFakeDriverTest {

    @Test
    void aKernelIsCompiledWhereTheStandInDriverIsLoaded() {
        CudaSource nothing = new CudaSource("nothing", "extern \"C\" __global__ void nothing() {}");
        assertThat(new NvrtcCompiler().compile(nothing, "sm_80")).startsWith(0x7f, 'E', 'L', 'F');
    }
}
