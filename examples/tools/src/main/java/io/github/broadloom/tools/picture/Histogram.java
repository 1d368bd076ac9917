package io.github.broadloom.tools.picture;

import java.util.Arrays;
import java.util.Locale;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * How often values fall into each of some equal ranges, from zero on, or from the least, where that is negative. What is not finite is left out, and so is a long
 * tail, which the title then tells.
 */
final class Histogram {
    private static final int BINS = 50;
    private static final double SHOWN = 0.995;

    /** What is less negative, beside the greatest value, is what rounding left of zero. */
    private static final double ROUNDING = 1e-9;

    private final double least;
    private final double most;
    private final long[] counts = new long[BINS];
    private final double beyond;

    Histogram(double[] values) {
        double[] sorted =
                Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
        double last = sorted.length == 0 ? 1 : sorted[(int) ((sorted.length - 1) * SHOWN)];
        boolean isNegative = sorted.length > 0 && sorted[0] < -ROUNDING * Math.abs(last);
        double first = isNegative ? sorted[0] : 0;
        double bin = last > first ? round((last - first) / BINS) : 1.0 / BINS;
        least = Math.floor(first / bin) * bin;
        most = least + BINS * (least + BINS * bin < last ? round(1.01 * bin) : bin);
        int shown = 0;
        for (double value : sorted) {
            if (value <= most) {
                counts[(int) Math.min(BINS - 1, Math.max(0, (value - least) / (most - least) * BINS))]++;
                shown++;
            }
        }
        beyond = sorted.length == 0 ? 0 : 1 - (double) shown / sorted.length;
    }

    /** The next of 1, 2 and 5 times a power of ten, so that ticks between the ranges are round. */
    private static double round(double value) {
        double decade = Math.pow(10, Math.floor(Math.log10(value)));
        double digit = value / decade;
        return decade * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
    }

    /** The counts as an outline that is filled. */
    XYChart chart(int width, int height, String title, String x, String y) {
        double[] edges = new double[2 * BINS + 2];
        double[] heights = new double[2 * BINS + 2];
        for (int bin = 0; bin <= BINS; bin++) {
            edges[2 * bin] = least + (most - least) * bin / BINS;
            edges[2 * bin + 1] = edges[2 * bin];
            heights[2 * bin] = bin == 0 ? 0 : counts[bin - 1];
            heights[2 * bin + 1] = bin == BINS ? 0 : counts[bin];
        }
        String tail = beyond == 0 ? "" : String.format(Locale.ROOT, " (%.1f %% are farther)", 100 * beyond);
        XYChart chart = ChartGrid.chart(width, height, title + tail, x, y);
        XYSeries series = chart.addSeries("values", edges, heights);
        series.setXYSeriesRenderStyle(XYSeriesRenderStyle.Area);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineColor(ChartGrid.CALM);
        series.setLineWidth(1);
        series.setFillColor(ChartGrid.FAINT);
        chart.getStyler().setXAxisMin(least).setYAxisMin(0.0);
        return chart;
    }
}
