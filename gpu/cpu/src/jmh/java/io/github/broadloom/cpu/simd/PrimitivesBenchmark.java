package io.github.broadloom.cpu.simd;

import io.github.broadloom.kernels.reduce.PairwiseTree;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The functions of arrays that kernels call, on the Vector API and in plain loops, over 1024 elements in the first-level cache: nanoseconds an element. Before it is measured each has run on
 * the same vectors as the others, which is when C2 boxes those of several sizes. {@code -jvmArgsAppend -XX:UseAVX=2} and {@code -XX:MaxVectorSize=16} show narrower processors, and {@code -prof gc}
 * tells of boxed vectors.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class PrimitivesBenchmark {
    private static final int COUNT = 1024;

    /** Enough calls for C2 to have compiled each. */
    private static final int CALLS_BEFORE = 20_000;

    public enum Form {
        VECTORS,
        LOOPS
    }

    public enum Primitive {
        EXP,
        TANH,
        SIGMOID,
        LOG,
        SIN,
        ERF,
        LESS,
        WHERE,
        WHERE_LESS,
        FLOAT32_TO_FLOAT64,
        FLOAT64_TO_FLOAT32,
        FLOAT16_TO_FLOAT32,
        FLOAT32_TO_FLOAT16,
        UINT8_TO_FLOAT32,
        INT32_TO_FLOAT32,
        INT32_TO_FLOAT64,
        ADD_FLOATS,
        ADD_EIGHTS,
        MOMENTS
    }

    @Param
    private Primitive primitive;

    @Param
    private Form form;

    private final float[] x = new float[COUNT + Simd.SPARE];
    private final float[] y = new float[COUNT + Simd.SPARE];
    private final float[] floats = new float[COUNT + Simd.SPARE];
    private final double[] doubles = new double[COUNT];
    private final double[] sums = new double[COUNT];
    private final byte[] bytes = new byte[COUNT];
    private final short[] halves = new short[COUNT];
    private final int[] ints = new int[COUNT];

    private Exponentials exponentials;
    private Sigmoids sigmoids;
    private Logarithms logarithms;
    private Angles angles;
    private Bells bells;
    private Choices choices;
    private Widths widths;
    private Halves conversions;
    private FoldPrimitives folds;

    @Setup
    public void fill() {
        Random random = new Random(1);
        for (int i = 0; i < COUNT; i++) {
            x[i] = (float) random.nextGaussian();
            y[i] = (float) random.nextGaussian();
            doubles[i] = random.nextGaussian();
            bytes[i] = (byte) random.nextInt(2);
            ints[i] = random.nextInt();
        }
        exponentials = twin(Exponentials.class, new ScalarExponentials());
        sigmoids = twin(Sigmoids.class, new ScalarSigmoids());
        logarithms = twin(Logarithms.class, new ScalarLogarithms());
        angles = twin(Angles.class, new ScalarAngles());
        bells = twin(Bells.class, new ScalarBells());
        choices = twin(Choices.class, new ScalarChoices());
        widths = twin(Widths.class, new ScalarWidths());
        conversions = twin(Halves.class, new ScalarHalves());
        folds = twin(FoldPrimitives.class, new FoldPrimitives());
        conversions.float32ToFloat16(x, halves, 0, COUNT);
        for (Primitive other : Primitive.values()) {
            for (int i = 0; i < CALLS_BEFORE; i++) {
                run(other);
            }
        }
    }

    private <T> T twin(Class<T> contract, T loops) {
        return form == Form.LOOPS ? loops : Twins.vector(contract);
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void element() {
        run(primitive);
    }

    private void run(Primitive one) {
        switch (one) {
            case EXP -> exponentials.exp(x, floats, 0, COUNT);
            case TANH -> exponentials.tanh(x, floats, 0, COUNT);
            case SIGMOID -> sigmoids.sigmoid(x, floats, 0, COUNT);
            case LOG -> logarithms.log(x, floats, 0, COUNT);
            case SIN -> angles.sin(x, floats, 0, COUNT);
            case ERF -> bells.erf(x, floats, 0, COUNT);
            case LESS -> choices.lt(x, y, bytes, 0, COUNT);
            case WHERE -> choices.where(bytes, x, y, floats, 0, COUNT);
            case WHERE_LESS -> choices.whereLt(x, y, y, x, floats, 0, COUNT);
            case FLOAT32_TO_FLOAT64 -> widths.float32ToFloat64(x, sums, 0, COUNT);
            case FLOAT64_TO_FLOAT32 -> widths.float64ToFloat32(doubles, floats, 0, COUNT);
            case FLOAT16_TO_FLOAT32 -> conversions.float16ToFloat32(halves, floats, 0, COUNT);
            case FLOAT32_TO_FLOAT16 -> conversions.float32ToFloat16(x, halves, 0, COUNT);
            case UINT8_TO_FLOAT32 -> widths.uint8ToFloat32(bytes, floats, 0, COUNT);
            case INT32_TO_FLOAT32 -> widths.int32ToFloat32(ints, floats, 0, COUNT);
            case INT32_TO_FLOAT64 -> widths.int32ToFloat64(ints, sums, 0, COUNT);
            case ADD_FLOATS -> folds.addFloats(x, sums, COUNT);
            case ADD_EIGHTS -> folds.addEights(x, 0, COUNT / FoldPrimitives.EIGHT, sums);
            case MOMENTS -> folds.moments(doubles, 0, COUNT / PairwiseTree.BLOCK, sums);
        }
    }
}
