package io.github.broadloom.tools.picture;

import java.util.List;
import java.util.Map;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** How many groups there are of each size. */
public final class SizesPicture {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 420;
    private static final int MOST_SIZE = 20;
    private static final double HALF_BAR = 0.4;

    private SizesPicture() {}

    /** The picture of counts by size; sizes beyond the bars that have room are told in the title. */
    public static ChartGrid of(String title, String subtitle, Map<Long, Long> counts) {
        long most = counts.keySet().stream().mapToLong(Long::longValue).max().orElse(2);
        long shown = Math.min(most, MOST_SIZE);
        long larger = counts.entrySet().stream()
                .filter(entry -> entry.getKey() > shown)
                .mapToLong(Map.Entry::getValue)
                .sum();
        String tail = larger == 0 ? "" : " (more rows: " + larger + ")";
        XYChart chart = ChartGrid.chart(WIDTH, HEIGHT, "How large the groups are" + tail, "rows of a group", "groups");
        int bars = (int) shown - 1;
        double[] edges = new double[4 * bars];
        double[] heights = new double[4 * bars];
        for (int bar = 0; bar < bars; bar++) {
            long size = bar + 2L;
            for (int corner = 0; corner < 4; corner++) {
                edges[4 * bar + corner] = corner < 2 ? size - HALF_BAR : size + HALF_BAR;
                heights[4 * bar + corner] = corner == 0 || corner == 3 ? 0 : counts.getOrDefault(size, 0L);
            }
        }
        XYSeries series = chart.addSeries("groups", edges, heights);
        series.setXYSeriesRenderStyle(XYSeriesRenderStyle.Area);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineColor(ChartGrid.CALM);
        series.setLineWidth(1);
        series.setFillColor(ChartGrid.FAINT);
        chart.getStyler()
                .setXAxisMin(1.0)
                .setXAxisMax(Math.max(6.0, shown + 1.0))
                .setYAxisMin(0.0);
        return new ChartGrid(List.of(title, subtitle), 1, 0, List.of(new ChartGrid.Drawn(chart)));
    }
}
