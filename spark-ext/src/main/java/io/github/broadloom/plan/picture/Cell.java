package io.github.broadloom.plan.picture;

import java.util.List;

/**
 * One tensor of a stage: its drawing, and what stands under it.
 *
 * @param reading what the shown task reads of it, or leaves
 * @param caption its name and what else is to be said, a line each
 * @param hint more of it, for who rests the pointer on it
 */
record Cell(Solid solid, Role role, Reading reading, List<String> caption, String hint) {
    private static final double CHARACTER = 6.3;
    private static final double NAME_CHARACTER = 6.9;
    private static final double LINE = 15;
    private static final double BELOW = 20;
    /** Room for the dot before the last line. */
    private static final double DOT = 12;

    Cell {
        caption = List.copyOf(caption);
    }

    /** The width of the drawing, or of the caption where that is wider: fonts differ, so it is an estimate. */
    double width() {
        double widest = solid.width() + solid.right();
        for (int i = 0; i < caption.size(); i++) {
            double perCharacter = i == 0 ? NAME_CHARACTER : CHARACTER;
            double dot = i == caption.size() - 1 ? DOT : 0;
            widest = Math.max(widest, caption.get(i).length() * perCharacter + dot);
        }
        return widest;
    }

    /** How far the drawing reaches to the right of the cell's left edge. */
    double drawnTo() {
        return (width() + solid.width() + solid.right()) / 2;
    }

    double captionHeight() {
        return BELOW + LINE * (caption.size() - 1) + 6;
    }

    /** @param captionY the bottom of all drawings beside it */
    void draw(Markup svg, double x, double y, double captionY) {
        double middle = x + width() / 2;
        svg.open("g", "class", "tensor " + role.label());
        svg.element("title", hint);
        solid.draw(svg, middle - (solid.width() + solid.right()) / 2, y, role, reading);
        double line = captionY + BELOW;
        for (int i = 0; i < caption.size(); i++) {
            svg.open("text", "x", middle, "y", line, "text-anchor", "middle", "class", i == 0 ? "name" : "small");
            if (i == caption.size() - 1) {
                svg.element("tspan", "●", "fill", role.colour(), "fill-opacity", "1");
                svg.element("tspan", caption.get(i), "dx", "4");
            } else {
                svg.text(caption.get(i));
            }
            svg.close();
            line += LINE;
        }
        svg.close();
    }
}
