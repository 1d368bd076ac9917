package io.github.broadloom.tools.picture;

import java.util.Arrays;
import java.util.Locale;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * How often values from zero on fall into each of some equal ranges. What is not finite is left out, and so is a long
 * tail, which the title then tells.
 */
final class Histogram {
    private static final int BINS = 50;
    private static final double SHOWN = 0.995;

    private final double most;
    private final long[] counts = new long[BINS];
    private final double beyond;

    Histogram(double[] values) {
        double[] sorted =
                Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
        double last = sorted.length == 0 ? 1 : sorted[(int) ((sorted.length - 1) * SHOWN)];
        most = last > 0 ? BINS * round(last / BINS) : 1;
        int shown = 0;
        for (double value : sorted) {
            if (value <= most) {
                counts[(int) Math.min(BINS - 1, value / most * BINS)]++;
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
            edges[2 * bin] = most * bin / BINS;
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
        chart.getStyler().setXAxisMin(0.0).setYAxisMin(0.0);
        return chart;
    }
}
