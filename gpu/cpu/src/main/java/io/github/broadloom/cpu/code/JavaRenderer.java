package io.github.broadloom.cpu.code;

import io.github.broadloom.cpu.code.Schedule.Stage;
import io.github.broadloom.cpu.code.Schedule.Tile;
import io.github.broadloom.cpu.simd.Casts;
import io.github.broadloom.cpu.simd.Simd;
import io.github.broadloom.cpu.simd.SourceCompiler;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Truncation;
import io.github.broadloom.expr.math.Activations;
import io.github.broadloom.expr.math.Arith;
import io.github.broadloom.expr.math.ErrorFunction;
import io.github.broadloom.expr.math.Gamma;
import io.github.broadloom.expr.math.Hyperbolic;
import io.github.broadloom.expr.math.ReducedArith;
import io.github.broadloom.expr.math.SpecialFunctions;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
    static final String CLASS_NAME = "io.github.broadloom.kernel.Kernel";

    /** What a kernel may call. */
    private static final List<Class<?>> CALLED = List.of(
            TileKernel.class,
            Tiles.class,
            Truncation.class,
            Activations.class,
            Arith.class,
            ErrorFunction.class,
            Gamma.class,
            ReducedArith.class,
            Hyperbolic.class,
            SpecialFunctions.class,
            Casts.class,
            Simd.class,
            List.class);

    private final KernelSpec spec;
    private final KernelPlan plan;
    private final List<Stage> stages;
    private final TileSlots slots;
    private final NumberFields numbers;

    private JavaRenderer(KernelSpec spec) {
        this.spec = spec;
        this.plan = KernelPlan.of(spec);
        this.stages = new Schedule(plan).stages();
        this.slots = new TileSlots(plan, stages);
        this.numbers = new NumberFields(spec);
    }

    public static String render(KernelSpec spec) {
        return new JavaRenderer(spec).source();
    }

    /** A prototype, of which each thread takes a {@link TileKernel#fresh} instance. */
    public static TileKernel compile(KernelSpec spec) {
        return SourceCompiler.compile(CLASS_NAME, render(spec), TileKernel.class);
    }

    private String source() {
        StringBuilder body = new StringBuilder();
        fields(body);
        if (stages.size() == 1 && !stages.get(0).isCall()) {
            loop(0).write(body, "public void run");
        } else {
            run(body);
            for (int stage = 0; stage < stages.size(); stage++) {
                if (!stages.get(stage).isCall()) {
                    body.append('\n');
                    loop(stage).write(body, "private void part" + stage);
                }
            }
        }
        return """
                package io.github.broadloom.kernel;

                %s
                public final class Kernel implements TileKernel {
                %s
                %s}
                """.formatted(imports(body + fresh()), body, fresh());
    }

    /** Sets the numbers of the call, and tiles of them, in another instance. */
    private String fresh() {
        StringBuilder set = new StringBuilder(numbers.assignments());
        for (Node number : repeated()) {
            set.append("        c%d = Tiles.repeated(%s);\n"
                    .formatted(number.id(), number.text().of(List.of())));
        }
        return NumberFields.setter("TileKernel fresh", "Kernel", "new Kernel()", set.toString());
    }

    private LoopRenderer loop(int stage) {
        return new LoopRenderer(spec.dtype(), plan, slots, stages.get(stage), stage == stages.size() - 1);
    }

    /** The imports of what the text of a kernel calls. */
    private static String imports(CharSequence text) {
        String body = text.toString();
        Stream<Class<?>> conversions = Stream.of(DType.values())
                .filter(DType::isReducedFloatingPoint)
                .map(dtype -> dtype.reduced().methods());
        return Stream.concat(conversions, CALLED.stream())
                .filter(type ->
                        type == TileKernel.class || type == List.class || body.indexOf(type.getSimpleName() + ".") >= 0)
                .map(type -> "import " + type.getName() + ";\n")
                .collect(Collectors.joining());
    }

    /** The numbers of the call, the tiles, and numbers that calls take as arrays. */
    private void fields(StringBuilder out) {
        out.append(numbers.declarations());
        for (int slot = 0; slot < slots.types().size(); slot++) {
            out.append("    private final %1$s[] t%2$d = new %1$s[CAPACITY];\n"
                    .formatted(slots.types().get(slot), slot));
        }
        for (Node number : repeated()) {
            out.append("    private %s[] c%d;\n".formatted(Node.elementType(number.dtype()), number.id()));
        }
        out.append(out.isEmpty() ? "" : "\n");
    }

    private List<Node> repeated() {
        return stages.stream()
                .filter(Stage::isCall)
                .flatMap(stage -> plan.node(stage.call).args().stream())
                .distinct()
                .sorted()
                .map(plan::node)
                .filter(Node::isNumber)
                .toList();
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
        return converted ? spec.dtype().primitive().javaName() : Node.elementType(result.dtype());
    }

    /** The array that a call of some extent reads. */
    private String array(Node arg, Access extent) {
        if (arg.isNumber()) {
            return "c" + arg.id();
        }
        return Schedule.isDirect(arg, extent)
                ? "(%s[]) in[%d]".formatted(arg.dtype().primitive().javaName(), arg.operand())
                : slots.name(new Tile(arg.id(), extent));
    }
}
