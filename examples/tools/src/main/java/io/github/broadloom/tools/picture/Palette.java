package io.github.broadloom.tools.picture;

import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;

/** The colours of the levels of a {@link GrayImage}, between a few that are given; but for the grays, the lowest level stands for no value. */
public enum Palette {
    GRAY(0x000000, 0xffffff),
    /** From dark to light, as matplotlib's viridis. */
    VALUES(0x440154, 0x3b528b, 0x21918c, 0x5ec962, 0xfde725),
    /** Blue below the middle, white there, red above. */
    DEVIATIONS(0x053061, 0x4393c3, 0xf7f7f7, 0xd6604d, 0x67001f);

    private static final int NO_VALUE = 0xc4c4c4;

    /** That many are told apart, as in the smallest table of colours. */
    private static final double LEVELS = 63;

    @SuppressWarnings("ImmutableEnumChecker") // nobody writes to it
    private final int[] anchors;

    Palette(int... anchors) {
        this.anchors = anchors;
    }

    /** Where a value between 0 and 1 stands, above the level of no value; NaN is none. */
    public static double place(double value) {
        return (1 + (LEVELS - 1) * Math.max(0, Math.min(1, value))) / LEVELS;
    }

    /** The colour of a place between 0 and 1, {@code 0xrrggbb}. */
    int rgb(double of) {
        if (this != GRAY && of < 0.5 / LEVELS) {
            return NO_VALUE;
        }
        double place = this == GRAY ? of : (of * LEVELS - 1) / (LEVELS - 1);
        double at = Math.max(0, Math.min(1, place)) * (anchors.length - 1);
        int below = Math.min(anchors.length - 2, (int) at);
        int rgb = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int a = anchors[below] >> shift & 0xff;
            int b = anchors[below + 1] >> shift & 0xff;
            rgb |= (int) Math.round(a + (b - a) * (at - below)) << shift;
        }
        return rgb;
    }

    /** So many colours, evenly over all places, with as many bits for a pixel. */
    IndexColorModel colours(int bits) {
        int count = 1 << bits;
        int[] colours = new int[count];
        for (int i = 0; i < count; i++) {
            colours[i] = rgb(i / (count - 1.0));
        }
        return new IndexColorModel(bits, count, colours, 0, false, -1, DataBuffer.TYPE_BYTE);
    }
}
