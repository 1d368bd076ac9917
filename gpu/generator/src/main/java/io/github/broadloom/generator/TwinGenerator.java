package io.github.broadloom.generator;

import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.VariableTree;
import io.github.broadloom.generator.Definition.Function;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Functions of arrays from functions of one number: for each class {@code Scalar…} that has some, the contract with their
 * plain loops, and its twin on the Vector API, where none is written by hand; and {@code SimdFunctions} and {@code CastFunctions}, which call
 * the twin that this JVM runs.
 */
public final class TwinGenerator {
    private static final String PACKAGE = "io.github.broadloom.cpu.simd";

    /** Those of casts; all others are functions of {@code Simd}. */
    private static final List<String> CASTS = List.of("Halves", "Widths");

    private static final String HEAD = """
            // Made from the functions of one number by gpu/generator when the project is built.
            package %s;

            """.formatted(PACKAGE);

    private static final String CONTRACT = """
            /** The functions of {@link %s} of the elements of arrays from one place up to another; the result may be written over an operand. */
            interface %s {
            %s}
            """;

    private static final String PLAIN_LOOP = """
                default void %s(%s) {
                    for (int i = from; i < to; i++) {
                        out[i] = %s;
                    }
                }
            """;

    private static final String TWIN = """
            import static jdk.incubator.vector.VectorOperators.*;

            import jdk.incubator.vector.*;

            /** {@link %1$s} on the Vector API. */
            final class Vector%1$s implements %1$s {
                private static final %1$s SCALAR = new Scalar%1$s();
            %2$s%3$s
            %4$s%5$s}
            """;

    private static final String SHORT_LOOP = """
                @Override
                public void %1$s(%2$s) {
            %4$s        int i = from;
                    for (int end = %3$s.%7$s(from, to); i < end; i += %3$s.%8$s) {
            %5$s        }
                    SCALAR.%1$s(%6$s, out, i, to);
                }
            """;

    private static final String STAGE = """
                private static VectorStage NAME(%s) {
                    return (%s, u, out, from, at, count) -> {
            %s            for (int i = 0; i < count; i += VectorDoubles.LANES) {
            %s            }
                    };
                }

            """;

    private static final String STAGED = """
                @Override
                public void %1$s(%2$s) {
                    SCALAR.%1$s(%3$s, out, VectorStage.run(%4$s, %5$s, out, from, to), to);
                }
            """;

    private static final String CALLS = """
            /** The functions that are made of functions of one number, of the first {@code n} elements of arrays. */
            public abstract class %1$s {
            %2$s
                %1$s() {}

            %3$s}
            """;

    private static final String CALL = """
                /** %s */
                public static void %s(%s) {
                    %s.%2$s(%s, out, 0, n);
                }
            """;

    private final Definition definition;
    private final VectorTranslator translator;
    private final Map<String, String> constants = new LinkedHashMap<>();
    private final Map<String, String> stageArrays = new LinkedHashMap<>();

    /** The names of the stages by their texts: functions share those that are the same, and C2 compiles them once. */
    private final Map<String, String> stages = new LinkedHashMap<>();

    private TwinGenerator(Map<String, Definition> definitions, Definition definition) {
        this.definition = definition;
        this.translator = new VectorTranslator(definitions, definition);
    }

    /** Takes the folder to write to, and that of the definitions. */
    public static void main(String... args) throws IOException {
        SourceFolder target = SourceFolder.of(args[0]);
        Path sources = Path.of(args[1]).resolve(PACKAGE.replace('.', '/'));
        Map<String, Definition> all = Definition.parse(sources);
        List<Definition> definitions =
                all.values().stream().filter(d -> !d.functions().isEmpty()).toList();
        for (Definition definition : definitions) {
            target.write(PACKAGE, definition.contract(), HEAD + contract(definition));
            String twin = "Vector" + definition.contract();
            if (!Files.exists(sources.resolve(twin + ".java"))) {
                target.write(PACKAGE, twin, HEAD + new TwinGenerator(all, definition).twin());
            }
        }
        Predicate<Definition> isOfCasts = definition -> CASTS.contains(definition.contract());
        target.write(PACKAGE, "CastFunctions", HEAD + calls("CastFunctions", definitions, isOfCasts));
        target.write(PACKAGE, "SimdFunctions", HEAD + calls("SimdFunctions", definitions, isOfCasts.negate()));
    }

    private static String contract(Definition definition) {
        String loops = definition.functions().stream()
                .map(function -> PLAIN_LOOP.formatted(
                        function.name(), parameters(function, "int from, int to"), element(definition, function)))
                .collect(Collectors.joining("\n"));
        return CONTRACT.formatted(definition.name(), definition.contract(), loops);
    }

    private static String element(Definition definition, Function function) {
        Stream<String> operands = function.operands().stream()
                .map(operand -> operand.getName() + (laneOf(operand) == Lane.BOOLEAN ? "[i] != 0" : "[i]"));
        Stream<String> numbers =
                function.numbers().stream().map(number -> number.getName().toString());
        String arguments = Stream.concat(operands, numbers).collect(Collectors.joining(", "));
        String call = definition.name() + "." + function.name() + "(" + arguments + ")";
        return function.result() == Lane.BOOLEAN ? "(byte) (" + call + " ? 1 : 0)" : call;
    }

    private static Lane laneOf(VariableTree variable) {
        return Lane.of(variable.getType());
    }

    private static String parameters(Function function, String last) {
        Stream<String> operands =
                function.operands().stream().map(operand -> laneOf(operand).stored() + "[] " + operand.getName());
        Stream<String> numbers = function.numbers().stream().map(VariableTree::toString);
        return Stream.of(operands, numbers, Stream.of(function.result().stored() + "[] out", last))
                .flatMap(parameter -> parameter)
                .collect(Collectors.joining(", "));
    }

    private static String arguments(Function function) {
        return names(function.method().getParameters());
    }

    private static String names(List<? extends VariableTree> variables) {
        return variables.stream().map(variable -> variable.getName().toString()).collect(Collectors.joining(", "));
    }

    private String twin() {
        String methods = definition.functions().stream()
                .map(function -> isOfFloats(function) ? ofFloats(function) : shortLoop(function))
                .collect(Collectors.joining("\n"));
        Stream<String> arrays = stageArrays.entrySet().stream()
                .map(array -> "VectorStage[] " + array.getKey() + " = " + array.getValue() + ";");
        String stageMethods = stages.entrySet().stream()
                .map(stage -> stage.getKey().replace("NAME", stage.getValue()))
                .collect(Collectors.joining());
        return TWIN.formatted(
                definition.contract(),
                fields(VectorLoop.definitions(constants).stream()),
                fields(arrays),
                stageMethods,
                methods);
    }

    private static String fields(Stream<String> definitions) {
        return definitions
                .map(field -> "    private static final " + field + "\n")
                .collect(Collectors.joining());
    }

    private static boolean isOfFloats(Function function) {
        return function.result() == Lane.FLOAT
                && function.operands().size() == 1
                && laneOf(function.operands().get(0)) == Lane.FLOAT;
    }

    /** One loop where all is computed as floats; functions that are computed as doubles are long. */
    private String ofFloats(Function function) {
        if (function.statements().size() > 1) {
            return staged(function);
        }
        VectorLoop loop = VectorLoop.shortOf("VectorDoubles");
        translate(function, loop);
        return loop.isWide()
                ? staged(function)
                : shortLoop(function, "VectorDoubles", loop, "endOfFloats", "FLOATS.length()");
    }

    private String shortLoop(Function function) {
        List<Lane> lanes = Stream.concat(
                        Stream.of(function.result()),
                        function.operands().stream().map(TwinGenerator::laneOf))
                .toList();
        boolean isWide = lanes.stream().anyMatch(Lane::isWide);
        String size = isWide ? "VectorDoubles" : "VectorWords";
        VectorLoop loop = VectorLoop.shortOf(size);
        translate(function, loop);
        String end = isWide && lanes.stream().anyMatch(lane -> !lane.isWide()) ? "endOfNarrow" : "end";
        return shortLoop(function, size, loop, end, "LANES");
    }

    private void translate(Function function, VectorLoop loop) {
        for (VariableTree operand : function.operands()) {
            String name = operand.getName().toString();
            loop.read(name, name, "i", laneOf(operand));
        }
        ReturnTree result = (ReturnTree) function.statements().get(0);
        loop.write(translator.value(result.getExpression(), loop), function.result(), "out", "i");
    }

    private static String shortLoop(Function function, String size, VectorLoop loop, String end, String step) {
        return SHORT_LOOP.formatted(
                function.name(),
                parameters(function, "int from, int to"),
                size,
                indented(loop.before(), 8),
                indented(loop.lines(), 12),
                arguments(function),
                end,
                step);
    }

    private String staged(Function function) {
        String operand = names(function.operands());
        List<String> calls = new ArrayList<>();
        for (VectorLoop loop : StagedLoops.of(definition.name(), function, translator, constants)) {
            String before = indented(loop.before(), 12);
            List<VariableTree> numbers = function.numbers().stream()
                    .filter(number -> before.contains(", " + number.getName() + ")"))
                    .toList();
            String parameters = numbers.stream().map(VariableTree::toString).collect(Collectors.joining(", "));
            String text = STAGE.formatted(parameters, operand, before, indented(loop.lines(), 16));
            String name = stages.computeIfAbsent(text, stage -> function.name() + "Stage" + calls.size());
            calls.add(name + "(" + names(numbers) + ")");
        }
        String array = "VectorStage.all(" + String.join(", ", calls) + ")";
        String constant = function.name().toUpperCase(Locale.ROOT);
        boolean isConstant = function.numbers().isEmpty();
        if (isConstant) {
            stageArrays.put(constant, array);
        }
        return STAGED.formatted(
                function.name(),
                parameters(function, "int from, int to"),
                arguments(function),
                isConstant ? constant : array,
                operand);
    }

    private static String indented(List<String> lines, int spaces) {
        return lines.stream().map(line -> " ".repeat(spaces) + line + "\n").collect(Collectors.joining());
    }

    private static String calls(String name, List<Definition> definitions, Predicate<Definition> isOfThese) {
        StringBuilder twins = new StringBuilder();
        List<String> calls = new ArrayList<>();
        for (Definition definition : definitions.stream().filter(isOfThese).toList()) {
            String twin = definition.contract().toUpperCase(Locale.ROOT);
            twins.append("    static final %1$s %2$s = Twins.of(%1$s.class, new %3$s());\n"
                    .formatted(definition.contract(), twin, definition.name()));
            for (Function function : definition.functions()) {
                String parameters = parameters(function, "int n");
                calls.add(CALL.formatted(function.doc(), function.name(), parameters, twin, arguments(function)));
            }
        }
        return CALLS.formatted(name, twins, String.join("\n", calls));
    }
}
