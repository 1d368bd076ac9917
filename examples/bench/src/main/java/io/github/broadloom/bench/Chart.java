package io.github.broadloom.bench;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;

/** The medians as bars on a logarithmic scale: a panel for each workload, in which a line shows what a copy takes. */
public final class Chart {
    private static final int PIXELS_PER_POINT = 2; // for screens and print of today
    private static final int MARGIN = 24;
    private static final int HEAD = 64;
    private static final int MOST_COLUMNS = 2;

    private Chart() {}

    /**
     * Writes a PNG.
     *
     * @param byWorkload at least one workload, with at least one measurement each
     */
    public static void write(Map<String, List<Measurement>> byWorkload, OutputStream out) throws IOException {
        List<ChartPanel> panels = new ArrayList<>();
        byWorkload.forEach((workload, measurements) -> panels.add(new ChartPanel(workload, measurements)));
        int columns = Math.min(MOST_COLUMNS, panels.size());
        int[] heights = rowHeights(panels, columns);
        int width = columns * ChartPanel.WIDTH + (columns + 1) * MARGIN;
        int height = HEAD + MARGIN;
        for (int rowHeight : heights) {
            height += rowHeight + MARGIN;
        }
        BufferedImage image =
                new BufferedImage(width * PIXELS_PER_POINT, height * PIXELS_PER_POINT, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        graphics.scale(PIXELS_PER_POINT, PIXELS_PER_POINT);
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setColor(Color.WHITE);
        graphics.fillRect(0, 0, width, height);
        head(graphics);
        int top = HEAD + MARGIN;
        for (int i = 0; i < panels.size(); i++) {
            int column = i % columns;
            Graphics2D place = (Graphics2D) graphics.create();
            place.translate(MARGIN + column * (ChartPanel.WIDTH + MARGIN), top);
            panels.get(i).paint(place);
            place.dispose();
            top += column == columns - 1 ? heights[i / columns] + MARGIN : 0;
        }
        graphics.dispose();
        ImageIO.write(image, "png", out);
    }

    /** A row is as high as its highest panel. */
    private static int[] rowHeights(List<ChartPanel> panels, int columns) {
        int[] heights = new int[(panels.size() + columns - 1) / columns];
        for (int i = 0; i < panels.size(); i++) {
            heights[i / columns] = Math.max(heights[i / columns], panels.get(i).height());
        }
        return heights;
    }

    private static void head(Graphics2D graphics) {
        graphics.setColor(ChartPanel.TEXT);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 18));
        graphics.drawString("Milliseconds for a call: medians, shorter is better", MARGIN, MARGIN + 14);
        graphics.setColor(ChartPanel.FAINT_TEXT);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        graphics.drawString("Logarithmic scales; the dashed line is a copy of the same bytes", MARGIN, MARGIN + 36);
        graphics.drawString(Machine.describe(), MARGIN, MARGIN + 54);
    }
}
