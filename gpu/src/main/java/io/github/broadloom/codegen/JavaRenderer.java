package io.github.broadloom.codegen;

import io.github.broadloom.codegen.KernelSpec.Access;
import io.github.broadloom.codegen.Node.Form;
import io.github.broadloom.codegen.Schedule.Stage;
import io.github.broadloom.codegen.Schedule.Tile;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Float16;
import io.github.broadloom.dtype.Truncation;
import io.github.broadloom.expr.Activations;
import io.github.broadloom.expr.Arith;
import io.github.broadloom.expr.ErrorFunction;
import io.github.broadloom.expr.Gamma;
import io.github.broadloom.expr.HalfArith;
import io.github.broadloom.expr.Hyperbolic;
import io.github.broadloom.expr.Op;
import io.github.broadloom.expr.SpecialFunctions;
import io.github.broadloom.lanes.Casts;
import io.github.broadloom.lanes.Lanes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Writes a {@link KernelSpec} as a Java class that implements {@link TileKernel}: loops over arrays, which the JIT compiler
 * vectorises, and between them calls for what it does not.
 *
 * <p>HotSpot compiles no method of more than 8000 bytes of bytecode, and very long loop bodies badly. A long loop is therefore cut
 * into several. Each loop of several has a method of its own; values that go from one to another wait in tiles. The cut changes no
 * value.
 */
public final class JavaRenderer {
    /** The name of every rendered class; each has a class loader of its own. */
    public static final String CLASS_NAME = "io.github.broadloom.kernel.Kernel";

    /** What a kernel may call. */
    private static final List<Class<?>> CALLED = List.of(
            TileKernel.class,
            Tiles.class,
            Float16.class,
            Truncation.class,
            Activations.class,
            Arith.class,
            ErrorFunction.class,
            Gamma.class,
            HalfArith.class,
            Hyperbolic.class,
            SpecialFunctions.class,
            Casts.class,
            Lanes.class);

    private final KernelSpec spec;
    private final KernelPlan plan;
    private final List<Stage> stages;
    private final TileSlots slots;

    private JavaRenderer(KernelSpec spec) {
        this.spec = spec;
        this.plan = KernelPlan.of(spec);
        this.stages = new Schedule(plan).stages();
        this.slots = new TileSlots(plan, stages);
    }

    /** The source of the class {@link #CLASS_NAME}. */
    public static String render(KernelSpec spec) {
        return new JavaRenderer(spec).source();
    }

    private String source() {
        StringBuilder body = new StringBuilder();
        fields(body);
        if (stages.size() == 1 && !stages.get(0).isCall()) {
            method(body, "public void run", stages.get(0));
        } else {
            run(body);
            for (int stage = 0; stage < stages.size(); stage++) {
                if (!stages.get(stage).isCall()) {
                    body.append('\n');
                    method(body, "private void part" + stage, stages.get(stage));
                }
            }
        }
        return """
                package io.github.broadloom.kernel;

                %s
                public final class Kernel implements TileKernel {
                %s
                    public TileKernel fresh() {
                        return new Kernel();
                    }
                }
                """.formatted(imports(body), body);
    }

    /** The imports of what the text of a kernel calls. */
    static String imports(CharSequence text) {
        String body = text.toString();
        return CALLED.stream()
                .filter(type -> type == TileKernel.class || body.indexOf(type.getSimpleName() + ".") >= 0)
                .map(type -> "import " + type.getName() + ";\n")
                .collect(Collectors.joining());
    }

    /** The tiles, and numbers that calls take as arrays. */
    private void fields(StringBuilder out) {
        for (int slot = 0; slot < slots.types().size(); slot++) {
            out.append("    private final %1$s[] t%2$d = new %1$s[CAPACITY];\n"
                    .formatted(slots.types().get(slot), slot));
        }
        TreeSet<Integer> numbers = new TreeSet<>();
        for (Stage stage : stages) {
            if (stage.isCall()) {
                numbers.addAll(plan.node(stage.call).args());
            }
        }
        for (int number : numbers) {
            Node node = plan.node(number);
            if (node.is(Form.LITERAL)) {
                String type = Node.elementType(node.dtype());
                out.append("    private final %s[] c%d = Tiles.repeated(%s);\n"
                        .formatted(type, number, node.text().of(List.of())));
            }
        }
        out.append(out.isEmpty() ? "" : "\n");
    }

    private void run(StringBuilder out) {
        out.append("    public void run(Object[] in, Object result, int rows, int columns) {\n");
        out.append("        int n = rows * columns;\n");
        for (int stage = 0; stage < stages.size(); stage++) {
            out.append("        ")
                    .append(
                            stages.get(stage).isCall()
                                    ? call(plan.node(stages.get(stage).call))
                                    : "part%d(in, result, rows, columns)".formatted(stage))
                    .append(";\n");
        }
        out.append("    }\n");
    }

    private String call(Node node) {
        List<String> names = new ArrayList<>();
        for (int arg : node.args()) {
            names.add(array(plan.node(arg), node.extent()));
        }
        boolean last = plan.isWrittenByCall(node);
        names.add(last ? "(%s[]) result".formatted(storedType(node)) : slots.name(new Tile(node.id(), node.extent())));
        names.add(
                switch (node.extent()) {
                    case CONSTANT -> "1";
                    case ROW -> "rows";
                    default -> "n";
                });
        return node.text().of(names);
    }

    private String storedType(Node result) {
        boolean converted = ArrayCalls.store(spec.dtype()).isPresent();
        return converted ? spec.dtype().javaName() : Node.elementType(result.dtype());
    }

    /** The array that a call of some extent reads. */
    private String array(Node arg, Access extent) {
        if (arg.is(Form.LITERAL)) {
            return "c" + arg.id();
        }
        return Schedule.isDirect(arg, extent)
                ? "(%s[]) in[%d]".formatted(arg.dtype().javaName(), arg.operand())
                : slots.name(new Tile(arg.id(), extent));
    }

    private void method(StringBuilder out, String head, Stage loop) {
        out.append("    ").append(head).append("(Object[] in, Object result, int rows, int columns) {\n");
        beforeLoops(out, loop);
        boolean inRows = loop.used.stream().map(plan::node).anyMatch(node -> node.extent() == Access.ROW);
        if (loop.extent == Access.CONSTANT) {
            body(out, "        ", loop, "0");
        } else if (loop.extent == Access.ROW) {
            out.append("        for (int r = 0; r < rows; r++) {\n");
            body(out, "            ", loop, "r");
            out.append("        }\n");
        } else if (inRows) {
            rowsAndColumns(out, loop);
        } else {
            out.append("        int n = rows * columns;\n");
            out.append("        for (int i = 0; i < n; i++) {\n");
            body(out, "            ", loop, "i");
            out.append("        }\n");
        }
        out.append("    }\n");
    }

    /** The arrays, and what is the same for all elements. */
    private void beforeLoops(StringBuilder out, Stage loop) {
        Set<Tile> tiles = new LinkedHashSet<>(loop.reads);
        tiles.addAll(loop.stores);
        for (int id : loop.used) {
            Node node = plan.node(id);
            boolean constant = node.extent() == Access.CONSTANT;
            if (node.is(Form.ELEMENT) && !constant) {
                String type = node.dtype().javaName();
                out.append("        %1$s[] in%2$d = (%1$s[]) in[%2$d];\n".formatted(type, node.operand()));
            }
            Tile own = new Tile(id, node.extent());
            if (tiles.remove(own)) {
                tile(out, own);
            }
            if (constant && loop.extent != Access.CONSTANT) {
                declare(out, "        ", node, loop);
            }
        }
        tiles.forEach(tile -> tile(out, tile));
        if (isLast(loop)) {
            out.append("        %1$s[] out = (%1$s[]) result;\n"
                    .formatted(spec.dtype().javaName()));
        }
    }

    private void tile(StringBuilder out, Tile tile) {
        out.append("        %s[] %s = %s;\n".formatted(slots.type(tile), name(tile), slots.name(tile)));
    }

    /** What a loop calls a tile: w for what waits, s for what is spread over more than it varies with. */
    private String name(Tile tile) {
        return (plan.node(tile.node()).extent() == tile.extent() ? "w" : "s") + tile.node();
    }

    private boolean isLast(Stage stage) {
        return stage == stages.get(stages.size() - 1);
    }

    /** Two loops, so that what a row repeats is not stored once for each element. */
    private void rowsAndColumns(StringBuilder out, Stage loop) {
        out.append("        for (int r = 0; r < rows; r++) {\n");
        for (int id : loop.used) {
            if (plan.node(id).extent() == Access.ROW) {
                declare(out, "            ", plan.node(id), loop);
            }
        }
        out.append("            int start = r * columns;\n");
        out.append("            for (int c = 0; c < columns; c++) {\n");
        out.append("                int i = start + c;\n");
        body(out, "                ", loop, "i");
        out.append("            }\n        }\n");
    }

    private void body(StringBuilder out, String indent, Stage loop, String index) {
        for (int id : loop.used) {
            if (plan.node(id).extent() == loop.extent) {
                declare(out, indent, plan.node(id), loop);
            }
            Tile tile = new Tile(id, loop.extent);
            if (loop.stores.contains(tile)) {
                out.append(indent).append("%s[%s] = %s;\n".formatted(name(tile), index, element(plan.node(id))));
            }
        }
        if (isLast(loop)) {
            String value = JavaValues.write(spec.dtype(), name(plan.result()));
            out.append(indent).append("out[i] = %s;\n".formatted(value));
        }
    }

    /** A value as the element of a tile. */
    private static String element(Node node) {
        return node.dtype() == DType.BOOL ? JavaValues.write(DType.BOOL, name(node)) : name(node);
    }

    private void declare(StringBuilder out, String indent, Node node, Stage loop) {
        out.append("%s%s v%d = %s;\n".formatted(indent, Op.javaType(node.dtype()), node.id(), expression(node, loop)));
    }

    private String expression(Node node, Stage loop) {
        String index = switch (node.extent()) {
            case CONSTANT -> "0";
            case ROW -> "r";
            default -> "i";
        };
        if (node.is(Form.ELEMENT)) {
            boolean constant = node.extent() == Access.CONSTANT;
            String array = constant ? "((%s[]) in[%d])" : "in%2$d";
            return node.text()
                    .of(List.of(array.formatted(node.dtype().javaName(), node.operand()) + "[" + index + "]"));
        }
        Tile own = new Tile(node.id(), node.extent());
        if (loop.reads.contains(own)) {
            String element = name(own) + "[" + index + "]";
            return node.dtype() == DType.BOOL ? JavaValues.read(DType.BOOL, element) : element;
        }
        return node.text()
                .of(node.args().stream().map(arg -> name(plan.node(arg))).toList());
    }

    /** How a loop refers to a value. */
    private static String name(Node node) {
        return node.is(Form.LITERAL) ? node.text().of(List.of()) : "v" + node.id();
    }
}
