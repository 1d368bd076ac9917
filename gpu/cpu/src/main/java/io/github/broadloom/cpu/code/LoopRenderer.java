package io.github.broadloom.cpu.code;

import io.github.broadloom.cpu.code.Node.Form;
import io.github.broadloom.cpu.code.Schedule.Stage;
import io.github.broadloom.cpu.code.Schedule.Tile;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.KernelSpec.Access;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Writes the method of one loop of a kernel: the arrays that it reads and fills, and what it computes for each element.
 *
 * @param dtype of the kernel's result
 * @param last whether this loop writes the result
 */
record LoopRenderer(DType dtype, KernelPlan plan, TileSlots slots, Stage loop, boolean last) {
    /** Adds the method; {@code head} is what stands before its parameters: modifiers, type and name. */
    void write(StringBuilder out, String head) {
        out.append("    ").append(head).append("(Object[] in, Object result, int rows, int columns) {\n");
        beforeLoops(out);
        boolean inRows = loop.used.stream().map(plan::node).anyMatch(node -> node.extent() == Access.ROW);
        if (loop.extent == Access.CONSTANT) {
            body(out, "        ", "0");
        } else if (loop.extent == Access.ROW) {
            out.append("        for (int r = 0; r < rows; r++) {\n");
            body(out, "            ", "r");
            out.append("        }\n");
        } else if (inRows) {
            rowsAndColumns(out);
        } else {
            out.append("        int n = rows * columns;\n");
            out.append("        for (int i = 0; i < n; i++) {\n");
            body(out, "            ", "i");
            out.append("        }\n");
        }
        out.append("    }\n");
    }

    /** The arrays, and what is the same for all elements. */
    private void beforeLoops(StringBuilder out) {
        numbers()
                .forEach(number -> out.append("        %1$s %2$s = this.%2$s;\n"
                        .formatted(number.dtype().valueType().javaName(), name(number))));
        Set<Tile> tiles = new LinkedHashSet<>(loop.reads);
        tiles.addAll(loop.stores);
        for (int id : loop.used) {
            Node node = plan.node(id);
            boolean constant = node.extent() == Access.CONSTANT;
            if (node.is(Form.ELEMENT) && !constant) {
                String type = node.dtype().primitive().javaName();
                out.append("        %1$s[] in%2$d = (%1$s[]) in[%2$d];\n".formatted(type, node.operand()));
            }
            Tile own = new Tile(id, node.extent());
            if (tiles.remove(own)) {
                tile(out, own);
            }
            if (constant && loop.extent != Access.CONSTANT) {
                declare(out, "        ", node);
            }
        }
        tiles.forEach(tile -> tile(out, tile));
        if (last) {
            out.append("        %1$s[] out = (%1$s[]) result;\n"
                    .formatted(dtype.primitive().javaName()));
        }
    }

    private List<Node> numbers() {
        return Stream.concat(
                        loop.used.stream().flatMap(id -> plan.node(id).args().stream()),
                        last ? Stream.of(plan.result().id()) : Stream.empty())
                .distinct()
                .map(plan::node)
                .filter(node -> node.is(Form.NUMBER))
                .toList();
    }

    private void tile(StringBuilder out, Tile tile) {
        out.append("        %s[] %s = %s;\n".formatted(slots.type(tile), name(tile), slots.name(tile)));
    }

    /** What a loop calls a tile: w for what waits, s for what is spread over more than it varies with. */
    private String name(Tile tile) {
        return (plan.node(tile.node()).extent() == tile.extent() ? "w" : "s") + tile.node();
    }

    /** Two loops, so that what a row repeats is not stored once for each element. */
    private void rowsAndColumns(StringBuilder out) {
        out.append("        for (int r = 0; r < rows; r++) {\n");
        for (int id : loop.used) {
            if (plan.node(id).extent() == Access.ROW) {
                declare(out, "            ", plan.node(id));
            }
        }
        out.append("            int start = r * columns;\n");
        out.append("            for (int c = 0; c < columns; c++) {\n");
        out.append("                int i = start + c;\n");
        body(out, "                ", "i");
        out.append("            }\n        }\n");
    }

    private void body(StringBuilder out, String indent, String index) {
        for (int id : loop.used) {
            if (plan.node(id).extent() == loop.extent) {
                declare(out, indent, plan.node(id));
            }
            Tile tile = new Tile(id, loop.extent);
            if (loop.stores.contains(tile)) {
                out.append(indent).append("%s[%s] = %s;\n".formatted(name(tile), index, element(plan.node(id))));
            }
        }
        if (last) {
            String value = JavaValues.TEXT.write(dtype, name(plan.result()));
            out.append(indent).append("out[i] = %s;\n".formatted(value));
        }
    }

    private static String element(Node node) {
        return node.dtype() == DType.BOOL ? JavaValues.TEXT.write(DType.BOOL, name(node)) : name(node);
    }

    private void declare(StringBuilder out, String indent, Node node) {
        out.append(
                "%s%s v%d = %s;\n".formatted(indent, node.dtype().valueType().javaName(), node.id(), expression(node)));
    }

    private String expression(Node node) {
        String index = switch (node.extent()) {
            case CONSTANT -> "0";
            case ROW -> "r";
            default -> "i";
        };
        if (node.is(Form.ELEMENT)) {
            boolean constant = node.extent() == Access.CONSTANT;
            String array = constant ? "((%s[]) in[%d])" : "in%2$d";
            return node.text()
                    .of(List.of(
                            array.formatted(node.dtype().primitive().javaName(), node.operand()) + "[" + index + "]"));
        }
        Tile own = new Tile(node.id(), node.extent());
        if (loop.reads.contains(own)) {
            String element = name(own) + "[" + index + "]";
            return node.dtype() == DType.BOOL ? JavaValues.TEXT.read(DType.BOOL, element) : element;
        }
        return node.text()
                .of(node.args().stream().map(arg -> name(plan.node(arg))).toList());
    }

    /** How a loop refers to a value. */
    private static String name(Node node) {
        return node.isNumber() ? node.text().of(List.of()) : "v" + node.id();
    }
}
