package io.github.broadloom.plan.picture;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.plan.Figures;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws plans: as SVG for a file, and as HTML for notebooks. Both are well-formed XML with all text escaped, and are to be read on light and on dark ground.
 */
public final class Pictures {
    private static final double MARGIN = 18;
    private static final double BETWEEN = 28;
    private static final double LEGEND = 22;

    private Pictures() {}

    /** The stages of a plan in the order in which they run; of a plan that only reads a tensor, that tensor's chunks. */
    public static String svg(Plan plan) {
        Markup svg = new Markup();
        if (isOnlyRead(plan)) {
            tensor(svg, plan, Style.FILE);
        } else {
            stages(svg, plan, Style.FILE);
        }
        return svg.toString();
    }

    /**
     * What the tensor is, in a table beside its chunk grid; below, the stages that compute it and the plan as text, for who opens them.
     *
     * @param title how a person would call the tensor
     * @param explanation the plan as text
     */
    public static String html(String title, Plan plan, String explanation) {
        Markup html = new Markup();
        html.open("div", "class", "broadloom").element("style", Style.INLINE.css());
        html.open("div", "class", "row");
        table(html, title, plan);
        tensor(html, plan, Style.NONE);
        html.close();
        if (!isOnlyRead(plan)) {
            html.open("details", "open", "open").element("summary", "How it is computed");
            stages(html, plan, Style.NONE);
            html.close();
        }
        html.open("details").element("summary", "The plan");
        html.element("pre", explanation).close();
        return html.close().toString();
    }

    /** As {@link #html}, of a tensor that no plan computes: what it is, and why. */
    public static String refused(String title, DType dtype, Shape shape, String reason) {
        Markup html = new Markup();
        html.open("div", "class", "broadloom").element("style", Style.INLINE.css());
        html.open("table");
        row(html, "Tensor", title);
        row(html, "Type", dtype.toString());
        row(html, "Shape", shape.toString());
        html.close();
        return html.element("p", reason).close().toString();
    }

    private static void table(Markup html, String title, Plan plan) {
        Stage last = plan.last();
        Expr output = last.outputs().get(0);
        Shape shape = output.shape();
        int chunks = chunks(last);
        html.open("table");
        row(html, "Tensor", title);
        row(html, "Type", output.dtype().toString());
        row(html, "Shape", shape.toString());
        row(html, "Bytes", Figures.bytes(last.outputBytes()));
        if (last.kind().leavesChunks() && chunks > 1) {
            row(html, "Chunks", chunks + " of up to " + last.resultGrid().largest());
        } else {
            row(html, "Chunks", last.kind().leavesChunks() ? "1" : "none: its value comes to the driver");
        }
        row(html, "Runs as", Figures.count(plan.jobs(), "job") + ", " + Figures.count(plan.tasks(), "task"));
        row(html, "Task memory", "about " + Figures.bytes(plan.peakBytes()));
        row(html, "Broadcast", Figures.bytes(plan.broadcastBytes()));
        html.close();
    }

    private static void row(Markup html, String what, String value) {
        html.open("tr").element("th", what).element("td", value).close();
    }

    private static boolean isOnlyRead(Plan plan) {
        return plan.stages().size() == 1 && plan.last().copies();
    }

    private static int chunks(Stage stage) {
        return stage.kind().leavesChunks() ? stage.grid().chunks() : 1;
    }

    /** The result's chunk grid. */
    private static void tensor(Markup svg, Plan plan, Style style) {
        Stage last = plan.last();
        Cuts cuts = last.kind().leavesChunks() ? Cuts.of(last.resultGrid()) : Cuts.NONE;
        TensorPicture picture = new TensorPicture(last.outputs().get(0).shape(), cuts);
        begin(svg, 2 * MARGIN + picture.width(), 2 * MARGIN + picture.height(), style);
        picture.draw(svg, MARGIN, MARGIN);
        svg.close();
    }

    private static void stages(Markup svg, Plan plan, Style style) {
        List<StagePicture> pictures = new ArrayList<>();
        double width = 0;
        double height = 2 * MARGIN + LEGEND;
        for (Stage stage : plan.stages()) {
            StagePicture picture =
                    new StagePicture(stage, pictures.size() + 1, plan.stages().size());
            pictures.add(picture);
            width = Math.max(width, picture.width());
            height += picture.height() + (pictures.size() > 1 ? BETWEEN : 0);
        }
        begin(svg, 2 * MARGIN + width, height, style);
        double y = MARGIN;
        for (StagePicture picture : pictures) {
            picture.draw(svg, MARGIN, y);
            y += picture.height() + BETWEEN;
        }
        String legend = "The band is one task: it reads the blocks that are drawn strong.";
        svg.element("text", legend, "x", MARGIN, "y", height - MARGIN, "class", "small");
        svg.close();
    }

    private static void begin(Markup svg, double width, double height, Style style) {
        String viewBox = "0 0 " + Markup.number(width) + " " + Markup.number(height);
        svg.open(
                "svg",
                "xmlns",
                Style.NAMESPACE,
                "class",
                "broadloom",
                "width",
                width,
                "height",
                height,
                "viewBox",
                viewBox);
        if (style != Style.NONE) {
            svg.element("style", style.css());
        }
    }
}
