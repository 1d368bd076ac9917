package io.github.broadloom.cpu.code;

import io.github.broadloom.cpu.code.Node.Form;
import io.github.broadloom.cpu.code.Node.Text;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.kernels.HalfRounding;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Access;
import io.github.broadloom.kernels.KernelSpec.Constant;
import io.github.broadloom.kernels.KernelSpec.Convert;
import io.github.broadloom.kernels.KernelSpec.Load;
import io.github.broadloom.kernels.KernelSpec.Operation;
import io.github.broadloom.kernels.KernelSpec.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A {@link KernelSpec} as values that are computed in loops, by operators, or in calls of {@link
 * io.github.broadloom.cpu.simd.Simd} and {@link io.github.broadloom.cpu.simd.Casts}, for what the JIT compiler does not vectorise in a loop.
 */
final class KernelPlan {
    private final KernelSpec spec;
    private final HalfRounding rounding;
    private final List<Node> nodes = new ArrayList<>();
    private final int[] valueOf;
    private final Node result;

    private KernelPlan(KernelSpec spec) {
        this.spec = spec;
        this.rounding = new HalfRounding(spec.steps());
        this.valueOf = new int[spec.steps().size()];
        for (int step = 0; step < valueOf.length; step++) {
            int value = value(spec.steps().get(step));
            valueOf[step] =
                    rounding.isRounded(step) ? rounded(spec.steps().get(step).dtype(), value) : value;
        }
        this.result = stored(nodes.get(valueOf[valueOf.length - 1]));
    }

    static KernelPlan of(KernelSpec spec) {
        return new KernelPlan(spec);
    }

    /** The values; arguments come first. Some may be of no use. */
    List<Node> nodes() {
        return nodes;
    }

    Node node(int id) {
        return nodes.get(id);
    }

    Node result() {
        return result;
    }

    /** Whether a value is the result and comes from a call, so that no loop writes it. */
    boolean isWrittenByCall(Node node) {
        return node.id() == result.id() && node.is(Form.CALL) && node.isVarying();
    }

    private int value(Step step) {
        if (step instanceof Load load) {
            return load(load);
        }
        if (step instanceof Convert convert) {
            return convert(convert);
        }
        if (step instanceof Operation operation) {
            return operation(operation);
        }
        if (step instanceof KernelSpec.Number number) {
            String name = NumberFields.name(number);
            return add(Form.NUMBER, number.dtype(), Access.CONSTANT, List.of(), names -> name, -1);
        }
        Constant constant = (Constant) step;
        String text = JavaValues.TEXT.constant(constant.value(), constant.dtype());
        return add(Form.LITERAL, constant.dtype(), Access.CONSTANT, List.of(), names -> text, -1);
    }

    private int load(Load load) {
        Access access = spec.operands().get(load.operand()).access();
        Optional<String> call = access == Access.VARYING ? ArrayCalls.load(load.dtype()) : Optional.empty();
        if (call.isPresent()) {
            return call(call.get(), load.dtype(), access, List.of(storedElements(load)));
        }
        Text text = names -> JavaValues.TEXT.read(load.dtype(), names.get(0));
        return add(Form.ELEMENT, load.dtype(), access, List.of(), text, load.operand());
    }

    private int storedElements(Load load) {
        return add(Form.STORED, load.dtype(), Access.VARYING, List.of(), names -> names.get(0), load.operand());
    }

    private int convert(Convert convert) {
        int arg = valueOf[convert.arg()];
        DType from = convert.from();
        DType to = convert.dtype();
        if (ArrayCalls.isSameValue(from, to)) {
            return arg;
        }
        if (!nodes.get(arg).isVarying()) {
            return convertEach(from, to, arg);
        }
        if (spec.steps().get(convert.arg()) instanceof Load load
                && nodes.get(arg).is(Form.CALL)) {
            Optional<String> atOnce = ArrayCalls.loadAs(from, to);
            if (atOnce.isPresent()) {
                return call(atOnce.get(), to, Access.VARYING, List.of(storedElements(load)));
            }
        }
        if (to == DType.BOOL && from.bytes() <= 4) {
            int zero = add(
                    Form.LITERAL, from, Access.CONSTANT, List.of(), names -> from.isFloatingPoint() ? "0f" : "0", -1);
            return call("Simd.ne", to, Access.VARYING, List.of(arg, zero));
        }
        return ArrayCalls.convert(from, to)
                .map(name -> call(name, to, Access.VARYING, List.of(arg)))
                .orElseGet(() -> convertEach(from, to, arg));
    }

    private int convertEach(DType from, DType to, int arg) {
        return plain(to, List.of(arg), names -> JavaValues.TEXT.convert(from, to, names.get(0)));
    }

    private int operation(Operation operation) {
        List<Integer> args = operation.args().stream().map(arg -> valueOf[arg]).toList();
        Access extent = extent(args);
        if (operation.op() == Ops.WHERE && extent == Access.VARYING) {
            OptionalInt choice = choice(operation);
            if (choice.isPresent()) {
                return choice.getAsInt();
            }
        }
        boolean sameInLoops = operation.op().ulp() == 0; // whether a loop gives the bits that the call gives
        if (operation.op().hasArrayFunction(operation.compute()) && (extent == Access.VARYING || !sameInLoops)) {
            int arity = operation.op().arity();
            List<Integer> numbers = args.subList(arity, args.size());
            Text text = names -> {
                List<String> all = new ArrayList<>(names.subList(0, arity));
                numbers.forEach(number -> all.add(nodes.get(number).text().of(List.of())));
                return operation.op().arrayCall(operation.compute(), all, names.get(arity), names.get(arity + 1));
            };
            return add(Form.CALL, operation.dtype(), extent, args.subList(0, arity), text, -1);
        }
        return plain(operation.dtype(), args, names -> {
            String text = operation.op().java(operation.compute(), names);
            return JavaValues.TEXT.result(operation.compute(), operation.dtype(), text);
        });
    }

    /** A choice whose condition is a comparison, as one call: truths would be written and read again. */
    private OptionalInt choice(Operation where) {
        boolean isOfFloats = where.compute() == DType.FLOAT32
                && spec.steps().get(where.args().get(0)) instanceof Operation condition
                && condition.compute() == DType.FLOAT32
                && condition.op().hasChoice();
        if (!isOfFloats) {
            return OptionalInt.empty();
        }
        Operation condition = (Operation) spec.steps().get(where.args().get(0));
        List<Integer> args = Stream.concat(condition.args().stream(), where.args().subList(1, 3).stream())
                .map(arg -> valueOf[arg])
                .toList();
        Text text = names -> condition.op().choiceCall(names.subList(0, 4), names.get(4), names.get(5));
        return OptionalInt.of(add(Form.CALL, where.dtype(), Access.VARYING, args, text, -1));
    }

    /** A value of a reduced floating dtype that is one, not only close to it. */
    private int rounded(DType dtype, int value) {
        Node node = nodes.get(value);
        return node.isVarying()
                ? call(ArrayCalls.round(dtype), dtype, Access.VARYING, List.of(value))
                : plain(dtype, List.of(value), names -> JavaValues.rounded(dtype, names.get(0)));
    }

    /** The value as an element of the result. */
    private Node stored(Node value) {
        return ArrayCalls.store(spec.dtype())
                .map(name -> nodes.get(call(name, spec.dtype(), Access.VARYING, List.of(value.id()))))
                .orElse(value);
    }

    private int call(String function, DType dtype, Access extent, List<Integer> args) {
        Text text = names -> function + "(" + String.join(", ", names) + ")";
        return add(Form.CALL, dtype, extent, args, text, -1);
    }

    private int plain(DType dtype, List<Integer> args, Text text) {
        return add(Form.PLAIN, dtype, extent(args), args, text, -1);
    }

    private Access extent(List<Integer> args) {
        Access extent = Access.CONSTANT;
        for (int arg : args) {
            Access other = nodes.get(arg).extent();
            extent = extent.compareTo(other) < 0 ? other : extent;
        }
        return extent;
    }

    private int add(Form form, DType dtype, Access extent, List<Integer> args, Text text, int operand) {
        nodes.add(new Node(nodes.size(), form, dtype, extent, args, text, operand));
        return nodes.size() - 1;
    }
}
