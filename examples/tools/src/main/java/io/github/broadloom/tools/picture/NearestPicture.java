package io.github.broadloom.tools.picture;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.tensor.Tensor;
import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * What nearest rows look like: how often which distance occurs, and of points in the plane a window in which each is
 * tied to the one that is nearest to it.
 */
public final class NearestPicture {
    private static final int SIDE = 520;
    private static final int TARGETS = 70;
    private static final int MOST_TIES = 2500;

    /** Neighbouring cells mostly differ, whichever of the colours their points have. */
    private static final Color[] CELLS = {
        new Color(0x4e79a7), new Color(0xf28e2b), new Color(0x59a14f), new Color(0xb07aa1),
        new Color(0xedc948), new Color(0x76b7b2), new Color(0xff9da7), new Color(0x9c755f)
    };

    private NearestPicture() {}

    /**
     * The picture of distances and of the points where they are in the plane.
     *
     * @param distances [N,K] of every row, or of the first ones, the nearest first
     */
    public static ChartGrid of(String title, String subtitle, String metric, Tensor distances, @Nullable Plane plane) {
        List<ChartGrid.Drawn> charts = new ArrayList<>();
        if (plane != null) {
            charts.add(new ChartGrid.Drawn(plane.chart()));
        }
        charts.add(histogram("How far the nearest rows are", metric, distances, 0));
        long last = distances.shape().size(1) - 1;
        if (last > 0) {
            charts.add(histogram("How far the last of the " + (last + 1) + " nearest are", metric, distances, last));
        }
        return new ChartGrid(List.of(title, subtitle), charts.size(), 0, charts);
    }

    private static ChartGrid.Drawn histogram(String title, String metric, Tensor distances, long place) {
        double[] values = distances.select(1, place).contiguous().toDoubleArray();
        return new ChartGrid.Drawn(new Histogram(values).chart(SIDE, SIDE, title, metric + " distance", "rows of A"));
    }

    /**
     * Points in the plane.
     *
     * @param points [N,2] or the first of them
     * @param targets [M,2]
     * @param nearest int64 [N]: the target that is nearest to each point
     */
    public record Plane(Tensor points, Tensor targets, Tensor nearest) {
        XYChart chart() {
            Window window = Window.of(targets, points);
            List<Integer> inside = new ArrayList<>();
            for (int i = 0; i < points.shape().size(0) && inside.size() < MOST_TIES; i++) {
                long target = nearest.getLong(i);
                if (window.contains(points, i) && window.contains(targets, target)) {
                    inside.add(i);
                }
            }
            String title = String.format(Locale.ROOT, "%,d points of A, each tied to the nearest of B", inside.size());
            XYChart chart = ChartGrid.chart(SIDE, SIDE, title, "column 0", "column 1");
            for (int color = 0; color < CELLS.length; color++) {
                ties(chart, inside, color);
            }
            targets(chart, window);
            window.frame(chart);
            return chart;
        }

        /** The points whose target has that colour, and the lines to it. */
        private void ties(XYChart chart, List<Integer> inside, int color) {
            List<Integer> mine = inside.stream()
                    .filter(i -> Math.floorMod(nearest.getLong(i) * 0x9E3779B97F4A7C15L >>> 40, CELLS.length) == color)
                    .toList();
            if (mine.isEmpty()) {
                return;
            }
            double[] x = new double[3 * mine.size()];
            double[] y = new double[3 * mine.size()];
            Arrays.fill(x, Double.NaN); // a line ends at what is no number
            Arrays.fill(y, Double.NaN);
            double[] px = new double[mine.size()];
            double[] py = new double[mine.size()];
            for (int i = 0; i < mine.size(); i++) {
                long target = nearest.getLong(mine.get(i));
                px[i] = points.getDouble(mine.get(i), 0);
                py[i] = points.getDouble(mine.get(i), 1);
                x[3 * i] = px[i];
                y[3 * i] = py[i];
                x[3 * i + 1] = targets.getDouble(target, 0);
                y[3 * i + 1] = targets.getDouble(target, 1);
                x[3 * i + 2] = x[3 * i + 1];
            }
            XYSeries lines = chart.addSeries("lines " + color, x, y);
            lines.setXYSeriesRenderStyle(XYSeriesRenderStyle.Line);
            lines.setMarker(SeriesMarkers.NONE);
            lines.setLineColor(CELLS[color]);
            lines.setLineStyle(new BasicStroke(0.6f));
            scatter(chart, "points " + color, px, py, SeriesMarkers.CIRCLE, CELLS[color]);
        }

        private void targets(XYChart chart, Window window) {
            List<double[]> found = new ArrayList<>();
            for (long i = 0; i < targets.shape().size(0); i++) {
                if (window.contains(targets, i)) {
                    found.add(new double[] {targets.getDouble(i, 0), targets.getDouble(i, 1)});
                }
            }
            if (found.isEmpty()) {
                found.add(new double[] {Double.NaN, Double.NaN}); // no chart is without values
            }
            double[] x = found.stream().mapToDouble(point -> point[0]).toArray();
            double[] y = found.stream().mapToDouble(point -> point[1]).toArray();
            scatter(chart, "B", x, y, SeriesMarkers.DIAMOND, ChartGrid.TEXT);
        }

        private static void scatter(XYChart chart, String name, double[] x, double[] y, Marker marker, Color color) {
            XYSeries series = chart.addSeries(name, x, y);
            series.setXYSeriesRenderStyle(XYSeriesRenderStyle.Scatter);
            series.setMarker(marker);
            series.setMarkerColor(color);
        }
    }

    /** A square around so many of the targets that they can be told apart. */
    private record Window(double x, double y, double reach) {
        /** Around the middle of the targets; where there are few of them, around the points, too. What is not finite does not count. */
        static Window of(Tensor targets, Tensor points) {
            double centreX = median(column(targets, 0));
            double centreY = median(column(targets, 1));
            double[] away = distances(targets, centreX, centreY);
            double reach = away.length == 0 ? 1 : away[Math.min(away.length, TARGETS) - 1];
            if (away.length < TARGETS) {
                double[] others = distances(points, centreX, centreY);
                reach = others.length == 0 ? reach : Math.max(reach, others[others.length - 1]);
            }
            double least = 1e-9 * Math.max(Math.abs(centreX), Math.abs(centreY)) + Float.MIN_NORMAL;
            return new Window(centreX, centreY, Math.max(least, 1.05 * reach));
        }

        private static double[] distances(Tensor points, double centreX, double centreY) {
            double[] x = column(points, 0);
            double[] y = column(points, 1);
            return IntStream.range(0, x.length)
                    .mapToDouble(i -> Math.max(Math.abs(x[i] - centreX), Math.abs(y[i] - centreY)))
                    .filter(Double::isFinite)
                    .sorted()
                    .toArray();
        }

        private static double[] column(Tensor points, int column) {
            return points.select(1, column).to(DType.FLOAT64).toDoubleArray();
        }

        private static double median(double[] values) {
            double[] sorted =
                    Arrays.stream(values).filter(Double::isFinite).sorted().toArray();
            return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
        }

        boolean contains(Tensor points, long row) {
            return Math.abs(points.getDouble(row, 0) - x) <= reach && Math.abs(points.getDouble(row, 1) - y) <= reach;
        }

        void frame(XYChart chart) {
            chart.getStyler().setXAxisMin(x - reach).setXAxisMax(x + reach);
            chart.getStyler().setYAxisMin(y - reach).setYAxisMax(y + reach);
            chart.getStyler().setMarkerSize(5);
        }
    }
}
