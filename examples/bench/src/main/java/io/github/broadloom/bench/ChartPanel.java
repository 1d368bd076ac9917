package io.github.broadloom.bench;

import io.github.broadloom.tools.picture.ChartGrid;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Stroke;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** One workload: a bar for each contender, on a logarithmic scale of the panel's own. */
final class ChartPanel implements ChartGrid.Panel {
    private static final int WIDTH = 560;
    private static final Color SPARK = new Color(0xf2a65a);
    private static final Set<String> COMPILERS = Set.of("torch.compile", "jax.jit", "numexpr");

    private static final int TITLE = 26;
    private static final int AXIS = 20;
    private static final int BAR = 17;
    private static final int BASELINE = BAR - 4;
    private static final int STEP = 22;
    private static final int NAMES = 116;
    private static final int VALUES = 64;
    private static final double MILLIS = 1e3;
    private static final Stroke DASHES =
            new BasicStroke(1.4f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER, 10, new float[] {4, 3}, 0);

    private final String workload;
    private final List<Measurement> measurements;
    private final double limit;
    private final double least;
    private final double most;

    ChartPanel(String workload, List<Measurement> measurements) {
        this.workload = workload;
        this.measurements = measurements;
        this.limit = measurements.get(0).limitSeconds() * MILLIS;
        DoubleSummaryStatistics bars =
                measurements.stream().mapToDouble(ChartPanel::millis).summaryStatistics();
        this.least = roundDown(Math.min(limit, bars.getMin()) / 1.5); // even the shortest bar can be seen
        this.most = Math.max(limit, bars.getMax());
    }

    private static double millis(Measurement measurement) {
        return measurement.seconds().median() * MILLIS;
    }

    /** The next of 1, 2 and 5 times a power of ten. */
    private static double roundDown(double value) {
        double decade = Math.pow(10, Math.floor(Math.log10(value)));
        double digit = value / decade;
        return decade * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
    }

    @Override
    public int width() {
        return WIDTH;
    }

    @Override
    public int height() {
        return TITLE + measurements.size() * STEP + AXIS;
    }

    @Override
    public void paint(Graphics2D graphics) {
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setColor(ChartGrid.TEXT);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 13));
        graphics.drawString(workload + "  " + Workloads.title(workload), 0, 14);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
        grid(graphics);
        for (int i = 0; i < measurements.size(); i++) {
            bar(graphics, measurements.get(i), TITLE + i * STEP);
        }
        limit(graphics);
        for (int i = 0; i < measurements.size(); i++) {
            value(graphics, measurements.get(i), TITLE + i * STEP);
        }
    }

    private void limit(Graphics2D graphics) {
        int x = x(limit);
        Stroke plain = graphics.getStroke();
        graphics.setColor(ChartGrid.TEXT);
        graphics.setStroke(DASHES);
        graphics.drawLine(x, TITLE - 4, x, TITLE + measurements.size() * STEP);
        graphics.setStroke(plain);
    }

    private void grid(Graphics2D graphics) {
        int bottom = TITLE + measurements.size() * STEP;
        FontMetrics metrics = graphics.getFontMetrics();
        int free = 0;
        for (double tick = least; tick <= most * 1.0001; tick = roundDown(tick * 2.51)) {
            int x = x(tick);
            graphics.setColor(ChartGrid.GRID);
            graphics.drawLine(x, TITLE - 4, x, bottom);
            String label = number(tick);
            int left = x - metrics.stringWidth(label) / 2;
            if (left >= free) { // labels that would touch are left out
                graphics.setColor(ChartGrid.FAINT_TEXT);
                graphics.drawString(label, left, bottom + 14);
                free = left + metrics.stringWidth(label) + 8;
            }
        }
    }

    private void bar(Graphics2D graphics, Measurement measurement, int top) {
        String who = measurement.who();
        graphics.setColor(ChartGrid.TEXT);
        graphics.drawString(who, NAMES - 8 - graphics.getFontMetrics().stringWidth(who), top + BASELINE);
        graphics.setColor(color(measurement));
        graphics.fillRect(NAMES, top, x(millis(measurement)) - NAMES, BAR);
    }

    /** Beside the bar's end, over the grid and the dashes. */
    private void value(Graphics2D graphics, Measurement measurement, int top) {
        String value = number(millis(measurement));
        int x = x(millis(measurement)) + 6;
        graphics.setColor(Color.WHITE);
        graphics.fillRect(x - 2, top, graphics.getFontMetrics().stringWidth(value) + 4, BAR);
        graphics.setColor(ChartGrid.TEXT);
        graphics.drawString(value, x, top + BASELINE);
    }

    private static Color color(Measurement measurement) {
        if (measurement.isOwn()) {
            return ChartGrid.STRONG;
        }
        if (measurement.who().equals(Measurement.SPARK)) {
            return SPARK;
        }
        return COMPILERS.contains(measurement.who()) ? ChartGrid.CALM : ChartGrid.FAINT;
    }

    private int x(double millis) {
        double part = Math.log(millis / least) / Math.log(Math.max(most, least * 2) / least);
        return NAMES + (int) Math.round(part * (WIDTH - NAMES - VALUES));
    }

    /** Three significant digits at most. */
    private static String number(double value) {
        if (value >= 100) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        String digits = String.format(Locale.ROOT, value >= 10 ? "%.1f" : value >= 0.1 ? "%.2f" : "%.3f", value);
        return digits.replaceAll("\\.?0+$", "");
    }
}
