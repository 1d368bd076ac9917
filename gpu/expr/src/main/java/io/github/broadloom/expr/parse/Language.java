package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.ops.Op;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What the language of string expressions knows, for whoever lists it: the documentation and the functions of SQL. */
public final class Language {
    private Language() {}

    /** The chapters of the documentation, in order. */
    public enum Chapter {
        POINTWISE("Pointwise"),
        COMPOSED("Made of others"),
        REARRANGEMENT("Rearrangements"),
        PRODUCT("Products"),
        PICKING("Elements by index"),
        REDUCTION("Reductions"),
        CONVERSION("Conversions"),
        SIGN("Signs");

        private final String title;

        Chapter(String title) {
            this.title = title;
        }

        public String title() {
            return title;
        }
    }

    /**
     * A function, or a sign.
     *
     * @param names PyTorch's, and behind it its other names
     * @param signature all arguments with their defaults; the one with a star may be several
     * @param gives a sentence
     */
    public record Entry(Chapter chapter, List<String> names, String signature, String gives) {
        public String name() {
            return names.get(0);
        }

        public List<String> others() {
            return names.subList(1, names.size());
        }
    }

    /** All functions of {@code docs/ops.md}, in its order. An operation that is made of others, too, comes twice: later with more arguments, as a text reads it. */
    public static List<Entry> functions() {
        List<Entry> all = new ArrayList<>();
        for (Op op : Op.all()) {
            all.add(new Entry(Chapter.POINTWISE, namesOf(op), signature(op), op.doc()));
        }
        entries(Chapter.COMPOSED, Functions.COMPOSITIONS).forEach(all::add);
        entries(Chapter.REARRANGEMENT, Functions.VIEW_OPS).forEach(all::add);
        all.add(new Entry(
                Chapter.REARRANGEMENT,
                List.of("cat", "concat", "concatenate"),
                "*tensors, dim=0",
                "One behind the other; dtypes promote."));
        all.add(new Entry(
                Chapter.REARRANGEMENT, List.of("stack"), "*tensors, dim=0", "The same along a new dimension."));
        entries(Chapter.PRODUCT, Functions.PRODUCTS).forEach(all::add);
        all.add(new Entry(
                Chapter.PRODUCT,
                List.of(ExprFunctions.EINSUM),
                "equation, *operands",
                "Einstein's sum, as in `einsum('bij,bjk->bik', x, y)`."));
        entries(Chapter.PICKING, Functions.PICKING).forEach(all::add);
        entries(Chapter.REDUCTION, Functions.REDUCTIONS).forEach(all::add);
        return all;
    }

    private static Stream<Entry> entries(Chapter chapter, FunctionTable<?> table) {
        return table.all()
                .map(row -> new Entry(
                        chapter,
                        Op.find(row.name()).map(Language::namesOf).orElse(row.names()),
                        row.signature(),
                        row.doc()));
    }

    private static List<String> namesOf(Op op) {
        List<String> names = new ArrayList<>(List.of(op.name()));
        names.addAll(op.aliases());
        return names;
    }

    static String signature(Op op) {
        List<String> all = new ArrayList<>(op.arguments());
        op.parameters().forEach(parameter -> all.add(parameter.name() + "=" + parameter.shown()));
        return String.join(", ", all);
    }

    /** What is written without the name of a function of {@link #functions}. */
    public static List<Entry> signs() {
        List<Entry> all = new ArrayList<>();
        for (Op op : Op.all()) {
            op.infix().ifPresent(sign -> all.add(sign(sign, "x " + sign + " y", op.doc())));
        }
        all.add(sign("@", "x @ y", "The matrix product."));
        all.add(sign("-", "-x", "The value with the other sign."));
        all.add(sign("~", "~x", "All bits inverted; of bools, not."));
        all.add(sign("[]", "x[1:3, None, ..., 0, i]", "A part, by NumPy's slices, and by tensors of integers."));
        all.add(sign(".T", "x.T", "The dimensions in the reverse order."));
        all.add(sign(".", "x.sum(0)", "Each function as a method of its first argument."));
        new TreeMap<>(ExprSyntax.CONSTANTS)
                .forEach((name, value) ->
                        all.add(sign(name, name, value instanceof Boolean ? "A truth." : "A plain number.")));
        all.add(new Entry(
                Chapter.CONVERSION,
                ConversionCall.NAMES,
                "input, dtype",
                "The value in another dtype, such as float32."));
        return all;
    }

    private static Entry sign(String text, String use, String gives) {
        return new Entry(Chapter.SIGN, List.of(text), use, gives);
    }
}
