package io.github.broadloom.plan.picture;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.plan.Figures;
import io.github.broadloom.plan.Operand;
import io.github.broadloom.plan.Source;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.shape.Broadcasting;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One stage: its operands side by side, each at its place in the grid that all of them broadcast to, then its result. The band is one task: what it touches is
 * what the task reads, drawn strong, and the part of the result that it leaves.
 */
final class StagePicture {
    private static final int MOST_OPERANDS = 8;
    private static final int LONGEST_NAME = 26;
    private static final int LONGEST_TITLE = 72;
    private static final double HEADER = 46;
    private static final double GAP = 34;
    private static final double ARROW = 84;
    private static final double OVERHANG = 14;
    private static final int MOST_RAYS = 16;
    private static final double THINNEST_BAND = 2;
    private static final double TITLE_CHARACTER = 8.4;

    private final Stage stage;
    private final int number;
    private final String resultName;
    private final List<Cell> operands = new ArrayList<>();
    private final Cell result;
    private final int left;
    private final Span rows;

    /** @param number of the stage in its plan, from 1, and {@code of} how many */
    StagePicture(Stage stage, int number, int of) {
        this.stage = stage;
        this.number = number;
        this.resultName =
                number == of ? "result" : (stage.kind().leavesChunks() ? "chunks" : "result") + " of step " + number;
        this.rows = Reading.ofResult(stage).rows();
        Shape common = common();
        List<Operand> all = stage.operands();
        for (Operand operand : all.subList(0, Math.min(MOST_OPERANDS, all.size()))) {
            operands.add(cell(operand, common));
        }
        this.left = all.size() - operands.size();
        this.result = result(common);
    }

    /** What all operands broadcast to, where they do: the stage may join or multiply them otherwise. */
    private Shape common() {
        try {
            return Broadcasting.broadcastShapes(stage.operands().stream()
                    .map(operand -> operand.source().shape())
                    .toArray(Shape[]::new));
        } catch (IllegalArgumentException noBroadcast) {
            return stage.outputs().get(0).shape();
        }
    }

    private Cell cell(Operand operand, Shape common) {
        Source source = operand.source();
        Role role = Role.of(operand.strategy());
        Shape shape = padded(source.shape(), common.rank());
        Reading reading =
                Reading.of(operand, stage).behind(shape.rank() - source.shape().rank());
        List<String> caption = List.of(
                elided(source.name(), LONGEST_NAME),
                source.dtype() + " " + source.shape(),
                Figures.bytes(source.sizeBytes()) + " · " + role.label());
        String hint = source.name() + " (" + source.origin() + ")\n" + operand.strategy() + ": " + operand.reason();
        return new Cell(Solid.of(shape), role, reading, caption, hint);
    }

    /** Broadcasting lines dimensions up from the right. */
    private static Shape padded(Shape shape, int rank) {
        if (shape.rank() >= rank) {
            return shape;
        }
        long[] sizes = new long[rank];
        Arrays.fill(sizes, 1);
        System.arraycopy(shape.toArray(), 0, sizes, rank - shape.rank(), shape.rank());
        return Shape.of(sizes);
    }

    private Cell result(Shape common) {
        Expr output = stage.outputs().get(0);
        boolean chunks = stage.kind().leavesChunks();
        String where = chunks ? "in " + Figures.count(Reading.left(stage).chunks(), "chunk") : "on the driver";
        String others = stage.outputs().size() > 1 ? " and " + (stage.outputs().size() - 1) + " more" : "";
        List<String> caption = List.of(
                resultName,
                output.dtype() + " " + output.shape() + others,
                Figures.bytes(stage.outputBytes()) + " · " + where);
        Solid solid = Solid.of(chunks ? output.shape() : padded(output.shape(), common.rank()));
        Reading reading = chunks ? Reading.ofResult(stage) : Reading.all();
        return new Cell(solid, Role.RESULT, reading, caption, stage.text());
    }

    private static String elided(String text, int longest) {
        return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
    }

    double width() {
        double width = drawnWidth();
        return Math.max(width, elided(title(), LONGEST_TITLE).length() * TITLE_CHARACTER);
    }

    private double drawnWidth() {
        return operandsWidth() + ARROW + result.width();
    }

    private double operandsWidth() {
        return operands.stream().mapToDouble(Cell::width).sum() + GAP * Math.max(0, operands.size() - 1);
    }

    double height() {
        return HEADER + up() + down() + result.captionHeight();
    }

    private double up() {
        return all().stream().mapToDouble(cell -> cell.solid().up()).max().orElse(0);
    }

    private double down() {
        return all().stream().mapToDouble(cell -> cell.solid().height()).max().orElse(0);
    }

    private List<Cell> all() {
        List<Cell> all = new ArrayList<>(operands);
        all.add(result);
        return all;
    }

    private String title() {
        return number + " · " + stage.text();
    }

    void draw(Markup svg, double x, double y) {
        svg.open("g", "class", "stage");
        svg.element("text", elided(title(), LONGEST_TITLE), "x", x, "y", y + 14, "class", "title");
        svg.element("text", how(), "x", x, "y", y + 30, "class", "small");
        double top = y + HEADER + up();
        double bandHeight = Math.max(THINNEST_BAND, down() * (rows.to() - rows.from()));
        double bandTop = top + down() * rows.from();
        double middle = bandTop + bandHeight / 2;
        band(svg, x, bandTop, bandHeight);
        double at = x;
        double drawnTo = x;
        for (Cell cell : operands) {
            cell.draw(svg, at, place(cell, top, middle), top + down());
            drawnTo = at + cell.drawnTo();
            at += cell.width() + GAP;
        }
        double resultAt = at - GAP + ARROW;
        double resultFrom = resultAt + result.width() - result.drawnTo();
        toResult(svg, drawnTo + 10, resultFrom - 10, top, middle);
        result.draw(svg, resultAt, place(result, top, middle), top + down());
        svg.close();
    }

    /** What has the stage's rows stands in line; what has not stands where the task meets it. */
    private double place(Cell cell, double top, double middle) {
        double height = cell.solid().height();
        if (height >= down() - Span.SLIGHTLY) {
            return top;
        }
        Span read = cell.reading().rows();
        double wanted = middle - height * (read.from() + read.to()) / 2;
        return Math.max(top, Math.min(top + down() - height, wanted));
    }

    private void band(Markup svg, double x, double y, double height) {
        if (stage.kind() == Stage.Kind.DRIVER) {
            return;
        }
        boolean folds = joins();
        double right = x + OVERHANG + (folds ? operandsWidth() : drawnWidth());
        svg.open("g", "class", "task", "fill", "currentColor", "fill-opacity", "0.09");
        svg.rect(x - OVERHANG, y, right - x + OVERHANG, height, "rx", Math.min(4, height / 2));
        svg.close();
    }

    private void toResult(Markup svg, double from, double to, double top, double middle) {
        if (left > 0) {
            svg.element("text", "+ " + left + " more", "x", from, "y", top - 8, "class", "small");
        }
        StringBuilder path = new StringBuilder();
        if (joins()) {
            int rays = Math.min(MOST_RAYS, stage.tasks().chunks());
            for (int i = 0; i < rays; i++) {
                double start = top + down() * (i + 0.5) / rays;
                path.append(Markup.move(from, start)).append(Markup.line(to - 8, middle));
            }
        } else {
            path.append(Markup.move(from, middle)).append("H").append(Markup.number(to - 8));
        }
        svg.path(path, "fill", "none", "stroke", "currentColor", "stroke-opacity", "0.45", "stroke-width", "1");
        String head = Markup.move(to, middle) + "l-9 -4.5v9z";
        svg.path(head, "fill", "currentColor", "fill-opacity", "0.6");
    }

    private String how() {
        String chunks = stage.grid().toString();
        return switch (stage.kind()) {
            case CHUNKS -> stage.copies() ? "as it is, in " + chunks : tasks() + chunks;
            case STREAM ->
                "a task for each of " + stage.resultGrid() + ", going along dimension " + stage.streamDim()
                        + " in steps";
            case SORT -> "put in order in as many ranges as " + chunks;
            case FILTER -> "picked in " + chunks;
            case GATHER -> "what the indices of " + chunks + " name";
            case SCAN -> (stage.passes() == 1 ? tasks() : "two passes over ") + chunks;
            case FOLD -> "partial results of " + stage.tasks() + ", folded on the driver in row order";
            case SELECT -> "found in " + stage.passes() + " passes over " + chunks;
            case WHOLE -> "one task with all rows";
            case DRIVER -> "on the driver, no job";
        };
    }

    /** Whether all tasks have a share in whatever is left. */
    private boolean joins() {
        return switch (stage.kind()) {
            case FOLD, SELECT, SORT -> true;
            case CHUNKS, STREAM, SCAN, FILTER, GATHER, WHOLE, DRIVER -> false;
        };
    }

    private String tasks() {
        return stage.grid().chunks() == 1 ? "one task: " : "a task for each of ";
    }
}
