package io.github.broadloom.tools.commands;

import io.github.broadloom.nearest.VectorMetric;
import java.util.Locale;
import picocli.CommandLine.Option;

/** {@code --metric}. */
@SuppressWarnings("NullAway.Init") // picocli sets the field
final class MetricOption {
    @Option(
            names = "--metric",
            paramLabel = "METRIC",
            defaultValue = "euclidean",
            description =
                    "The distance: euclidean, sqeuclidean, manhattan, chebyshev, cosine or inner_product (default:"
                            + " ${DEFAULT-VALUE}).")
    private VectorMetric metric;

    VectorMetric value() {
        return metric;
    }

    /** As a text names it. */
    String words() {
        return metric.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
