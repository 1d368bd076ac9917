package io.github.broadloom.tools.picture;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;

/**
 * Panels of one width, at least one, in rows under one title, as a PNG for screens and print of today; and what all charts have in common.
 *
 * @param head the title, and at least one line below it
 */
public record ChartGrid(List<String> head, int columns, int gap, List<? extends Panel> panels) {
    public static final Color TEXT = new Color(0x22272e);
    public static final Color FAINT_TEXT = new Color(0x6b7280);
    public static final Color GRID = new Color(0xe5e7eb);
    public static final Color STRONG = new Color(0xd95f02);
    public static final Color CALM = new Color(0x35618f);
    public static final Color FAINT = new Color(0x8fb0d0);

    private static final int PIXELS_PER_POINT = 2;
    private static final int MARGIN = 20;
    private static final int TITLE = 62;
    private static final int LINE = 18;

    public interface Panel {
        int width();

        int height();

        void paint(Graphics2D place);
    }

    record Drawn(XYChart chart) implements Panel {
        @Override
        public int width() {
            return chart.getWidth();
        }

        @Override
        public int height() {
            return chart.getHeight();
        }

        @Override
        public void paint(Graphics2D place) {
            chart.paint(place, width(), height());
        }
    }

    /** An empty chart in the style of the house, without a legend. */
    static XYChart chart(int width, int height, String title, String x, String y) {
        XYChart chart = new XYChartBuilder()
                .width(width)
                .height(height)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        XYStyler style = chart.getStyler();
        style.setChartBackgroundColor(Color.WHITE);
        style.setPlotBackgroundColor(Color.WHITE);
        style.setPlotBorderVisible(false);
        style.setPlotGridLinesColor(GRID);
        style.setPlotGridLinesStroke(new BasicStroke(1));
        style.setChartFontColor(TEXT);
        style.setAxisTickLabelsColor(FAINT_TEXT);
        style.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 13));
        style.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        style.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
        style.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
        style.setLegendPosition(LegendPosition.OutsideS);
        style.setLegendVisible(false);
        style.setLegendBorderColor(Color.WHITE);
        style.setChartTitleBoxVisible(false);
        style.setAntiAlias(true);
        style.setxAxisTickLabelsFormattingFunction(ChartGrid::number);
        style.setyAxisTickLabelsFormattingFunction(ChartGrid::number);
        return chart;
    }

    /** At most four digits, none of them needless. */
    static String number(double value) {
        double amount = Math.abs(value);
        if (amount != 0 && (amount < 1e-4 || amount >= 1e7)) {
            return String.format(Locale.ROOT, "%.1e", value);
        }
        if (amount >= 1000) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        String text = new BigDecimal(value).round(new MathContext(4)).toPlainString();
        return text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text;
    }

    /** Writes the PNG; an {@link UnsupportedOperationException} when this JDK has no fonts, without which there are no charts. */
    public void writePng(OutputStream out) throws IOException {
        BufferedImage image;
        try {
            image = drawn();
        } catch (LinkageError | InternalError e) {
            throw new UnsupportedOperationException("this JDK has no fonts", e);
        }
        try (MemoryCacheImageOutputStream stream = new MemoryCacheImageOutputStream(out)) {
            ImageIO.write(image, "png", stream);
        }
    }

    private BufferedImage drawn() {
        int[] heights = rowHeights();
        int top = TITLE + (head.size() - 2) * LINE;
        int step = panels.get(0).width() + gap;
        int width = 2 * MARGIN + columns * step - gap;
        int height = top + IntStream.of(heights).sum() + (heights.length - 1) * gap + MARGIN;
        BufferedImage image =
                new BufferedImage(width * PIXELS_PER_POINT, height * PIXELS_PER_POINT, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.scale(PIXELS_PER_POINT, PIXELS_PER_POINT);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
        drawHead(graphics);
        for (int i = 0; i < panels.size(); i++) {
            Graphics2D place = (Graphics2D) graphics.create();
            place.translate(MARGIN + i % columns * step, top);
            panels.get(i).paint(place);
            place.dispose();
            top += i % columns == columns - 1 ? heights[i / columns] + gap : 0;
        }
        graphics.dispose();
        return image;
    }

    /** A row is as high as its highest panel. */
    private int[] rowHeights() {
        int[] heights = new int[(panels.size() + columns - 1) / columns];
        for (int i = 0; i < panels.size(); i++) {
            heights[i / columns] = Math.max(heights[i / columns], panels.get(i).height());
        }
        return heights;
    }

    private void drawHead(Graphics2D graphics) {
        graphics.setColor(TEXT);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
        graphics.drawString(head.get(0), MARGIN, MARGIN + 14);
        graphics.setColor(FAINT_TEXT);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        for (int line = 1; line < head.size(); line++) {
            graphics.drawString(head.get(line), MARGIN, MARGIN + 16 + line * LINE);
        }
    }
}
