package io.github.broadloom.plan.picture;

import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.stream.Collectors;

/** One tensor's chunk grid by itself, with the sizes of its dimensions along its sides. */
final class TensorPicture {
    private static final double LARGER = 1.3;
    private static final double LABEL = 18;
    private static final double LABEL_CHARACTER = 6.5;

    private final Shape shape;
    private final Cuts cuts;
    private final Solid solid;

    TensorPicture(Shape shape, Cuts cuts) {
        this.shape = shape;
        this.cuts = cuts;
        this.solid = Solid.of(shape).scaled(LARGER);
    }

    double width() {
        double drawing = LABEL
                + solid.width()
                + Math.max(solid.right() + LABEL, depthLabel().length() * LABEL_CHARACTER);
        return Math.max(drawing, LABEL + columnsLabel().length() * LABEL_CHARACTER);
    }

    double height() {
        return solid.up() + solid.height() + LABEL;
    }

    void draw(Markup svg, double x, double y) {
        double left = x + LABEL;
        double top = y + solid.up();
        Span none = new Span(0, 0);
        Reading nothing = new Reading(cuts, none, none);
        svg.open("g", "class", "tensor");
        solid.draw(svg, left, top, Role.RESULT, nothing);
        if (shape.rank() > 0) {
            label(svg, String.valueOf(shape.size(0)), left - 6, top + solid.height() / 2, -90, "middle");
        }
        label(svg, columnsLabel(), left + solid.width() / 2, top + solid.height() + 14, 0, "middle");
        if (solid.depth() > 0) {
            double angle = -Math.toDegrees(Math.atan2(solid.up(), solid.right()));
            double middleX = left + solid.width() + solid.right() / 2 + 7;
            double middleY = top + solid.height() - solid.up() / 2 + 10;
            label(svg, depthLabel(), middleX, middleY, angle, "middle");
        }
        svg.close();
    }

    private String columnsLabel() {
        return shape.rank() > 1 ? String.valueOf(shape.size(1)) : "";
    }

    private String depthLabel() {
        return shape.rank() < 3
                ? ""
                : Arrays.stream(shape.toArray())
                        .skip(2)
                        .mapToObj(Long::toString)
                        .collect(Collectors.joining(" × "));
    }

    private static void label(Markup svg, String text, double x, double y, double angle, String anchor) {
        if (!text.isEmpty()) {
            String turn = "rotate(" + Markup.number(angle) + " " + Markup.number(x) + " " + Markup.number(y) + ")";
            svg.element("text", text, "x", x, "y", y, "transform", turn, "text-anchor", anchor, "class", "small");
        }
    }
}
