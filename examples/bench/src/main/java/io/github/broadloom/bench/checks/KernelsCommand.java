package io.github.broadloom.bench.checks;

import io.github.broadloom.bench.GpuWorkloads;
import io.github.broadloom.bench.Workload;
import io.github.broadloom.bench.WorkloadKernels;
import io.github.broadloom.bench.Workloads;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.Tool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "kernels",
        header = "Prints what nvcc says of the benchmark's CUDA kernels: Markdown.",
        description =
                "Registers, spills, loads and the share of an H200's bandwidth that these allow: of W1 to W10, G1 to G17, and reductions,"
                        + " a running sum and softmax in float32 and float16. Takes nvcc, and no GPU.",
        footer = {"  ${ROOT-COMMAND-NAME} kernels", "  ${ROOT-COMMAND-NAME} kernels --nvcc /opt/cuda/bin/nvcc"})
final class KernelsCommand extends Tool {
    private static final String HOPPER = "sm_90";
    private static final long SIDE = 1 << 14;

    /** Of a softmax, whose lines stay in shared memory. */
    private static final long LINE = 1 << 12;

    /** Of a multiprocessor of an H100 or H200. */
    private static final int REGISTERS = 1 << 16;

    private static final int THREADS = 2048;
    private static final int BLOCKS = 32;
    private static final int SHARED_BYTES = 227 << 10;

    /** What the driver takes of a block's shared memory. */
    private static final int RESERVED_BYTES = 1 << 10;

    /** An H200: 4.8 TB in a second, which take 600 ns to come, for 132 multiprocessors. */
    private static final double BYTES_TO_BE_IN_FLIGHT = 4.8e12 * 600e-9 / 132;

    @Option(
            names = "--nvcc",
            paramLabel = "FILE",
            defaultValue = "",
            description = "The compiler (default: the toolkit's).")
    @SuppressWarnings("NullAway.Init") // picocli fills in the default
    private String nvcc;

    @Override
    public Integer call() throws IOException {
        List<String> names = new ArrayList<>();
        List<CudaSource> sources = new ArrayList<>();
        workloads().forEach(workload -> {
            List<CudaSource> kernels = WorkloadKernels.of(workload);
            for (int i = 0; i < kernels.size(); i++) {
                names.add(workload.name() + (kernels.size() == 1 ? "" : " " + (i + 1) + "/" + kernels.size()));
                sources.add(kernels.get(i));
            }
        });
        List<NvccKernels.Kernel> kernels = NvccKernels.of(sources, NvccKernels.find(nvcc), HOPPER);
        Console console = console();
        console.say("| kernel | | registers | spilled bytes | loads | threads | share |");
        console.say("|---|---|---:|---:|---|---:|---:|");
        for (int i = 0; i < kernels.size(); i++) {
            NvccKernels.Kernel kernel = kernels.get(i);
            console.say(
                    "| %s | `%s` | %d | %d | %s | %d | %.0f %% |",
                    names.get(i),
                    sources.get(i).entry(),
                    kernel.registers(),
                    kernel.spilledBytes(),
                    kernel.loads(),
                    threads(kernel),
                    100 * share(kernel));
        }
        return 0;
    }

    private static Stream<Workload> workloads() {
        Stream<Workload> lines = Stream.of("sum", "mean", "var", "argmax", "cumsum", "softmax")
                .flatMap(name -> Stream.of(DType.FLOAT32, DType.FLOAT16).map(dtype -> alongRows(name, dtype)));
        return Stream.of(Workloads.all().stream(), GpuWorkloads.of(SIDE * SIDE).stream(), lines)
                .flatMap(all -> all);
    }

    private static Workload alongRows(String name, DType dtype) {
        long length = name.equals("softmax") ? LINE : SIDE;
        Shape shape = Shape.of(SIDE * SIDE / length, length);
        Workload.Operand x = new Workload.Operand("x", dtype, shape, false);
        return new Workload(name + " " + dtype, "", name + "(x, dim=-1)", x);
    }

    /** How many run at once on a multiprocessor. */
    static int threads(NvccKernels.Kernel kernel) {
        int registers = (kernel.registers() + 7) / 8 * 8 * kernel.threads();
        int byShared = SHARED_BYTES / (kernel.sharedBytes() + RESERVED_BYTES);
        int blocks = Math.min(Math.min(REGISTERS / registers, byShared), Math.min(BLOCKS, THREADS / kernel.threads()));
        return blocks * kernel.threads();
    }

    /** The share of the bandwidth that the bytes in flight allow; arithmetic may leave less. */
    static double share(NvccKernels.Kernel kernel) {
        return Math.min(1, threads(kernel) * (double) kernel.bytesInFlight() / BYTES_TO_BE_IN_FLIGHT);
    }
}
