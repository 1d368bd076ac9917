package io.github.broadloom.bench;

import static io.github.broadloom.dtype.DType.FLOAT16;
import static io.github.broadloom.dtype.DType.FLOAT32;
import static io.github.broadloom.dtype.DType.UINT8;

import io.github.broadloom.bench.Workload.Operand;
import io.github.broadloom.bench.Workload.Place;
import io.github.broadloom.cuda.driver.CudaMemory;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Memory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Pointwise workloads that the memory of a GPU limits, over tensors of so many elements: every way in which an operand broadcasts, and three dtypes; a chain of ten
 * operations; and one over tensors of this process.
 */
public final class GpuWorkloads {
    /** Sides of matrices are multiples of it: rows are whole packets of every dtype, and triples. */
    private static final long STEP = 48;

    /** No tensor has more than 2³⁰ elements, 4 GiB of float32. */
    private static final long MOST_ELEMENTS = 1L << 30;

    /** Of memory: a workload has three float32 tensors at once, a compiler's or a reader's copies, and the room that pools take. */
    private static final long BYTES_AN_ELEMENT = 12 * Float.BYTES;

    private GpuWorkloads() {}

    /** How many elements the tensors have on a device: as many as its memory, and this process's, which computes what to compare with, can take. */
    public static long elements(Device device) {
        long host = Memory.limitBytes() / BYTES_AN_ELEMENT;
        long there = device.isCpu() ? host : CudaMemory.limitBytes(device) / BYTES_AN_ELEMENT;
        return Math.max(STEP * STEP, Math.min(MOST_ELEMENTS, Math.min(host, there)));
    }

    /** {@code G1} to {@code G17}, over tensors of about so many elements, at least {@code 48 * 48}. */
    public static List<Workload> of(long elements) {
        long side = Math.max(STEP, (long) Math.sqrt(elements) / STEP * STEP);
        List<Workload> all = new ArrayList<>();
        for (DType dtype : new DType[] {FLOAT32, FLOAT16, UINT8}) {
            ofDType(dtype, side, all);
        }
        Shape flat = Shape.of(side * side);
        Operand x = new Operand("x", FLOAT32, flat, false);
        all.add(new Workload("G16", "a chain of ten operations", chain(), x));
        String there = "tensors of this process, there and back";
        all.add(new Workload("G17", there, "x * 2 + 1", List.of(x), Place.HERE, Map.of()));
        return all;
    }

    /** Five workloads; bytes become float32, beside which the operand that broadcasts is of that dtype. */
    private static void ofDType(DType dtype, long side, List<Workload> into) {
        DType other = dtype == UINT8 ? FLOAT32 : dtype;
        String x = dtype == UINT8 ? "float32(x)" : "x";
        String of = dtype == UINT8 ? "uint8 to float32" : dtype.toString();
        Shape square = Shape.of(side, side);
        Operand whole = new Operand("x", dtype, square, false);
        Operand y = new Operand("y", dtype, square, false);
        add(into, of + ", contiguous", x + " + y", whole, y);
        add(into, of + ", a row", x + " - y", whole, new Operand("y", other, Shape.of(side), false));
        add(into, of + ", a column", x + " - y", whole, new Operand("y", other, Shape.of(side, 1), false));
        Operand inTriples = new Operand("x", dtype, Shape.of(side, side / 3, 3), false);
        add(into, of + ", inner 3", x + " - y", inTriples, new Operand("y", other, Shape.of(3), false));
        add(into, of + ", transposed", x + " + y", new Operand("x", dtype, square, true), y);
    }

    private static void add(List<Workload> into, String title, String text, Operand x, Operand y) {
        into.add(new Workload("G" + (into.size() + 1), title, text, x, y));
    }

    /** Five times a multiplication and an addition. */
    private static String chain() {
        String text = "x";
        for (int i = 1; i <= 5; i++) {
            text = "(" + text + " * 0.9" + i + " + 0." + i + ")";
        }
        return text;
    }
}
