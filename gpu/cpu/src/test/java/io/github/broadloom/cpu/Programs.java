package io.github.broadloom.cpu;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.tensor.Tensor;
import java.util.LinkedHashMap;
import java.util.Map;

/** Expressions over named tensors, and results to compare bit by bit. */
final class Programs {

    private Programs() {}

    static Expr parse(String text, Map<String, Tensor> names) {
        Map<String, Expr> inputs = new LinkedHashMap<>();
        names.forEach((name, tensor) -> inputs.put(name, Input.of(tensor)));
        return ExprParser.parse(text, inputs);
    }

    /** The bits of each element, of float16 as float32; every NaN has the same. */
    static int[] bits(Tensor tensor) {
        float[] values = tensor.to(DType.FLOAT32).toFloatArray();
        int[] bits = new int[values.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Float.floatToIntBits(values[i]);
        }
        return bits;
    }
}
