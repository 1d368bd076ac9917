package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.DType.Kind;
import io.github.broadloom.expr.ops.Op.Template;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds one row of {@link Ops}; the language of the table. */
final class OpRow {
    final String name;
    final int arity;
    final DTypeRule rule;
    List<String> arguments;
    final List<Op.Parameter> parameters = new ArrayList<>();
    List<String> aliases = List.of();

    @Nullable List<String> overloads;

    boolean inPlace = true;
    final Map<Kind, Template> templates = new EnumMap<>(Kind.class);

    @Nullable Template reduced;

    @Nullable String vector;

    final Map<Kind, String> arrays = new EnumMap<>(Kind.class);

    @Nullable String refusal;

    @Nullable String choice;

    Set<Kind> inText = Set.of();
    final Set<Op.Trait> traits = EnumSet.noneOf(Op.Trait.class);

    Op.@Nullable Sign sign;

    PythonNumbers.@Nullable OfIntegers ofIntegers;

    PythonNumbers.@Nullable OfReals ofReals;

    int ulp;
    String doc = "";

    OpRow(String name, int arity, DTypeRule rule) {
        this.name = name;
        this.arity = arity;
        this.rule = rule;
        this.arguments = List.of("input", "other", "another").subList(0, arity);
    }

    /** PyTorch's names of the arguments, where they are not {@code input} and {@code other}. */
    OpRow arguments(String... names) {
        this.arguments = List.of(names);
        return this;
    }

    /** A plain number behind the arguments, which may be left out. */
    OpRow parameter(String parameter, Object value) {
        return parameter(parameter, value.toString(), dtype -> value);
    }

    /** A plain number whose value depends on the dtype of the result where it is left out. */
    OpRow parameter(String parameter, String shown, Function<DType, Object> value) {
        parameters.add(new Op.Parameter(parameter, shown, value));
        return this;
    }

    /** Other names that PyTorch and NumPy have for it. */
    OpRow alias(String... names) {
        this.aliases = List.of(names);
        return this;
    }

    /** Its methods, where they are not the usual ones; see {@link Op#overloads()}. */
    OpRow overloads(String... kinds) {
        this.overloads = List.of(kinds);
        return this;
    }

    /** PyTorch has no method that writes it over its first argument. */
    OpRow notInPlace() {
        this.inPlace = false;
        return this;
    }

    /** One text for every kind and both languages. */
    OpRow any(String text) {
        return whole(text).floating(text);
    }

    /** One text for bools and integers, and both languages. */
    OpRow whole(String text) {
        return bool(text).integer(text);
    }

    /** One text for integers and floating numbers, and both languages. */
    OpRow number(String text) {
        return integer(text).floating(text);
    }

    OpRow number(String java, String cuda) {
        return integer(java, cuda).floating(java, cuda);
    }

    OpRow bool(String text) {
        return bool(text, text);
    }

    OpRow bool(String java, String cuda) {
        return put(Kind.BOOL, java, cuda);
    }

    OpRow integer(String text) {
        return integer(text, text);
    }

    OpRow integer(String java, String cuda) {
        return put(Kind.INTEGER, java, cuda);
    }

    OpRow floating(String text) {
        return floating(text, text);
    }

    OpRow floating(String java, String cuda) {
        return put(Kind.FLOATING, java, cuda);
    }

    /**
     * The text where a reduced floating dtype is computed step by step, each rounded, and not as float32; {@code $h} is the name of its
     * conversions.
     */
    OpRow reduced(String java, String cuda) {
        reduced = new Template(java, cuda);
        return this;
    }

    /** The text over vectors of float32, where the Vector API has it with the same bits. */
    OpRow vector(String java) {
        vector = java;
        return this;
    }

    /**
     * The call of {@link io.github.broadloom.cpu.simd.Simd} that computes it for arrays of floats: placeholders as in templates, and
     * {@code $out} and {@code $n} for the array of results and their number. Parameters are numbers, not arrays.
     */
    OpRow floats(String call) {
        arrays.put(Kind.FLOATING, call);
        return this;
    }

    /** The call for arrays of floats and for arrays of ints. */
    OpRow words(String call) {
        arrays.put(Kind.INTEGER, call);
        return floats(call);
    }

    /** The call that chooses, for arrays of floats, by this comparison: $2 where it holds, else $3. */
    OpRow choosing(String call) {
        choice = call;
        return this;
    }

    /** What is said for every kind that has no template; {@code $D} is PyTorch's name of the dtype. */
    OpRow refusing(String text) {
        this.refusal = text;
        return this;
    }

    /**
     * Of values of these kinds, a plain number as the last argument stands in a kernel's text, because it decides what code there is: a division by
     * a known integer is a multiplication, a multiplication is shifts and additions. All other numbers are given when a kernel is run.
     */
    OpRow numberInText(Kind... kinds) {
        this.inText = Set.of(kinds);
        return this;
    }

    OpRow is(Op.Trait... which) {
        traits.addAll(List.of(which));
        return this;
    }

    /** The sign of the string language, before one argument or between two; 1 binds most loosely. */
    OpRow sign(String text, int precedence) {
        this.sign = new Op.Sign(text, precedence);
        return this;
    }

    /** What it is of plain integers, where the text would wrap. */
    OpRow ofIntegers(PythonNumbers.OfIntegers function) {
        this.ofIntegers = function;
        return this;
    }

    /** What it is of plain numbers, where the text would wrap, or divide by zero. */
    OpRow ofNumbers(PythonNumbers.OfIntegers integers, PythonNumbers.OfReals reals) {
        this.ofReals = reals;
        return ofIntegers(integers);
    }

    OpRow ulp(int permitted) {
        this.ulp = permitted;
        return this;
    }

    OpRow doc(String line) {
        this.doc = line;
        return this;
    }

    private OpRow put(Kind kind, String java, String cuda) {
        templates.put(kind, new Template(java, cuda));
        return this;
    }
}
