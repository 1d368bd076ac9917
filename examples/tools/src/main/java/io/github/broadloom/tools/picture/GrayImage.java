package io.github.broadloom.tools.picture;

/** A picture of one byte a pixel, 0 black to 255 white, rows from the top. */
public record GrayImage(int width, int height, byte[] pixels) {
    /** Where the brightness of a pixel comes from: 0 is black, 1 is white, and what lies outside is cut. */
    @FunctionalInterface
    public interface Brightness {
        double at(long row, long column);
    }

    /**
     * Draws a source of the given size, reduced so that neither side is longer than {@code longestSide} pixels. Every
     * pixel is the mean of the source cells under it, a cell on an edge counting for its share, so that no pattern of
     * the reduction shows.
     */
    public static GrayImage reduced(long rows, long columns, int longestSide, Brightness source) {
        double factor = Math.max(1, (double) Math.max(rows, columns) / longestSide);
        int width = (int) Math.max(1, Math.round(columns / factor));
        int height = (int) Math.max(1, Math.round(rows / factor));
        byte[] pixels = new byte[width * height];
        double down = (double) rows / height;
        double across = (double) columns / width;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                pixels[y * width + x] = level(mean(
                        source,
                        y * down,
                        Math.min(rows, (y + 1) * down),
                        x * across,
                        Math.min(columns, (x + 1) * across)));
            }
        }
        return new GrayImage(width, height, pixels);
    }

    private static double mean(Brightness source, double top, double bottom, double left, double right) {
        double sum = 0;
        double area = 0;
        for (long row = (long) top; row < bottom; row++) {
            double rowShare = Math.min(bottom, row + 1) - Math.max(top, row);
            for (long column = (long) left; column < right; column++) {
                double share = rowShare * (Math.min(right, column + 1) - Math.max(left, column));
                sum += share * source.at(row, column);
                area += share;
            }
        }
        return sum / area;
    }

    private static byte level(double brightness) {
        return (byte) Math.round(255 * Math.min(1, Math.max(0, brightness))); // NaN becomes black
    }

    public int level(int x, int y) {
        return pixels[y * width + x] & 0xff;
    }
}
