package io.github.broadloom.plan.picture;

import io.github.broadloom.shape.Shape;

/**
 * A tensor as a box: its first dimension runs down, the second to the right, and all others together into the depth. A dimension of size 1 is thin; lengths
 * grow with the logarithm of the size, as sizes differ by orders of magnitude.
 */
record Solid(double width, double height, double depth) {
    private static final double THIN = 12;
    private static final double LEAST = 30;
    private static final double PER_DECADE = 27;
    private static final double MOST = 150;
    private static final double ACROSS = 0.85;
    private static final double INTO = 0.4;
    /** How far one step into the depth goes to the right and up. */
    private static final double RIGHT = 0.8;

    private static final double UP = 0.5;
    private static final double CLOSEST_LINES = 3;
    /** A block that is smaller could not be seen. */
    private static final double SMALLEST = 2.5;

    /** @param shape of the tensor among others: as many dimensions as they have, those that it lacks being of size 1 */
    static Solid of(Shape shape) {
        int rank = shape.rank();
        double rows = rank == 0 ? THIN : length(shape.size(0));
        double columns = rank < 2 ? THIN : ACROSS * length(shape.size(1));
        long rest = 1;
        for (int d = 2; d < rank; d++) {
            rest = Math.multiplyHigh(rest, shape.size(d)) == 0 ? rest * shape.size(d) : Long.MAX_VALUE;
        }
        return new Solid(Math.max(THIN, columns), rows, rank < 3 ? 0 : INTO * length(rest));
    }

    private static double length(long size) {
        return size <= 1 ? THIN : Math.min(MOST, LEAST + PER_DECADE * Math.log10(size));
    }

    Solid scaled(double factor) {
        return new Solid(width * factor, height * factor, depth * factor);
    }

    /** How far the box reaches to the right of its front. */
    double right() {
        return depth * RIGHT;
    }

    /** How far it reaches above its front. */
    double up() {
        return depth * UP;
    }

    /** Draws it with the upper left corner of its front at a place: lines where the reading has cuts, and strong what is read. */
    void draw(Markup svg, double x, double y, Role role, Reading reading) {
        svg.open("g", "fill", role.colour(), "stroke", role.colour(), "stroke-width", "1", "stroke-linejoin", "round");
        faces(svg, x, y, Span.ALL, Span.ALL, 0.14);
        lit(svg, x, y, reading.rows(), reading.columns());
        lines(svg, x, y, reading.cuts());
        svg.path(outline(x, y), "fill", "none", "stroke-width", "1.2");
        svg.close();
    }

    /** The front, and of the top and the side what the block shows of them. */
    private void faces(Markup svg, double x, double y, Span rows, Span columns, double opacity) {
        double left = x + width * columns.from();
        double top = y + height * rows.from();
        double across = width * (columns.to() - columns.from());
        double down = height * (rows.to() - rows.from());
        svg.rect(left, top, across, down, "stroke", "none", "fill-opacity", opacity(opacity));
        if (depth > 0 && rows.from() <= Span.SLIGHTLY) {
            svg.path(slanted(left, y, across, 0), "stroke", "none", "fill-opacity", opacity(opacity * 0.6));
        }
        if (depth > 0 && columns.to() >= 1 - Span.SLIGHTLY) {
            svg.path(slanted(x + width, top, 0, down), "stroke", "none", "fill-opacity", opacity(opacity * 1.5));
        }
    }

    private void lit(Markup svg, double x, double y, Span rows, Span columns) {
        if (rows.from() >= rows.to()) {
            return;
        }
        svg.open("g", "class", "read");
        faces(svg, x, y, rows.atLeast(SMALLEST / height), columns.atLeast(SMALLEST / width), 0.6);
        svg.close();
    }

    private void lines(Markup svg, double x, double y, Cuts cuts) {
        StringBuilder path = new StringBuilder();
        for (double row : cuts.lines(0, CLOSEST_LINES / height)) {
            double at = y + height * row;
            path.append(Markup.move(x, at)).append(Markup.line(x + width, at));
            if (depth > 0) {
                path.append(Markup.line(x + width + right(), at - up()));
            }
        }
        for (double column : cuts.lines(1, CLOSEST_LINES / width)) {
            double at = x + width * column;
            path.append(Markup.move(at, y + height)).append(Markup.line(at, y));
            if (depth > 0) {
                path.append(Markup.line(at + right(), y - up()));
            }
        }
        if (path.length() > 0) {
            svg.path(path, "class", "cuts", "fill", "none", "stroke-opacity", "0.7", "stroke-width", "0.8");
        }
    }

    private String outline(double x, double y) {
        String front = Markup.move(x, y) + "h" + Markup.number(width) + "v" + Markup.number(height) + "h"
                + Markup.number(-width) + "z";
        if (depth == 0) {
            return front;
        }
        return front
                + Markup.move(x, y)
                + Markup.line(x + right(), y - up())
                + Markup.line(x + width + right(), y - up())
                + Markup.line(x + width + right(), y + height - up())
                + Markup.line(x + width, y + height)
                + Markup.move(x + width, y)
                + Markup.line(x + width + right(), y - up());
    }

    /** A face that leads into the depth from the edge that goes {@code across} and {@code down}. */
    private String slanted(double x, double y, double across, double down) {
        return Markup.move(x, y) + Markup.line(x + right(), y - up())
                + Markup.line(x + right() + across, y - up() + down) + Markup.line(x + across, y + down) + "z";
    }

    private static String opacity(double value) {
        return String.valueOf(Math.round(value * 100) / 100.0);
    }
}
