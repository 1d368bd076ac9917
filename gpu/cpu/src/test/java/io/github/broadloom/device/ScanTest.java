package io.github.broadloom.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Along;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.Lines;
import io.github.broadloom.expr.ops.LineOp.Kind;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.kernels.reduce.ScanCarry;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scans: the order of their joins, and that chunks of rows go on where the ones before end. */
class ScanTest {
    private static final Backend CPU = Devices.backend(Device.CPU);

    private static Along scan(Kind kind, Expr x, int dim) {
        return (Along)
                switch (kind) {
                    case CUMSUM -> Lines.cumsum(x, dim);
                    case CUMPROD -> Lines.cumprod(x, dim);
                    case CUMMAX -> Lines.cummax(x, dim).values();
                    case CUMMAX_INDICES -> Lines.cummax(x, dim).indices();
                    case CUMMIN -> Lines.cummin(x, dim).values();
                    default -> Lines.cummin(x, dim).indices();
                };
    }

    /** Gaussian numbers of many magnitudes, so that every other order of the sums would show, and many equal ones. */
    private static Tensor values(long seed, DType dtype, long... shape) {
        Random random = new Random(seed);
        int count = 1;
        for (long size : shape) {
            count *= (int) size;
        }
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextBoolean()
                    ? random.nextGaussian() * Math.pow(10, random.nextInt(6))
                    : random.nextInt(5) - 2;
        }
        if (dtype.isFloatingPoint() && count > 40) {
            values[count / 2] = -0.0;
            values[count - 3] = Double.NaN;
        }
        return Tensors.copyOf(values, shape).to(dtype);
    }

    /** The definition: the aligned blocks of the first {@code rows} values, each by halves, from the left. */
    private static double prefix(double[] line, int rows, DoubleBinaryOperator join) {
        int length = Integer.highestOneBit(rows);
        double total = block(line, 0, length, join);
        for (int at = length; at < rows; at += length) {
            length = Integer.highestOneBit(rows - at);
            total = join.applyAsDouble(total, block(line, at, length, join));
        }
        return total;
    }

    private static double block(double[] line, int at, int length, DoubleBinaryOperator join) {
        int half = length / 2;
        return length == 1
                ? line[at]
                : join.applyAsDouble(block(line, at, half, join), block(line, at + half, half, join));
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"CUMSUM", "CUMPROD"})
    void prefixesAreTheAlignedBlocksFromTheLeft(Kind kind) {
        DoubleBinaryOperator join = kind == Kind.CUMSUM ? Double::sum : (a, b) -> a * b;
        for (long[] shape : new long[][] {{1}, {700}, {3, 70, 5}, {2, 131, 60}, {40, 7}, {5, 9, 300}}) {
            Tensor x = values(1, DType.FLOAT64, shape);
            for (int dim = 0; dim < shape.length; dim++) {
                Tensor result = CPU.evaluate(scan(kind, Input.of(x), dim), 2);
                int last = shape.length - 1;
                int rows = (int) shape[dim];
                Tensor lines = x.movedim(dim, last).contiguous().view(x.numel() / rows, rows);
                Tensor prefixes = result.movedim(dim, last).contiguous().view(x.numel() / rows, rows);
                for (long line = 0; line < x.numel() / rows; line++) {
                    double[] values = lines.select(0, line).toDoubleArray();
                    double[] got = prefixes.select(0, line).toDoubleArray();
                    for (int row = 0; row < rows; row++) {
                        double expected = prefix(values, row + 1, join);
                        assertThat(Double.valueOf(got[row]))
                                .isEqualTo(Double.valueOf(kind == Kind.CUMSUM ? expected + 0.0 : expected));
                    }
                }
            }
        }
    }

    @Test
    void theLastRunningSumIsTheSum() {
        for (DType dtype : new DType[] {DType.FLOAT16, DType.FLOAT32, DType.FLOAT64, DType.INT32}) {
            Tensor x = values(2, dtype, 1003, 9);
            Tensor sums = CPU.evaluate(Lines.cumsum(Input.of(x), 0));
            Tensor sum = CPU.evaluate(Expr.reduce(Reduction.SUM, Input.of(x), KeepDim.DROP, 0));
            assertThat(sums.select(0, 1002).values()).isEqualTo(sum.values());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"CUMSUM", "CUMPROD", "CUMMAX", "CUMMAX_INDICES", "CUMMIN", "CUMMIN_INDICES"})
    void chunksGoOnWhereTheOnesBeforeEnd(Kind kind) throws Exception {
        Random random = new Random(3);
        for (DType dtype : DType.values()) {
            sameInChunks(kind, values(4, dtype, 517), random);
            sameInChunks(kind, values(5, dtype, 67, 3, 2).permute(0, 2, 1), random);
            sameInChunks(kind, values(6, dtype, 129, 70), random);
            sameInChunks(kind, values(7, dtype, 70, 129).t(), random);
            sameInChunks(kind, values(8, dtype, 5, 0), random);
        }
    }

    private static void sameInChunks(Kind kind, Tensor x, Random random) throws Exception {
        Along whole = scan(kind, negated(x), 0);
        Tensor expected = CPU.evaluate(whole);
        RowFold fold = RowFold.of(whole);
        long rows = x.shape().size(0);
        for (long first = 0; first < rows; ) {
            long length = Math.min(rows - first, 1 + random.nextInt(random.nextBoolean() ? 5 : (int) rows));
            Along chunk = scan(kind, negated(x.narrow(0, first, length)), 0);
            Tensor got = CPU.scan(chunk, copied(fold.carry(first + length)));
            assertThat(got.values())
                    .as("%s of %s %s, rows %d to %d", kind, x.dtype(), x.shape(), first, first + length)
                    .isEqualTo(expected.narrow(0, first, length).values());
            CPU.partials(chunk, first).forEach(fold::push);
            first += length;
        }
        assertThat(fold.finish().values())
                .isEqualTo(expected.select(0, rows - 1).values());
    }

    /** Work below the scan, which is computed with it. */
    private static Expr negated(Tensor x) {
        return x.dtype() == DType.BOOL
                ? Expr.apply(Op.of("logical_not"), Input.of(x))
                : Expr.apply(Op.of("neg"), Input.of(x));
    }

    private static ScanCarry copied(ScanCarry carry) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(carry);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return (ScanCarry) in.readObject();
        }
    }

    @Test
    void aChunkCarriesNoMoreThanItsOwnRowsJoin() {
        Tensor x = Tensors.ones(255, 4);
        RowFold fold = RowFold.of(scan(Kind.CUMSUM, Input.of(x), 0));
        CPU.partials(scan(Kind.CUMSUM, Input.of(x.narrow(0, 0, 160)), 0), 0).forEach(fold::push);
        CPU.partials(scan(Kind.CUMSUM, Input.of(x.narrow(0, 160, 39)), 0), 160).forEach(fold::push);
        // 199 = 128 + 64 + 4 + 2 + 1
        assertThat(fold.carry(200).vectors()).hasSize(1 + 3);
        assertThat(fold.carry(255).vectors()).hasSize(1 + 3);
        assertThat(fold.carry(256).vectors()).hasSize(5);
        assertThat((double[]) fold.carry(200).vectors().get(0)).containsOnly(192);
    }

    @Test
    void whatIsNoScanOfRowsIsRefused() {
        Input x = Input.of(Tensors.ones(4, 5));
        Along inner = scan(Kind.CUMSUM, x, 1);
        assertThatThrownBy(() -> CPU.scan(inner, ScanCarry.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is no scan along dimension 0");
        assertThatThrownBy(() -> RowFold.of(inner)).isInstanceOf(IllegalArgumentException.class);
        Along median = (Along) Lines.median(Kind.MEDIAN, x);
        assertThatThrownBy(() -> CPU.partials(median, 0)).isInstanceOf(IllegalArgumentException.class);
        RowFold fold = RowFold.of(scan(Kind.CUMSUM, x, 0));
        CPU.partials(scan(Kind.CUMSUM, x, 0), 4)
                .forEach(node -> assertThatThrownBy(() -> fold.push(node)).isInstanceOf(IllegalStateException.class));
    }
}
