package io.github.broadloom.codegen;

import io.github.broadloom.codegen.KernelSpec.Access;
import io.github.broadloom.codegen.KernelSpec.Constant;
import io.github.broadloom.codegen.KernelSpec.Convert;
import io.github.broadloom.codegen.KernelSpec.Load;
import io.github.broadloom.codegen.KernelSpec.Operand;
import io.github.broadloom.codegen.KernelSpec.Operation;
import io.github.broadloom.codegen.KernelSpec.Step;
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
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a {@link KernelSpec} as a Java class that implements {@link TileKernel}: one loop over arrays, which the JIT
 * compiler vectorises where the operations allow.
 *
 * <p>HotSpot compiles no method of more than 8000 bytes of bytecode, and very long loop bodies badly. A long program is
 * therefore cut into several loops, one method each; values that cross a cut wait in tiles of their own. The cut
 * changes no value.
 */
public final class JavaRenderer {
    /** The name of every rendered class; each has a class loader of its own. */
    public static final String CLASS_NAME = "io.github.broadloom.kernel.Kernel";

    /** A loop longer than this is cut. */
    static final int STEPS_PER_LOOP = 64;

    private static final int CHARACTERS_PER_LOOP = 6000;

    /** What a kernel may call. */
    private static final List<Class<?>> CALLED = List.of(
            Conversions.class,
            TileKernel.class,
            Float16.class,
            Truncation.class,
            Arith.class,
            HalfArith.class,
            Activations.class,
            ErrorFunction.class,
            Gamma.class,
            Hyperbolic.class,
            SpecialFunctions.class);

    private final KernelSpec spec;
    private final List<List<Integer>> loops = new ArrayList<>();
    private final int[] loopOf;
    private final TreeSet<Integer> crossing = new TreeSet<>();

    private JavaRenderer(KernelSpec spec) {
        this.spec = spec;
        this.loopOf = new int[spec.steps().size()];
        cut();
        findCrossing();
    }

    /** The source of the class {@link #CLASS_NAME}. */
    public static String render(KernelSpec spec) {
        return new JavaRenderer(spec).source();
    }

    private void cut() {
        List<Integer> loop = new ArrayList<>();
        int characters = 0;
        for (int step = 0; step < spec.steps().size(); step++) {
            int length = expression(step).length();
            if (!loop.isEmpty() && (loop.size() == STEPS_PER_LOOP || characters + length > CHARACTERS_PER_LOOP)) {
                loops.add(loop);
                loop = new ArrayList<>();
                characters = 0;
            }
            loopOf[step] = loops.size();
            loop.add(step);
            characters += length;
        }
        loops.add(loop);
    }

    private void findCrossing() {
        for (int user = 0; user < spec.steps().size(); user++) {
            for (int arg : args(spec.steps().get(user))) {
                if (loopOf[arg] != loopOf[user] && !(spec.steps().get(arg) instanceof Constant)) {
                    crossing.add(arg);
                }
            }
        }
    }

    private static List<Integer> args(Step step) {
        if (step instanceof Operation operation) {
            return operation.args();
        }
        return step instanceof Convert convert ? List.of(convert.arg()) : List.of();
    }

    private String source() {
        StringBuilder body = new StringBuilder();
        for (int step : crossing) {
            String type = Op.javaType(spec.steps().get(step).dtype());
            body.append("    private final %1$s[] t%2$d = new %1$s[CAPACITY];\n".formatted(type, step));
        }
        body.append(crossing.isEmpty() ? "" : "\n");
        if (loops.size() == 1) {
            method(body, "public void run", 0);
        } else {
            body.append("    public void run(Object[] in, Object result, int rows, int columns) {\n");
            for (int loop = 0; loop < loops.size(); loop++) {
                body.append("        part%d(in, result, rows, columns);\n".formatted(loop));
            }
            body.append("    }\n");
            for (int loop = 0; loop < loops.size(); loop++) {
                body.append('\n');
                method(body, "private void part" + loop, loop);
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

    private static String imports(StringBuilder body) {
        return CALLED.stream()
                .filter(type -> type == TileKernel.class || body.indexOf(type.getSimpleName() + ".") >= 0)
                .map(type -> "import " + type.getName() + ";\n")
                .collect(Collectors.joining());
    }

    private void method(StringBuilder out, String head, int loop) {
        List<Integer> steps = loops.get(loop);
        boolean last = loop == loops.size() - 1;
        out.append("    ").append(head).append("(Object[] in, Object result, int rows, int columns) {\n");
        for (int step : steps) {
            if (spec.steps().get(step) instanceof Load load) {
                array(out, step, load.operand());
            }
        }
        if (last) {
            out.append("        %1$s[] out = (%1$s[]) result;\n"
                    .formatted(spec.dtype().javaName()));
        }
        for (int step : waiting(steps, loop)) {
            String type = Op.javaType(spec.steps().get(step).dtype());
            out.append("        %1$s[] w%2$d = t%2$d;\n".formatted(type, step));
        }
        if (steps.stream().anyMatch(step -> access(step) == Access.ROW || access(step) == Access.COLUMN)) {
            rowsAndColumns(out, steps, loop);
        } else {
            out.append("        int n = rows * columns;\n");
            out.append("        for (int i = 0; i < n; i++) {\n");
            body(out, "            ", steps, loop);
            out.append("        }\n");
        }
        out.append("    }\n");
    }

    /** Two loops, so that what a row or a column repeats is not stored once for each element. */
    private void rowsAndColumns(StringBuilder out, List<Integer> steps, int loop) {
        out.append("        for (int r = 0; r < rows; r++) {\n");
        for (int step : steps) {
            if (access(step) == Access.ROW) {
                declare(out, "            ", step, expression(step, loop));
            }
        }
        out.append("            int start = r * columns;\n");
        out.append("            for (int c = 0; c < columns; c++) {\n");
        out.append("                int i = start + c;\n");
        body(out, "                ", steps, loop);
        out.append("            }\n        }\n");
    }

    private void body(StringBuilder out, String indent, List<Integer> steps, int loop) {
        for (int step : steps) {
            statement(out, indent, step, loop);
        }
        if (loop == loops.size() - 1) {
            String value = name(spec.steps().size() - 1, loop);
            out.append(indent).append("out[i] = %s;\n".formatted(JavaValues.write(spec.dtype(), value)));
        }
    }

    /** How the operand that a step loads varies; of other steps null. */
    private @Nullable Access access(int step) {
        return spec.steps().get(step) instanceof Load load
                ? spec.operands().get(load.operand()).access()
                : null;
    }

    /** The tiles that a loop reads from earlier loops, or leaves for later ones. */
    private TreeSet<Integer> waiting(List<Integer> steps, int loop) {
        TreeSet<Integer> waiting = new TreeSet<>();
        for (int step : steps) {
            if (crossing.contains(step)) {
                waiting.add(step);
            }
            for (int arg : args(spec.steps().get(step))) {
                if (loopOf[arg] != loop && crossing.contains(arg)) {
                    waiting.add(arg);
                }
            }
        }
        return waiting;
    }

    private void array(StringBuilder out, int step, int index) {
        Operand operand = spec.operands().get(index);
        String type = operand.dtype().javaName();
        if (operand.access() == Access.CONSTANT) {
            String element = "((%s[]) in[%d])[0]".formatted(type, index);
            declare(out, "        ", step, JavaValues.read(operand.dtype(), element));
        } else {
            out.append("        %1$s[] in%2$d = (%1$s[]) in[%2$d];\n".formatted(type, index));
        }
    }

    private void declare(StringBuilder out, String indent, int step, String value) {
        String type = Op.javaType(spec.steps().get(step).dtype());
        out.append("%s%s v%d = %s;\n".formatted(indent, type, step, value));
    }

    private void statement(StringBuilder out, String indent, int step, int loop) {
        if (spec.steps().get(step) instanceof Constant) {
            return; // spelled where it is used
        }
        Access access = access(step);
        if (access != Access.CONSTANT && access != Access.ROW) { // those are read before the loop
            declare(out, indent, step, expression(step, loop));
        }
        if (crossing.contains(step)) {
            out.append(indent)
                    .append('w')
                    .append(step)
                    .append("[i] = v")
                    .append(step)
                    .append(";\n");
        }
    }

    private String expression(int step) {
        return expression(step, loopOf[step]);
    }

    private String expression(int step, int loop) {
        Step what = spec.steps().get(step);
        if (what instanceof Load load) {
            String index = switch (spec.operands().get(load.operand()).access()) {
                case CONSTANT -> "0";
                case ROW -> "r";
                case COLUMN -> "c";
                case VARYING -> "i";
            };
            return JavaValues.read(load.dtype(), "in%d[%s]".formatted(load.operand(), index));
        }
        if (what instanceof Convert convert) {
            return JavaValues.convert(convert.from(), convert.dtype(), name(convert.arg(), loop));
        }
        if (what instanceof Operation operation) {
            List<String> names =
                    operation.args().stream().map(arg -> name(arg, loop)).toList();
            String text = operation.op().java(operation.compute(), names);
            return JavaValues.result(operation.compute(), operation.dtype(), text);
        }
        Constant constant = (Constant) what;
        return JavaValues.constant(constant.value(), constant.dtype());
    }

    /** How a loop refers to a value. */
    private String name(int step, int loop) {
        if (spec.steps().get(step) instanceof Constant constant) {
            return JavaValues.constant(constant.value(), constant.dtype());
        }
        return loopOf[step] == loop ? "v" + step : "w" + step + "[i]";
    }
}
