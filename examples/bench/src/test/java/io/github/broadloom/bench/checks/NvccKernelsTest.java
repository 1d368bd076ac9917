package io.github.broadloom.bench.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.cuda.code.CudaSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What nvcc 13 says of kernels, as it says it. */
class NvccKernelsTest {
    private static final String SAID = """
            ptxas info    : Function properties for _ZN8kernel103addENS_3ParE
                0 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
            ptxas info    : Used 90 registers, used 1 barriers, 9216 bytes smem
            """;
    private static final String PTX = """
            .visible .entry _ZN8kernel103addENS_3ParE(
            .param .align 8 .b8 p[24]
            )
            .maxntid 128
            {
            	ld.global.cs.v4.u32 	{%r1, %r2, %r3, %r4}, [%rd1];
            	ld.global.nc.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd2];
            	ld.global.nc.u16 	%rs1, [%rd3];
            	@%p1 bra 	$L__BB0_2;
            	ld.global.nc.f32 	%f9, [%rd4];
            $L__BB0_2:
            	ld.shared.v4.f32 	{%f1, %f2, %f3, %f4}, [%rd5];
            	ret;
            }
            """;

    @Test
    void registersSpillsSharedMemoryAndTheLoadsBetweenBranchesAreRead() {
        List<CudaSource> sources = new ArrayList<>();
        for (int i = 0; i <= 10; i++) {
            sources.add(new CudaSource("add", "void __launch_bounds__(128, 4) add() {}"));
        }
        String every = "";
        for (int i = 0; i < 10; i++) {
            every += SAID.replace("8kernel10", "7kernel" + i);
        }
        NvccKernels.Kernel kernel = NvccKernels.read(sources, every + SAID, PTX).get(10);
        assertThat(kernel).isEqualTo(new NvccKernels.Kernel(128, 90, 12, 9216, List.of(16, 16, 2)));
        assertThat(kernel.loads()).isEqualTo("2 × 16 B, 1 × 2 B");
    }

    /** 96 registers of 128 threads leave room for five blocks, and 640 threads with 34 bytes each are 21,760 of the 21,818 wanted. */
    @Test
    void theShareIsThatOfTheBytesInFlight() {
        NvccKernels.Kernel kernel = new NvccKernels.Kernel(128, 90, 12, 9216, List.of(16, 16, 2));
        assertThat(KernelsCommand.threads(kernel)).isEqualTo(640);
        assertThat(KernelsCommand.share(kernel)).isBetween(0.99, 1.0);
    }
}
