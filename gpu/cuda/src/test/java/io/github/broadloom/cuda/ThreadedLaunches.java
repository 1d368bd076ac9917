package io.github.broadloom.cuda;

import io.github.broadloom.cuda.code.CudaLaunch;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.code.LaunchPlan;
import io.github.broadloom.cuda.code.LineLaunches;
import io.github.broadloom.cuda.code.PointwiseLaunches;
import io.github.broadloom.cuda.code.ProductLaunches;
import io.github.broadloom.cuda.code.ReductionLaunches;
import io.github.broadloom.cuda.code.ScanLaunches;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.expr.rewrite.Simplifier;
import io.github.broadloom.kernels.LineProgram;
import io.github.broadloom.kernels.LoopNest;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Launches as a program with a real thread for each of a block ({@code cuda-threads.h}), which ThreadSanitizer watches.
 *
 * @param numbers of the program
 * @param bytes of each operand's buffer, then of the result's
 */
record ThreadedLaunches(List<CudaLaunch> launches, List<Object> numbers, List<Long> bytes, long scratchBytes) {
    private static final String LANGUAGE = "-- the language\n";
    private static final List<String> OPTIONS =
            List.of("-O1", "-g", "-fsanitize=thread", "-ffp-contract=off", "-pthread");

    /** Where the first buffer lies: an address that ThreadSanitizer leaves to a program. */
    private static final long FIRST_ADDRESS = 0x10_0000_0000L;

    private static final long DISTANCE = 0x1_0000_0000L;

    /** Of a grid so many blocks from its start run, and so many at its end. */
    private static final int ENDS = 2;

    private static final int ALIGNED = 16;

    /** Why no program can be built here: one sentence; empty where it can. */
    static Optional<String> missing() {
        if (HostBuild.missing().isPresent()) {
            return HostBuild.missing();
        }
        try {
            HostBuild.program("int main() { return 0; }\n", OPTIONS);
            return Optional.empty();
        } catch (IllegalStateException e) {
            return Optional.of("g++ has no ThreadSanitizer on this machine");
        }
    }

    /** The launches of an expression: of its lines, its reduction, its scan or its product of two matrices where it has one, else of all of it. */
    static ThreadedLaunches of(String text, Map<String, Layout> layouts, DType dtype) {
        Map<String, Expr> names = new LinkedHashMap<>();
        layouts.forEach((name, layout) -> names.put(name, Input.of(name, dtype, layout.shape())));
        Expr expr = Simplifier.simplify(ExprParser.parse(text, names));
        Optional<LineProgram> lines = LineProgram.of(expr, leaf -> false);
        if (lines.isPresent()) {
            return ofLines(lines.get(), layouts, expr);
        }
        for (Expr part : expr.postOrder()) {
            if (part instanceof Reduce reduce) {
                PointwiseProgram program = PointwiseProgram.of(reduce.operand());
                LaunchPlan found = ReductionLaunches.of(
                        program.spec(), List.of(reduce), operands(program, layouts), alignments(program));
                return of(found.launches(), program, layouts, reduce, found.scratchBytes());
            }
            if (part instanceof Along scan) {
                PointwiseProgram program = PointwiseProgram.of(scan.operand());
                LaunchPlan found =
                        ScanLaunches.of(program.spec(), scan, operands(program, layouts), alignments(program));
                return of(found.launches(), program, layouts, scan, found.scratchBytes());
            }
        }
        if (expr.postOrder().stream().anyMatch(Contraction.class::isInstance)) {
            return ofProduct(dtype, List.copyOf(layouts.values()), expr.shape());
        }
        PointwiseProgram program = PointwiseProgram.of(expr);
        LoopNest nest = LoopNest.of(Layout.contiguous(expr.shape()), operands(program, layouts));
        return of(PointwiseLaunches.of(program.spec(), nest, alignments(program)), program, layouts, expr, 0);
    }

    private static ThreadedLaunches ofLines(LineProgram lines, Map<String, Layout> layouts, Expr result) {
        List<Layout> operands = operands(lines.leaves(), layouts);
        CudaLaunch launch =
                LineLaunches.of(lines, operands, alignments(operands)).orElseThrow();
        return new ThreadedLaunches(List.of(launch), lines.numbers(), bytes(lines.leaves(), operands, result), 0);
    }

    private static ThreadedLaunches ofProduct(DType dtype, List<Layout> matrices, Shape result) {
        List<Layout> batches = Stream.concat(matrices.stream(), Stream.of(Layout.contiguous(result)))
                .map(layout -> layout.unsqueeze(0))
                .toList();
        LaunchPlan found = ProductLaunches.of(dtype, batches.get(0), batches.get(1), batches.get(2));
        List<Long> bytes = batches.stream()
                .map(layout -> dtype.sizeBytes(layout.shape().numel()))
                .toList();
        return new ThreadedLaunches(found.launches(), List.of(), bytes, found.scratchBytes());
    }

    /** The launch that keeps the least of the rows of a matrix. */
    static ThreadedLaunches ofLeast(long rows, long columns, int count) {
        List<Long> bytes = List.of(rows * columns * Float.BYTES, rows * count * Long.BYTES);
        return new ThreadedLaunches(List.of(KernelSources.ofLeast(rows, columns, count)), List.of(0), bytes, 0);
    }

    private static ThreadedLaunches of(
            List<CudaLaunch> launches,
            PointwiseProgram program,
            Map<String, Layout> layouts,
            Expr result,
            long scratch) {
        List<Layout> operands = operands(program, layouts);
        return new ThreadedLaunches(launches, program.numbers(), bytes(program.leaves(), operands, result), scratch);
    }

    private static List<Long> bytes(List<Expr> leaves, List<Layout> operands, Expr result) {
        List<Long> bytes = new ArrayList<>();
        for (int k = 0; k < operands.size(); k++) {
            bytes.add(leaves.get(k).dtype().sizeBytes(operands.get(k).maxElement() + 1));
        }
        bytes.add(result.dtype().sizeBytes(result.shape().numel()));
        return bytes;
    }

    private static List<Layout> operands(PointwiseProgram program, Map<String, Layout> layouts) {
        return operands(program.leaves(), layouts);
    }

    private static List<Layout> operands(List<Expr> leaves, Map<String, Layout> layouts) {
        return leaves.stream()
                .map(leaf -> layouts.get((String) ((Input) leaf).source()))
                .toList();
    }

    private static int[] alignments(PointwiseProgram program) {
        return alignments(program.leaves());
    }

    /** Of operands and the result. */
    private static int[] alignments(List<?> operands) {
        int[] alignments = new int[operands.size() + 1];
        Arrays.fill(alignments, ALIGNED);
        return alignments;
    }

    /** The same with other texts. */
    ThreadedLaunches with(UnaryOperator<String> change) {
        List<CudaLaunch> changed = launches.stream()
                .map(launch -> new CudaLaunch(
                        new CudaSource(
                                launch.source().entry(),
                                change.apply(launch.source().text())),
                        launch.blocks(),
                        launch.threads(),
                        launch.arguments()))
                .toList();
        return new ThreadedLaunches(changed, numbers, bytes, scratchBytes);
    }

    /** What is wrong with them, as the program and ThreadSanitizer tell it; empty where nothing is. */
    String complaint() throws IOException, InterruptedException {
        Path program = HostBuild.program(text(), OPTIONS);
        Process process = new ProcessBuilder("timeout", "120", program.toString())
                .redirectErrorStream(true)
                .start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : told;
    }

    private String text() {
        String host = HostBuild.resource("cuda-host.h");
        StringBuilder text = new StringBuilder(HostBuild.resource("cuda-threads.h"))
                .append(host.substring(host.indexOf(LANGUAGE) + LANGUAGE.length()));
        Set<CudaSource> sources = new LinkedHashSet<>();
        launches.forEach(launch -> sources.add(launch.source()));
        sources.forEach(source -> text.append(HostCompiler.inNamespace(source)));
        text.append("\nint main() {\n");
        long[] addresses = new long[bytes.size() + 2];
        for (int slot = 0; slot < addresses.length; slot++) {
            addresses[slot] = FIRST_ADDRESS + slot * DISTANCE;
            boolean operand = slot < bytes.size() - 1;
            boolean error = slot == bytes.size();
            long size = slot < bytes.size() ? bytes.get(slot) : error ? Integer.BYTES : scratchBytes;
            text.append(
                    "    cuda_host::buffer(%dull, %dull, %b, %b);\n".formatted(addresses[slot], size, operand, error));
        }
        for (CudaLaunch launch : launches) {
            String parameters = Arrays.toString(launch.parameters(addresses, numbers))
                    .replace('[', '{')
                    .replace(']', '}');
            text.append("    { static const signed char parameters[] = %s;\n".formatted(parameters))
                    .append(
                            "    cuda_host::run(&%s::%s, reinterpret_cast<const unsigned char*>(parameters), %d, %d, %d); }\n"
                                    .formatted(
                                            HostCompiler.namespace(launch.source()),
                                            launch.source().entry(),
                                            launch.blocks(),
                                            launch.threads(),
                                            ENDS));
        }
        return text.append("    return cuda_host::told();\n}\n").toString();
    }
}
