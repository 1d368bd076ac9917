package io.github.broadloom.examples.bench;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.CategoryStyler;

/** The medians as bars: a panel for each workload, in which what copying the same bytes takes stands first. */
public final class Chart {
    private static final int PANEL_WIDTH = 520;
    private static final int PANEL_HEIGHT = 380;
    private static final int COLUMNS = 3;
    private static final double MILLIS = 1e3;
    private static final Color COPY = new Color(0xb0b0b0);
    private static final Color OURS = new Color(0xd95f02);
    private static final Color OTHERS = new Color(0x4c78a8);

    private Chart() {}

    /** Writes a PNG. */
    public static void write(Map<String, List<Measurement>> byWorkload, OutputStream out) throws IOException {
        int columns = Math.min(COLUMNS, byWorkload.size());
        int rows = (byWorkload.size() + columns - 1) / columns;
        BufferedImage image = new BufferedImage(columns * PANEL_WIDTH, rows * PANEL_HEIGHT, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
        int panel = 0;
        for (Map.Entry<String, List<Measurement>> workload : byWorkload.entrySet()) {
            Graphics2D place = (Graphics2D) graphics.create(
                    panel % columns * PANEL_WIDTH, panel / columns * PANEL_HEIGHT, PANEL_WIDTH, PANEL_HEIGHT);
            panel(workload.getKey(), workload.getValue()).paint(place, PANEL_WIDTH, PANEL_HEIGHT);
            place.dispose();
            panel++;
        }
        graphics.dispose();
        ImageIO.write(image, "png", out);
    }

    private static CategoryChart panel(String workload, List<Measurement> measurements) {
        CategoryChart chart = new CategoryChartBuilder()
                .title(workload + ": "
                        + Workloads.find(workload).map(Workload::title).orElse(""))
                .yAxisTitle("milliseconds, median")
                .build();
        CategoryStyler style = chart.getStyler();
        style.setLegendVisible(false);
        style.setXAxisLabelRotation(45);
        style.setOverlapped(true);
        style.setAvailableSpaceFill(0.8);
        style.setLabelsVisible(true);
        style.setLabelsPosition(1);
        style.setYAxisDecimalPattern("#,##0.###");
        style.setChartBackgroundColor(Color.WHITE);
        style.setPlotBorderVisible(false);
        List<String> names = new ArrayList<>(List.of("a copy"));
        measurements.forEach(measurement -> names.add(measurement.who()));
        bar(chart, names, "a copy", COPY, measurements.get(0).limitSeconds(), 0);
        for (int i = 0; i < measurements.size(); i++) {
            Measurement measurement = measurements.get(i);
            Color color = measurement.who().startsWith("broadloom") ? OURS : OTHERS;
            bar(chart, names, measurement.who(), color, measurement.seconds().median(), i + 1);
        }
        return chart;
    }

    /** One bar: a series of its own, because a series has one color. */
    private static void bar(CategoryChart chart, List<String> names, String name, Color color, double seconds, int at) {
        List<Double> values = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            values.add(i == at ? significant(seconds * MILLIS) : Double.NaN);
        }
        chart.addSeries(name, names, values).setFillColor(color);
    }

    private static double significant(double millis) {
        double step = millis < 10 ? 100 : millis < 100 ? 10 : 1;
        return Math.round(millis * step) / step;
    }
}
