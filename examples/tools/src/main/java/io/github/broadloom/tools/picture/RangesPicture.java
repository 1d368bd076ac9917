package io.github.broadloom.tools.picture;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The ranges of columns before and after something was done to them, one above the other. */
public final class RangesPicture {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 330;
    private static final int AXIS = 70;

    private RangesPicture() {}

    /** Where columns are, each array with a number for each; what is NaN is not drawn. */
    public record Ranges(double[] mean, double[] deviation, double[] least, double[] most) {
        /** Without what is infinite, for which there is no place either. */
        Ranges finite() {
            return new Ranges(finite(mean), finite(deviation), finite(least), finite(most));
        }

        private static double[] finite(double[] values) {
            return Arrays.stream(values)
                    .map(value -> Double.isFinite(value) ? value : Double.NaN)
                    .toArray();
        }
    }

    public static ChartGrid of(String title, String subtitle, Ranges before, Ranges after) {
        String lines = "; the thin line goes from the least to the greatest value, the thick one a standard deviation"
                + " up and down from the mean";
        return new ChartGrid(
                List.of(title, subtitle + lines),
                1,
                0,
                List.of(
                        chart("Before", "value", before.finite()),
                        chart("After", "standard deviations from the mean", after.finite())));
    }

    private static ChartGrid.Drawn chart(String title, String unit, Ranges ranges) {
        int columns = ranges.mean.length;
        XYChart chart = ChartGrid.chart(WIDTH, HEIGHT, title + missing(ranges.mean), "column", unit);
        float room = (float) Math.max(1, 520.0 / columns);
        double[] low = new double[columns];
        double[] high = new double[columns];
        double[] index = new double[columns];
        for (int i = 0; i < columns; i++) {
            index[i] = i;
            low[i] = ranges.mean[i] - ranges.deviation[i];
            high[i] = ranges.mean[i] + ranges.deviation[i];
        }
        upright(chart, "least to greatest", ranges.least, ranges.most, Math.min(2.5f, room / 3), ChartGrid.FAINT);
        upright(chart, "a deviation around the mean", low, high, Math.min(11, room / 2), ChartGrid.CALM);
        XYSeries means = chart.addSeries("mean", index, ranges.mean);
        means.setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
        means.setMarker(SeriesMarkers.DIAMOND);
        means.setMarkerColor(ChartGrid.STRONG);
        chart.getStyler().setMarkerSize((int) Math.max(2, Math.min(8, room / 3)));
        chart.getStyler()
                .setXAxisMin(0.0) // the plot leaves some room on each side
                .setXAxisMax(Math.max(1.0, columns - 1))
                .setPlotContentSize(0.9)
                .setYAxisLeftWidthHint(AXIS);
        return new ChartGrid.Drawn(chart);
    }

    private static String missing(double[] means) {
        int[] columns = IntStream.range(0, means.length)
                .filter(i -> Double.isNaN(means[i]))
                .toArray();
        return switch (columns.length) {
            case 0 -> "";
            case 1 -> " (column " + columns[0] + " is NaN)";
            default -> " (" + columns.length + " columns are NaN)";
        };
    }

    /** A line for each column, upright. */
    private static void upright(XYChart chart, String name, double[] from, double[] to, float width, Color color) {
        double[] x = new double[3 * from.length];
        double[] y = new double[x.length];
        Arrays.fill(y, Double.NaN); // a line ends at what is no number
        for (int i = 0; i < from.length; i++) {
            Arrays.fill(x, 3 * i, 3 * i + 3, i);
            y[3 * i] = from[i];
            y[3 * i + 1] = to[i];
        }
        XYSeries series = chart.addSeries(name, x, y);
        series.setXYSeriesRenderStyle(XYSeriesRenderStyle.Line);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineColor(color);
        series.setLineStyle(new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER));
    }
}
