package io.github.broadloom.expr.ops;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.ReducedFloat;
import io.github.broadloom.expr.Apply;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Literal;
import io.github.broadloom.expr.Names;
import io.github.broadloom.expr.math.Arith;
import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One pointwise operation: a row of the table {@link Ops}. The string-expression name, the documentation and the kernels
 * are made from the row.
 *
 * <p><b>Values inside a kernel.</b> bool is Java {@code boolean} (CUDA {@code bool}); uint8, int8, int16 and int32 are
 * {@code int}, uint8 as 0 to 255; int64 is {@code long} (CUDA {@code long long}); float16 and float32 are {@code float};
 * float64 is {@code double}. Before a template is filled, the renderer converts argument {@code i} to
 * {@link Apply#argumentType(int)}, so a template sees arguments of equal type ({@code where} alone has a boolean first).
 * After it, the renderer narrows a result of dtype uint8, int8 or int16 by two's complement and rounds one of float16 to
 * the nearest half; templates never do. An argument put into a template must be a primary expression: a name, a literal
 * in parentheses, a call, or a filled template.
 *
 * <p><b>Parameters</b> are plain numbers behind the arguments, such as the beta of softplus. They are literals, take no
 * part in promotion, and stand behind the arguments among the {@linkplain Apply#children() children}; what is left out
 * has its default.
 *
 * <p><b>Placeholders.</b> {@code $0 $1 $2} are the arguments, and after them the parameters; {@code $t} is the type of the values, and {@code $f} is
 * {@code f} for {@code float} and nothing for {@code double}, for the names of CUDA's functions.
 *
 * <p><b>Functions of arrays.</b> Beside its templates a row may name a call of {@code io.github.broadloom.cpu.simd.Simd} that computes
 * whole arrays of float, or of int, values. Where it has one and errors are permitted, the template is not used for such values, so that the
 * bits are the same everywhere.
 *
 * <p><b>Where Java and CUDA differ</b>, the rules are these, and both sides obey. Integers wrap. An integer divided by
 * zero is an {@link ArithmeticException} with PyTorch's text, {@code ZeroDivisionError}: a plain zero is refused when the
 * expression is built, a zero in a tensor when a kernel meets it. On the CPU the method of {@link Arith} throws; on
 * CUDA the {@code bl_} function sets the kernel's error flag and goes on with 0, and whoever launched the kernel reads
 * the flag and throws. Only elements of the result count: lanes past its end must not set the flag. The smallest
 * integer divided by -1 is itself, with remainder 0. Minimum, maximum and clamp give NaN where an operand is NaN.
 * {@code a * b + c} is never contracted into a fused multiply-add. A transcendental function of float32 is computed in
 * float64 and rounded on the CPU, and within {@link #ulp()} of the exact value on CUDA. float16 is computed in float32 and rounded
 * after every operation.
 *
 * <p>Rows are compared by identity and serialised by name.
 */
public final class Op implements Serializable {
    private static final long serialVersionUID = 1;

    private final String name;
    private final transient OpRow row;

    /** The text of an operation in both languages. */
    record Template(String java, String cuda) {}

    /**
     * A plain number behind the arguments.
     *
     * @param name PyTorch's name
     * @param shown the default, for people
     * @param value the default for a dtype of the result
     */
    public record Parameter(String name, String shown, Function<DType, Object> value) {}

    /** How it is written in the string language: before its one argument or between two; 1 binds most loosely. */
    public record Sign(String text, int precedence) {}

    /** What holds for all values. */
    public enum Trait {
        /** It gives back what it has once given. */
        IDEMPOTENT,
        /** It undoes itself. */
        INVOLUTION,
        /** Of values of a reduced floating dtype it gives such values, so that nothing is rounded. */
        KEEPS_REDUCED,
        /** To round to a reduced floating dtype before it, or after it, is the same. */
        PASSES_ROUNDING,
        /** It compares two values, under a name that the Vector API has, too. */
        COMPARISON
    }

    Op(OpRow row) {
        this.name = row.name;
        this.row = row;
    }

    /**
     * The row of that name.
     *
     * @throws IllegalArgumentException where there is none
     */
    public static Op of(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("Cannot find operation: '" + name + "'; "
                        + Names.meant(name, Ops.names()).orElse("docs/ops.md lists all operations")));
    }

    public static Optional<Op> find(String name) {
        return Optional.ofNullable(Ops.BY_NAME.get(name));
    }

    /** The row of that name or other name, if there is one. */
    public static Optional<Op> findByAnyName(String name) {
        return find(name).or(() -> Optional.ofNullable(Ops.BY_ALIAS.get(name)));
    }

    public static List<Op> all() {
        return List.copyOf(Ops.BY_NAME.values());
    }

    public String name() {
        return name;
    }

    /** How many arguments it takes, {@linkplain #parameters() parameters} not counted: 1 to 3. */
    public int arity() {
        return row.arity;
    }

    /** PyTorch's names of the arguments. */
    public List<String> arguments() {
        return row.arguments;
    }

    /** The plain numbers behind the arguments. */
    public List<Parameter> parameters() {
        return Collections.unmodifiableList(row.parameters);
    }

    public Literal defaultOf(int parameter, List<Expr> operands) {
        return Literal.of(row.parameters.get(parameter).value().apply(DTypeRule.promoted(operands)));
    }

    /** Other names that PyTorch and NumPy have for it. */
    public List<String> aliases() {
        return row.aliases;
    }

    public DTypeRule rule() {
        return row.rule;
    }

    /** Whether a plain number as that argument, of that dtype, decides what code there is, and so stands in a kernel's text. */
    public boolean isInText(int argument, DType dtype) {
        return argument == row.arity - 1 && row.inText.contains(dtype.kind());
    }

    /**
     * The methods of a tensor that name it, one for each text: its letters are what it takes behind the first argument, T a tensor and N a
     * plain number. Where its row does not say otherwise, all arguments are tensors or all are numbers, with all parameters or without.
     */
    public List<String> overloads() {
        if (row.overloads != null) {
            return row.overloads;
        }
        int others = row.arity - 1;
        return Stream.of("T".repeat(others), "N".repeat(others))
                .flatMap(kinds -> Stream.of(kinds, kinds + "N".repeat(row.parameters.size())))
                .distinct()
                .toList();
    }

    /** Whether it has methods that write it over its first argument, too. */
    public boolean isInPlace() {
        return row.inPlace;
    }

    /** The permitted error of a floating result against the exact value, in units of the last place; 0 is exact. */
    public int ulp() {
        return row.ulp;
    }

    public boolean is(Trait trait) {
        return row.traits.contains(trait);
    }

    /** How it is written where it is no call, or null. */
    public @Nullable Sign sign() {
        return row.sign;
    }

    PythonNumbers.@Nullable OfIntegers ofIntegers() {
        return row.ofIntegers;
    }

    PythonNumbers.@Nullable OfReals ofReals() {
        return row.ofReals;
    }

    /** The sign between two arguments, which people read more easily than a call. */
    public Optional<String> infix() {
        return Optional.ofNullable(row.arity == 2 && row.sign != null ? row.sign.text() : null);
    }

    public String doc() {
        return row.doc;
    }

    /** Whether there is a kernel for arguments of that dtype. */
    public boolean supports(DType dtype) {
        return row.templates.containsKey(dtype.kind());
    }

    /**
     * The Java expression of this operation on arguments that already have the type of {@code compute}.
     *
     * @throws IllegalArgumentException where {@link #supports} says no
     */
    public String java(DType compute, List<String> arguments) {
        String text = naming(
                compute, template(compute).java(), format -> format.methods().getSimpleName());
        return fill(text, compute.valueType().javaName(), compute, arguments);
    }

    /** Whether there is a Java expression over vectors of float32. */
    public boolean hasVector() {
        return row.vector != null;
    }

    /**
     * The Java expression over {@code FloatVector}s of the incubating Vector API, with the bits of {@link #java}. Every call
     * in it is cast, because Janino takes the erased return type.
     *
     * @throws IllegalArgumentException where {@link #hasVector} says no
     */
    public String vector(List<String> arguments) {
        if (row.vector == null) {
            throw new IllegalArgumentException("Cannot render " + name + " over vectors: its row has no text for them");
        }
        return fill(row.vector, "FloatVector", DType.FLOAT32, arguments);
    }

    /** The CUDA C expression, as {@link #java(DType, List)}. */
    public String cuda(DType compute, List<String> arguments) {
        String text = naming(compute, template(compute).cuda(), ReducedFloat::cudaName);
        return fill(text, compute.valueType().cudaName(), compute, arguments);
    }

    /** Whether {@code io.github.broadloom.cpu.simd.Simd} computes it for arrays of such arguments; 4 bytes are the widest. */
    public boolean hasArrayFunction(DType compute) {
        return row.arrays.containsKey(compute.kind())
                && compute.valueType().element().bytes() == Integer.BYTES;
    }

    /**
     * The Java call that computes this operation for whole arrays.
     *
     * @param arguments the arrays, behind them the parameters as numbers
     * @param out the array of results
     * @param n how many there are
     * @throws IllegalArgumentException where {@link #hasArrayFunction} says no
     */
    public String arrayCall(DType compute, List<String> arguments, String out, String n) {
        if (!hasArrayFunction(compute)) {
            throw new IllegalArgumentException("Cannot call " + name + " for arrays of " + compute + ": none is known");
        }
        String call = String.valueOf(row.arrays.get(compute.kind()));
        return fill(
                call.replace("$out", out).replace("$n", n), compute.valueType().javaName(), compute, arguments);
    }

    /** Whether there is a call that chooses between floats by this comparison of floats. */
    public boolean hasChoice() {
        return row.choice != null;
    }

    /**
     * The Java call that chooses, for whole arrays, by this comparison, so that no truths are written and read again.
     *
     * @param arrays what is compared, behind it what is chosen where it holds, and where not
     * @throws IllegalArgumentException where {@link #hasChoice} says no
     */
    public String choiceCall(List<String> arrays, String out, String n) {
        if (row.choice == null) {
            throw new IllegalArgumentException("Cannot choose by " + name + " for arrays: no call is known");
        }
        return fill(row.choice.replace("$out", out).replace("$n", n), "float", DType.FLOAT32, arrays, row.arity + 2);
    }

    /** A text in which the name of a reduced floating dtype's conversions stands. */
    private static String naming(DType compute, String text, Function<ReducedFloat, String> name) {
        return compute.isReducedFloatingPoint() ? text.replace("$h", name.apply(compute.reduced())) : text;
    }

    public Template template(DType compute) {
        Template template = compute.isReducedFloatingPoint() && row.reduced != null
                ? row.reduced
                : row.templates.get(compute.kind());
        if (template == null) {
            throw new IllegalArgumentException(refusal(compute));
        }
        return template;
    }

    /**
     * Refuses, before any shape is looked at, a dtype for which PyTorch's function has a sentence of its own; a missing
     * kernel is noticed last.
     */
    public void checkDType(DType compute) {
        if (!supports(compute) && !refusal(compute).contains("not implemented for")) {
            throw new IllegalArgumentException(refusal(compute));
        }
    }

    private String refusal(DType compute) {
        String text = row.refusal == null ? "\"" + name + "_cpu\" not implemented for '$D'" : row.refusal;
        return text.replace("$D", compute.typeName());
    }

    private String fill(String template, String type, DType compute, List<String> values) {
        return fill(template, type, compute, values, row.arity + row.parameters.size());
    }

    private String fill(String template, String type, DType compute, List<String> values, int wanted) {
        if (values.size() != wanted) {
            throw new IllegalArgumentException(
                    "Cannot render " + name + ": " + values.size() + " arguments; give " + wanted);
        }
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < template.length(); i++) {
            char c = template.charAt(i);
            if (c != '$') {
                out.append(c);
                continue;
            }
            char what = template.charAt(++i);
            switch (what) {
                case 't' -> out.append(type);
                case 'f' -> out.append(compute == DType.FLOAT64 ? "" : "f");
                default -> out.append(values.get(what - '0'));
            }
        }
        return out.toString();
    }

    private Object readResolve() {
        return of(name);
    }

    @Override
    public String toString() {
        return name;
    }
}
