package io.github.broadloom.cuda;

import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.cuda.code.CudaLaunch;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.driver.DryRunStream;
import io.github.broadloom.device.Backend.Detail;
import io.github.broadloom.device.DryRunMemory;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.expr.rewrite.Simplifier;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a GPU would do for an expression, found out by evaluating it in a dry run: the kernels are those that run, and no device, no driver and
 * none of the elements is needed. Where tensors of this JVM go in pieces, the first piece and the last stand for all.
 */
public final class CudaRecording {
    private final List<Part> parts = new ArrayList<>();

    private record Part(String title, List<DryRunStream.Step> steps) {}

    private CudaRecording() {}

    /** A tensor of this JVM to record with, without elements. */
    public static Tensor here(DType dtype, Layout layout) {
        return DryRunMemory.tensor(dtype, layout);
    }

    /** A tensor of a GPU to record with, without elements, as well aligned as one can be. */
    public static Tensor onDevice(DType dtype, Layout layout) {
        return DryRunStream.there(dtype, layout);
    }

    /**
     * What evaluating an expression takes.
     *
     * @param expr over tensors of this JVM or of one GPU, with elements or without; what is no tensor stands for a contiguous one of this JVM
     */
    public static CudaRecording of(Expr expr) {
        CudaRecording recording = new CudaRecording();
        recording.add(Simplifier.simplify(withTensors(expr)));
        return recording;
    }

    /**
     * What it takes to write the value of an expression to a tensor of a GPU; see {@link io.github.broadloom.device.Backend#evaluateInto}.
     *
     * @param expr over tensors, with elements or without
     * @param target of the GPU, through whose strides it is written
     */
    public static CudaRecording ofWriting(Expr expr, Tensor target) {
        CudaRecording recording = new CudaRecording();
        Expr simplified = Simplifier.simplify(expr);
        recording.record("", evaluation -> evaluation.evaluateInto(simplified, target));
        return recording;
    }

    /**
     * What the partial results of reductions over a chunk of rows take; see {@link io.github.broadloom.device.Backend#partials}.
     *
     * @param chunk reductions over tensors of this JVM, with elements or without
     */
    public static CudaRecording ofPartials(List<Reduce> chunk, long firstRow) {
        CudaRecording recording = new CudaRecording();
        for (ChunkPartials.Part part : ChunkPartials.parts(RowFold.simplified(chunk), firstRow)) {
            recording.record("", evaluation -> evaluation.partials(part.chunk(), part.firstRow()));
        }
        return recording;
    }

    /** As {@link #ofPartials(List, long)}, of a scan along the rows: nothing where the CPU computes it. */
    public static CudaRecording ofPartials(Along chunk, long firstRow) {
        return RowFold.simplified(chunk)
                .total()
                .map(total -> ofPartials(List.of(total), firstRow))
                .orElseGet(CudaRecording::new);
    }

    /** What it takes to find so many of the {@linkplain io.github.broadloom.device.LeastProducts least products} of each row. */
    public static CudaRecording ofLeastProducts(Tensor rows, Tensor columns, int count) {
        CudaRecording recording = new CudaRecording();
        DryRunStream stream = new DryRunStream();
        try (CudaLeastProducts.Search search =
                new CudaLeastProducts.Search(stream, rows, columns.shape(), count, CudaLeastProducts.Limits.USUAL)) {
            search.among(onDevice(columns.dtype(), columns.layout()), 0);
        }
        recording.parts.add(new Part("", stream.steps()));
        return recording;
    }

    private static Expr withTensors(Expr expr) {
        boolean complete = expr.inputs().stream().allMatch(input -> input.source() instanceof Tensor);
        return complete ? expr : expr.mapInputs(CudaRecording::withTensor);
    }

    private static Input withTensor(Input input) {
        if (input.source() instanceof Tensor tensor) {
            return tensor.device().isCpu() ? Input.of(here(tensor.dtype(), tensor.layout())) : input;
        }
        return Input.of(here(input.dtype(), Layout.contiguous(input.shape())));
    }

    private void add(Expr root) {
        boolean there = root.device().type().equals("cuda");
        Optional<RowCut> cut = there ? Optional.empty() : HostEvaluation.cut(root);
        long rows = cut.map(RowCut::rows).orElse(0L);
        long each = cut.map(HostEvaluation::pieceRows).orElse(0L);
        if (rows <= each) {
            record("", root);
            return;
        }
        long rest = rows % each;
        record(
                (rows + each - 1) / each + " pieces of " + each + " rows:",
                cut.orElseThrow().rows(0, each));
        if (rest > 0) {
            record("the last piece, of " + rest + " rows:", cut.orElseThrow().rows(rows - rest, rows));
        }
    }

    private void record(String title, Expr root) {
        record(title, evaluation -> evaluation.evaluate(root));
    }

    private void record(String title, Consumer<CudaEvaluation> work) {
        DryRunStream stream = new DryRunStream();
        try (CudaEvaluation evaluation = new CudaEvaluation(stream, Map.of())) {
            work.accept(evaluation);
        }
        parts.add(new Part(title, stream.steps()));
    }

    /** The kernels, each once, in the order in which they run first. */
    public List<CudaSource> sources() {
        return parts.stream()
                .flatMap(part -> part.steps.stream())
                .flatMap(step -> sources(step).stream())
                .distinct()
                .toList();
    }

    private static List<CudaSource> sources(DryRunStream.Step step) {
        return step.pass()
                .map(pass -> pass.launches().stream()
                        .map(CudaLaunch::source)
                        .distinct()
                        .toList())
                .orElse(List.of());
    }

    /** A line for each step, under it the CUDA C of its kernels if wanted. */
    public String describe(Detail detail) {
        StringBuilder out = new StringBuilder();
        for (Part part : parts) {
            if (!part.title.isEmpty()) {
                out.append(part.title).append('\n');
            }
            for (DryRunStream.Step step : part.steps) {
                out.append(step.text().get()).append('\n');
                if (detail == Detail.SOURCE) {
                    sources(step).forEach(source -> out.append(source.text().indent(4)));
                }
            }
        }
        return out.toString();
    }
}
