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
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;

/** Charts of XChart beside or above each other under one title, as a PNG for screens and print of today. */
public final class ChartGrid {
    static final Color TEXT = new Color(0x22272e);
    static final Color FAINT_TEXT = new Color(0x6b7280);
    static final Color GRID = new Color(0xe5e7eb);
    static final Color STRONG = new Color(0xd95f02);
    static final Color CALM = new Color(0x35618f);

    private static final int PIXELS_PER_POINT = 2;
    private static final int MARGIN = 20;
    private static final int HEAD = 62;

    private final String title;
    private final String subtitle;
    private final Direction direction;
    private final List<XYChart> charts;

    /** Where a panel stands to the one before. */
    enum Direction {
        BESIDE,
        BELOW
    }

    ChartGrid(String title, String subtitle, Direction direction, List<XYChart> charts) {
        this.title = title;
        this.subtitle = subtitle;
        this.direction = direction;
        this.charts = List.copyOf(charts);
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

    /**
     * Writes the PNG.
     *
     * @throws UnsupportedOperationException when this JDK has no fonts, without which there are no charts
     */
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
        boolean beside = direction == Direction.BESIDE;
        int width = 0;
        int height = 0;
        for (XYChart chart : charts) {
            width = beside ? width + chart.getWidth() : Math.max(width, chart.getWidth());
            height = beside ? Math.max(height, chart.getHeight()) : height + chart.getHeight();
        }
        width += 2 * MARGIN;
        height += HEAD + MARGIN;
        BufferedImage image =
                new BufferedImage(width * PIXELS_PER_POINT, height * PIXELS_PER_POINT, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.scale(PIXELS_PER_POINT, PIXELS_PER_POINT);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
        graphics.setColor(TEXT);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
        graphics.drawString(title, MARGIN, MARGIN + 14);
        graphics.setColor(FAINT_TEXT);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        graphics.drawString(subtitle, MARGIN, MARGIN + 34);
        int left = MARGIN;
        int top = HEAD;
        for (XYChart chart : charts) {
            Graphics2D place = (Graphics2D) graphics.create();
            place.translate(left, top);
            chart.paint(place, chart.getWidth(), chart.getHeight());
            place.dispose();
            left += beside ? chart.getWidth() : 0;
            top += beside ? 0 : chart.getHeight();
        }
        graphics.dispose();
        return image;
    }
}
