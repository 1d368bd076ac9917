package io.github.broadloom.bench;

import io.github.broadloom.cuda.CudaRecording;
import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The CUDA kernels of a workload whose operands are on a GPU. To write them takes neither the GPU nor the operands. */
public final class WorkloadKernels {
    private WorkloadKernels() {}

    /** The kernels, each once, in the order in which they run first. */
    public static List<CudaSource> of(Workload workload) {
        Map<String, Expr> names = new LinkedHashMap<>();
        for (Workload.Operand operand : workload.operands()) {
            names.put(operand.name(), Input.of(CudaRecording.onDevice(operand.dtype(), operand.layout())));
        }
        return CudaRecording.of(ExprParser.parse(workload.text(), names)).sources();
    }
}
