package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Given;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.HalfRounding;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Constant;
import io.github.broadloom.kernels.KernelSpec.Convert;
import io.github.broadloom.kernels.KernelSpec.Load;
import io.github.broadloom.kernels.KernelSpec.Operation;
import io.github.broadloom.kernels.KernelSpec.Step;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/**
 * The program of a specification as CUDA C, for one element: statements, and the expression of the result. What sits around them, the
 * loops, the loads and the store, is up to the kernel.
 *
 * <p>The numbers that a call gives are fields of {@code p}, the kernel's parameter, which must be in scope.
 *
 * <p>An operation that divides integers sets a variable {@code bool bl_error}, which the kernel must have declared and initialised to
 * {@code false}, where a divisor is 0; see {@link #mayFail}.
 *
 * @param lines the statements, without indentation, each declaring a constant
 * @param value the result as a primary expression of the type that it is computed in; of float16 a float, maybe not rounded to a half
 *     yet
 * @param dtype the dtype of the result
 * @param open whether the value of a reduced floating dtype is still to be rounded
 */
public record CudaProgramText(List<String> lines, String value, DType dtype, boolean open) {
    static final String ERROR = "bl_error";

    public CudaProgramText {
        lines = List.copyOf(lines);
    }

    /**
     * The program over given elements.
     *
     * @param loads the text of an operand's stored element, by the operand's number: a primary expression of the type that {@link
     *     DType#cudaName()} names
     */
    public static CudaProgramText of(KernelSpec spec, IntFunction<String> loads) {
        return new Writer(spec, loads).write();
    }

    public boolean mayFail() {
        return lines.stream().anyMatch(line -> line.contains(ERROR));
    }

    /** The result as a value of exactly its dtype: {@link #value}, rounded where that is a reduced floating one. */
    public String rounded() {
        return open ? CudaValues.rounded(dtype, value) : value;
    }

    public String stored() {
        return CudaValues.TEXT.write(dtype, value);
    }

    /** The body of a function that returns the result as an element to store. */
    List<String> body() {
        List<String> body = new ArrayList<>(lines);
        String last = lines.isEmpty() ? "" : lines.get(lines.size() - 1);
        String declaration = "const " + dtype.valueType().cudaName() + " " + value + " = ";
        if (last.startsWith(declaration)) {
            String text = last.substring(declaration.length(), last.length() - 1);
            body.set(body.size() - 1, "return " + CudaValues.TEXT.write(dtype, text) + ";");
        } else {
            body.add("return " + stored() + ";");
        }
        return body;
    }

    private static final class Writer {
        private static final Pattern PRIMARY = Pattern.compile("[\\w.\\[\\]]+|\\(-[\\w.]+( - 1)?\\)");

        private final List<Step> steps;
        private final IntFunction<String> loads;
        private final HalfRounding rounding;
        private final List<String> lines = new ArrayList<>();
        private final String[] values;

        Writer(KernelSpec spec, IntFunction<String> loads) {
            this.steps = spec.steps();
            this.loads = loads;
            this.rounding = new HalfRounding(steps);
            this.values = new String[steps.size()];
        }

        CudaProgramText write() {
            BitSet used = used();
            for (int i = 0; i < values.length; i++) {
                if (used.get(i)) {
                    values[i] = value(i);
                }
            }
            int last = values.length - 1;
            return new CudaProgramText(lines, values[last], steps.get(last).dtype(), rounding.isOpen(last));
        }

        private BitSet used() {
            BitSet used = new BitSet();
            used.set(steps.size() - 1);
            for (int user = steps.size() - 1; user >= 0; user--) {
                if (used.get(user)) {
                    steps.get(user).args().forEach(used::set);
                }
            }
            return used;
        }

        private String value(int index) {
            Step step = steps.get(index);
            String text = text(step);
            boolean named = isPrimary(text);
            if (rounding.isRounded(index)) {
                return declare(step.dtype(), CudaValues.rounded(step.dtype(), strip(text)));
            }
            return named ? text : declare(step.dtype(), strip(text));
        }

        private String text(Step step) {
            if (step instanceof Load load) {
                return CudaValues.TEXT.read(load.dtype(), loads.apply(load.operand()));
            }
            if (step instanceof KernelSpec.Number number) {
                return "p." + new Given(number.number(), number.dtype()).name();
            }
            if (step instanceof Constant constant) {
                return CudaValues.TEXT.constant(constant.value(), constant.dtype());
            }
            if (step instanceof Convert convert) {
                String arg = values[convert.arg()];
                boolean same = CudaValues.isSameValue(convert.from(), convert.dtype());
                return same ? arg : CudaValues.TEXT.convert(convert.from(), convert.dtype(), arg);
            }
            Operation operation = (Operation) step;
            List<String> args =
                    operation.args().stream().map(arg -> values[arg]).toList();
            String text = operation.op().cuda(operation.compute(), args);
            if (args.contains(text)) { // it is what it was, as an integer rounded down is
                return text;
            }
            return CudaValues.TEXT.result(operation.compute(), operation.dtype(), text);
        }

        private String declare(DType dtype, String text) {
            String name = "t" + lines.size();
            lines.add("const " + dtype.valueType().cudaName() + " " + name + " = " + text + ";");
            return name;
        }

        /** Whether a text may be repeated as often as it is used: a name, an element or a number. */
        private static boolean isPrimary(String text) {
            return PRIMARY.matcher(text).matches();
        }

        private static String strip(String text) {
            return text.startsWith("(") && closing(text) == text.length() - 1
                    ? text.substring(1, text.length() - 1)
                    : text;
        }

        private static int closing(String text) {
            int depth = 0;
            for (int i = 0; i < text.length(); i++) {
                depth += text.charAt(i) == '(' ? 1 : text.charAt(i) == ')' ? -1 : 0;
                if (depth == 0) {
                    return i;
                }
            }
            return -1;
        }
    }
}
