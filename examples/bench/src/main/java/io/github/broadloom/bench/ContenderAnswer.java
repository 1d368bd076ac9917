package io.github.broadloom.bench;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.fluent.TensorOps;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A few figures of a result, by which two contenders' results are compared: a benchmark of a wrong result is worth nothing.
 *
 * @param of what the figures are
 */
record ContenderAnswer(Shape shape, Kind of, List<Double> figures) {
    static final int SAMPLES = 512;

    /** The order of a sum, the rounding of float16 and the approximation of a function differ by less; slips by more. */
    private static final double TOLERANCE = 2e-3;

    enum Kind {
        /** Elements at even distances in row-major order, the first and the last among them. */
        SAMPLES,
        /** The mean, the least and the greatest element. */
        MOMENTS
    }

    ContenderAnswer {
        figures = List.copyOf(figures);
    }

    static ContenderAnswer samples(Tensor result) {
        long count = result.numel();
        int samples = (int) Math.min(count, SAMPLES);
        Tensor flat = result.flatten();
        Double[] figures = new Double[samples];
        for (int i = 0; i < samples; i++) {
            long at = samples == 1 ? 0 : i * (count - 1) / (samples - 1);
            figures[i] = number(flat.narrow(0, at, 1).to(Device.CPU).item());
        }
        return new ContenderAnswer(result.shape(), Kind.SAMPLES, Arrays.asList(figures));
    }

    static ContenderAnswer moments(Tensor result) {
        return moments(LazyTensor.of(result), LazyTensor::compute);
    }

    /** The moments of a tensor that lies in chunks, computed where they are. */
    static ContenderAnswer moments(DistributedTensor result) {
        return moments(result, DistributedTensor::collect);
    }

    private static <T extends TensorOps<T>> ContenderAnswer moments(T result, Function<T, Tensor> value) {
        T exact = result.to(DType.FLOAT64);
        List<Double> figures = Stream.of(exact.mean(), exact.amin(), exact.amax())
                .map(moment -> number(value.apply(moment).item()))
                .toList();
        return new ContenderAnswer(result.shape(), Kind.MOMENTS, figures);
    }

    private static double number(Object element) {
        return element instanceof Boolean bit ? (bit ? 1 : 0) : ((Number) element).doubleValue();
    }

    /** In which figure this differs from what is expected; nothing where they agree. */
    Optional<String> differenceFrom(ContenderAnswer expected) {
        if (!shape.equals(expected.shape)) {
            return Optional.of("its result has the shape " + shape + ", Broadloom's " + expected.shape);
        }
        double scale =
                expected.figures.stream().mapToDouble(Math::abs).average().orElse(0);
        for (int i = 0; i < expected.figures.size(); i++) {
            double wanted = expected.figures.get(i);
            double got = i < figures.size() ? figures.get(i) : Double.NaN;
            boolean equal = Double.compare(got, wanted) == 0
                    || Math.abs(got - wanted) <= TOLERANCE * (Math.abs(wanted) + scale);
            if (!equal) {
                return Optional.of(String.format(
                        Locale.ROOT,
                        "its result differs from Broadloom's: figure %d of %d is %.7g instead of %.7g",
                        i + 1,
                        expected.figures.size(),
                        got,
                        wanted));
            }
        }
        return Optional.empty();
    }
}
