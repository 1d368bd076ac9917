package io.github.broadloom.plan.picture;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.plan.Figures;
import io.github.broadloom.plan.Plan;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Draws plans: as SVG for a file, and as HTML for notebooks. Both are well-formed XML with all text escaped, and are to be read on light and on dark ground. */
public final class Pictures {
    private static final String NAMESPACE = "http://www.w3.org/2000/svg";
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

    /** What the tensor is, in a table beside its chunk grid; below, the stages that compute it and the plan as text, for who opens them. */
    public static String html(String title, Plan plan, String explanation) {
        Markup html = new Markup();
        html.open("div", "class", "broadloom").element("style", Style.INLINE.css);
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
        html.open("div", "class", "broadloom").element("style", Style.INLINE.css);
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
        return stage.kind().leavesChunks() ? Reading.left(stage).chunks() : 1;
    }

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
        svg.open("svg", "xmlns", NAMESPACE, "class", "broadloom", "viewBox", viewBox)
                .with("width", width, "height", height);
        if (style != Style.NONE) {
            svg.element("style", style.css);
        }
    }

    /** The style sheets of pictures, for their own elements alone. */
    private enum Style {
        /** By itself in a file: it brings its colour of text, one for each kind of ground. */
        FILE(".broadloom{color:#1f2937}@media(prefers-color-scheme:dark){.broadloom{color:#e5e7eb}}" + Style.TEXT),
        /** Inside a page, whose colour of text it takes. */
        INLINE(Style.TEXT
                + "div.broadloom{font-family:" + Style.FONTS + "}"
                + "div.broadloom .row{display:flex;align-items:center;flex-wrap:wrap;gap:8px}"
                + "div.broadloom table{border-collapse:collapse;font-size:13px}"
                + "div.broadloom th{text-align:left;font-weight:600;padding:3px 14px 3px 8px;white-space:nowrap}"
                + "div.broadloom td{text-align:left;padding:3px 8px;overflow-wrap:anywhere;max-width:32em}"
                + "div.broadloom summary{cursor:pointer;font-size:13px;padding:3px 8px}"
                + "div.broadloom pre{font-size:12px;overflow-x:auto;padding:3px 8px}"
                + "div.broadloom svg{max-width:100%;height:auto}"),
        /** Where another one of these holds already. */
        NONE("");

        private static final String FONTS = "system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";

        private static final String TEXT = ".broadloom text{fill:currentColor;"
                + "font-family:" + FONTS + "}"
                + ".broadloom .title{font-size:13px;font-weight:600}"
                + ".broadloom .name{font-size:12px;font-weight:600}"
                + ".broadloom .small{font-size:11px;fill-opacity:.72}";

        private final String css;

        Style(String css) {
            this.css = css;
        }
    }

    /** One tensor's chunk grid by itself, with the sizes of its dimensions along its sides. */
    private static final class TensorPicture {
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
}
