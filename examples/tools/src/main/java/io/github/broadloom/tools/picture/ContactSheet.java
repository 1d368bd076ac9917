package io.github.broadloom.tools.picture;

import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.awt.image.WritableRaster;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Pictures of one size in a grid, with a title above and a label under each. */
public record ContactSheet(
        String title, String subtitle, List<GrayImage> pictures, List<String> labels, Palette palette) {
    private static final int MARGIN = 24;
    private static final int GAP = 14;
    private static final int LABEL_HEIGHT = 22;
    private static final int TITLE_HEIGHT = 44;
    private static final byte PAPER_LEVEL = (byte) 250;

    /** Gray pictures of Java2D count light linearly, so these come out darker than they read: about 6 and 68 of 255. */
    private static final Color INK = new Color(0x2b2b2b);

    private static final Color FAINT_INK = new Color(0x8c8c8c);

    /** A gray sheet. */
    public ContactSheet(String title, String subtitle, List<GrayImage> pictures, List<String> labels) {
        this(title, subtitle, pictures, labels, Palette.GRAY);
    }

    /** A sheet of at least one picture, and as many labels. */
    public ContactSheet {
        if (pictures.isEmpty() || pictures.size() != labels.size()) {
            throw new IllegalArgumentException("Cannot lay out a contact sheet: " + pictures.size() + " pictures and "
                    + labels.size() + " labels; give each picture one");
        }
        pictures = List.copyOf(pictures);
        labels = List.copyOf(labels);
    }

    /** Whether the sheet could be given its texts; a JDK may come without fonts. */
    public enum Texts {
        DRAWN,
        LEFT_OUT
    }

    /** Writes the sheet as a PNG, and says whether the texts are on it. */
    public Texts writePng(OutputStream out) throws IOException {
        int columns = columns();
        int rows = (pictures.size() + columns - 1) / columns;
        int cellWidth = pictures.get(0).width() + GAP;
        int cellHeight = pictures.get(0).height() + LABEL_HEIGHT + GAP;
        BufferedImage sheet = new BufferedImage(
                2 * MARGIN + columns * cellWidth - GAP,
                MARGIN + TITLE_HEIGHT + rows * cellHeight - GAP + MARGIN / 2,
                palette == Palette.GRAY ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_INT_RGB);
        if (palette == Palette.GRAY) {
            fillGray(sheet);
        } else {
            fill(sheet);
        }
        Texts texts = drawTexts(sheet);
        try (MemoryCacheImageOutputStream stream = new MemoryCacheImageOutputStream(out)) {
            if (!ImageIO.write(sheet, "png", stream)) {
                throw new IOException("Cannot write a PNG: this JDK has no writer for it");
            }
        }
        return texts;
    }

    private void fill(BufferedImage sheet) {
        int[] paper = new int[sheet.getWidth()];
        Arrays.fill(paper, (PAPER_LEVEL & 0xff) * 0x10101);
        for (int y = 0; y < sheet.getHeight(); y++) {
            sheet.setRGB(0, y, paper.length, 1, paper, 0, paper.length);
        }
        for (int i = 0; i < pictures.size(); i++) {
            GrayImage picture = pictures.get(i);
            for (int y = 0; y < picture.height(); y++) {
                for (int x = 0; x < picture.width(); x++) {
                    sheet.setRGB(left(i) + x, top(i) + y, palette.rgb(picture.level(x, y) / 255.0));
                }
            }
        }
    }

    private void fillGray(BufferedImage sheet) {
        WritableRaster raster = sheet.getRaster();
        byte[] paper = new byte[sheet.getWidth() * sheet.getHeight()];
        Arrays.fill(paper, PAPER_LEVEL);
        raster.setDataElements(0, 0, sheet.getWidth(), sheet.getHeight(), paper);
        for (int i = 0; i < pictures.size(); i++) {
            GrayImage picture = pictures.get(i);
            raster.setDataElements(left(i), top(i), picture.width(), picture.height(), picture.pixels());
        }
    }

    /** As many as make the sheet about four wide to three high. */
    private int columns() {
        GrayImage picture = pictures.get(0);
        double cell = (picture.width() + (double) GAP) / (picture.height() + LABEL_HEIGHT + GAP);
        int best = 1;
        double bestError = Double.MAX_VALUE;
        for (int columns = 1; columns <= pictures.size(); columns++) {
            int rows = (pictures.size() + columns - 1) / columns;
            double empty = (double) (columns * rows - pictures.size()) / pictures.size();
            double error = Math.abs(Math.log(columns * cell / rows / (4.0 / 3))) + empty;
            if (error < bestError) {
                best = columns;
                bestError = error;
            }
        }
        return best;
    }

    private int left(int picture) {
        return MARGIN + picture % columns() * (pictures.get(0).width() + GAP);
    }

    private int top(int picture) {
        return MARGIN + TITLE_HEIGHT + picture / columns() * (pictures.get(0).height() + LABEL_HEIGHT + GAP);
    }

    /** A JDK without fonts fails here in one of several ways, most of them errors; the pictures matter more. */
    private Texts drawTexts(BufferedImage sheet) {
        try {
            Graphics2D graphics = sheet.createGraphics();
            try {
                draw(graphics);
            } finally {
                graphics.dispose();
            }
            return Texts.DRAWN;
        } catch (LinkageError | InternalError | RuntimeException e) {
            return Texts.LEFT_OUT;
        }
    }

    private void draw(Graphics2D graphics) {
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.BOLD, 20));
        graphics.setColor(INK);
        graphics.drawString(title, MARGIN, MARGIN + 16);
        int titleWidth = graphics.getFontMetrics().stringWidth(title);
        graphics.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
        graphics.setColor(FAINT_INK);
        graphics.drawString(subtitle, MARGIN + titleWidth + 16, MARGIN + 16);
        graphics.setColor(INK);
        FontMetrics metrics = graphics.getFontMetrics();
        for (int i = 0; i < pictures.size(); i++) {
            GrayImage picture = pictures.get(i);
            int x = left(i) + (picture.width() - metrics.stringWidth(labels.get(i))) / 2;
            graphics.drawString(labels.get(i), x, top(i) + picture.height() + 17);
        }
    }
}
