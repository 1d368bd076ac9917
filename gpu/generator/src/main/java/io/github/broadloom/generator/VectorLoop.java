package io.github.broadloom.generator;

import com.sun.source.tree.VariableTree;
import io.github.broadloom.generator.Value.Form;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The body of a loop over vectors as it is written, and what stands before the loop. */
final class VectorLoop {
    private final String size;
    private final Map<String, String> before;
    private final Map<String, String> constants;
    private final Map<String, Value> variables = new HashMap<>();
    private final Set<String> names = new HashSet<>(Set.of("i", "k", "from", "at", "to", "count", "end", "out", "u"));
    private final List<String> lines = new ArrayList<>();
    private boolean isWide;

    private VectorLoop(String size, Map<String, String> before, Map<String, String> constants) {
        this.size = size;
        this.before = before;
        this.constants = constants;
    }

    /**
     * A short loop, with its constants before it. C2 would read those of a class in each round, for an array of ints that is
     * written might be a vector's.
     *
     * @param size the class with the species
     */
    static VectorLoop shortOf(String size) {
        Map<String, String> before = new LinkedHashMap<>();
        return new VectorLoop(size, before, before);
    }

    /**
     * A loop whose constants are those of the class, because a method may inline only so much, and making them takes half of that.
     *
     * @param constants their names by their definitions; takes others
     */
    static VectorLoop longOf(Map<String, String> constants) {
        return new VectorLoop("VectorDoubles", new LinkedHashMap<>(), constants);
    }

    /** Whether something is a double or long, so that vectors have as many elements as those of doubles. */
    boolean isWide() {
        return isWide;
    }

    /** Says that a name is an element of an array. */
    void read(String name, String array, String index, Lane lane) {
        String place = "(" + array + ", " + index + ")";
        String vector = "%s.fromArray(%s, %s, %s)".formatted(lane.vector(), species(lane), array, index);
        variables.put(
                name,
                switch (lane) {
                    case BOOLEAN -> new Value("VectorWords.bytes" + place, Lane.INT, Form.TRUTHS);
                    case BYTE -> new Value("VectorWords.bytes" + place, Lane.INT, Form.VECTOR);
                    case SHORT -> new Value("VectorWords.shorts" + place, Lane.INT, Form.VECTOR);
                    default -> new Value(vector, lane, Form.VECTOR);
                });
        names.add(array);
    }

    /** Says that a name is a number. */
    void number(VariableTree parameter) {
        String name = parameter.getName().toString();
        variables.put(name, new Value(name, Lane.of(parameter.getType()), Form.NUMBER));
        names.add(name);
    }

    /** What a name of the function stands for. */
    Optional<Value> variable(String name) {
        variables.computeIfPresent(name, (n, value) -> bound(name + "s", value));
        return Optional.ofNullable(variables.get(name));
    }

    void write(Value value, Lane lane, String array, String index) {
        lines.add(
                value.form() == Form.MASK
                        ? "VectorWords.store(%s, %s, %s);".formatted(value.text(), array, index)
                        : "%s.intoArray(%s, %s);".formatted(vector(value, lane), array, index));
    }

    /** Leaves a vector with an element for which a mask is set to statements. */
    void leave(Value mask, String... statements) {
        lines.add("if (" + mask.text() + ".anyTrue()) {");
        Stream.of(statements).map(statement -> "    " + statement).forEach(lines::add);
        lines.add("    continue;");
        lines.add("}");
    }

    /** A value that has a name, for it may be used more than once. */
    Value bound(String name, Value value) {
        if (value.form() == Form.CONSTANT || value.form() == Form.NUMBER || names.contains(value.text())) {
            return value;
        }
        String unused = Stream.iterate(1, i -> i + 1)
                .map(i -> i == 1 ? name : name + i)
                .filter(names::add)
                .findFirst()
                .orElseThrow();
        String type = value.form() == Form.MASK
                ? "VectorMask<" + value.lane().boxed() + ">"
                : value.lane().vector();
        lines.add(type + " " + unused + " = " + value.text() + ";");
        return new Value(unused, value.lane(), value.form());
    }

    Value converted(Value value, Lane lane) {
        return switch (value.form()) {
            case CONSTANT, NUMBER -> new Value(value.text(), lane, value.form());
            case VECTOR -> new Value(vector(value, lane), lane, Form.VECTOR);
            case MASK, TRUTHS -> value;
        };
    }

    /** The value as vectors of a type. */
    String vector(Value value, Lane lane) {
        if (value.form() == Form.CONSTANT || value.form() == Form.NUMBER) {
            String broadcast = "%s.broadcast(%s, %s)".formatted(lane.vector(), species(lane), value.text());
            return (value.form() == Form.CONSTANT ? constants : before)
                    .computeIfAbsent(lane.vector() + " %s = " + broadcast + ";", d -> constant(value, lane));
        }
        String conversion = value.lane().name().charAt(0) + "2" + lane.name().charAt(0);
        return value.lane() == lane
                ? value.text()
                : "((%s) %s.convertShape(%s, %s, 0))".formatted(lane.vector(), value.text(), conversion, species(lane));
    }

    private static String constant(Value value, Lane lane) {
        String text = value.text().replaceAll("(Scalar\\w+|Float|Integer|Double)\\.|[()]", "");
        return lane + "_" + text.replace("-", "MINUS_").replaceAll("\\W+", "_").replaceAll("_$", "");
    }

    /** The names of the species of a size are those of the types. */
    String species(Lane lane) {
        isWide |= lane.isWide();
        return size + "." + lane + "S";
    }

    List<String> before() {
        return definitions(before);
    }

    List<String> lines() {
        return lines;
    }

    /** The declarations of constants, by their definitions with a place for the name. */
    static List<String> definitions(Map<String, String> constants) {
        return constants.entrySet().stream()
                .map(constant -> constant.getKey().formatted(constant.getValue()))
                .toList();
    }
}
