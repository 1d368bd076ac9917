package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.FoldForm.Leaf;
import io.github.broadloom.cuda.code.FoldSource.Lifted;
import io.github.broadloom.cuda.code.FoldSource.Memory;
import io.github.broadloom.cuda.code.FoldSource.Operand;

/**
 * The device functions that read a line: {@code line_at} finds where it begins, {@code value} is the accumulator of one place in it, and
 * {@code packet} that of neighbours along it. Where blocks of moments are made of the values, they stay what they are: {@code element} and
 * {@code neighbours}.
 */
final class FoldLineText {
    private final FoldSource source;
    private final FoldForm form;
    private final boolean lifts;
    private final String type;

    /** The parameter by which an error of the program comes out. */
    private final boolean mayFail;

    FoldLineText(FoldSource source, FoldType type, FoldForm form) {
        this(source, form, form.leaf() == Leaf.VALUE, form.leaf() == Leaf.VALUE ? "acc" : type.valueType());
    }

    /** The functions {@code element} and {@code neighbours}, of values of a type. */
    FoldLineText(FoldSource source, FoldForm form, String type) {
        this(source, form, false, type);
    }

    private FoldLineText(FoldSource source, FoldForm form, boolean lifts, String type) {
        this.source = source;
        this.form = form;
        this.lifts = lifts;
        this.type = type;
        this.mayFail = source.mayFail();
    }

    boolean mayFail() {
        return mayFail;
    }

    String call(String function, String place) {
        return function + "(p, at, " + place + errorArgument() + ")";
    }

    String errorParameter() {
        return mayFail ? ", bool& " + CudaProgramText.ERROR : "";
    }

    String errorArgument() {
        return mayFail ? ", " + CudaProgramText.ERROR : "";
    }

    void declare(KernelParameters parameters) {
        for (int k = 0; k < source.operands().size(); k++) {
            Operand operand = source.operands().get(k);
            if (operand.memory() == Memory.DEVICE) {
                parameters.pointer("const " + operand.type(), "x" + k, operand.address());
            }
        }
        for (int k = 0; k < source.operands().size(); k++) {
            Operand operand = source.operands().get(k);
            strides(parameters, "x" + k + "_line", operand.kept());
            strides(parameters, "x" + k + "_step", operand.folded());
        }
        sizes(parameters, "lines", keptSizes());
        sizes(parameters, "steps", source.foldedSizes());
    }

    private static void strides(KernelParameters parameters, String name, long[] strides) {
        for (int loop = 0; loop < strides.length; loop++) {
            if (strides[loop] != 0 && strides[loop] != 1) {
                parameters.stride(name + loop, strides[loop]);
            }
        }
    }

    /** Of a nest of one loop the size is in no function. */
    private static void sizes(KernelParameters parameters, String name, long[] sizes) {
        for (int loop = 1; loop < sizes.length; loop++) {
            parameters.index(name + loop, sizes[loop]);
        }
    }

    private long[] keptSizes() {
        long[] sizes = source.keptSizes().clone();
        if (sizes.length > 0) {
            sizes[sizes.length - 1] /= form.columns();
        }
        return sizes;
    }

    String functions() {
        StringBuilder text = new StringBuilder();
        text.append("// Where a line begins in each operand.\nstruct Line {\n");
        text.append(source.each((k, operand) -> "  %s x%d;\n".formatted(held(operand), k)));
        text.append("};\n\n").append(lineAt()).append('\n').append(value());
        if (form.packet() > 1 || !lifts && form.leaf() == Leaf.VALUE) {
            text.append('\n').append(packet());
        }
        return text.toString();
    }

    private static String held(Operand operand) {
        return operand.memory() == Memory.REGISTER ? operand.type() : "const " + operand.type() + "*";
    }

    private String lineAt() {
        StringBuilder text = new StringBuilder("BL_DEVICE Line line_at(const Par& p, Index line");
        text.append(source.each(
                (k, operand) -> operand.memory() == Memory.DEVICE ? "" : ", %s x%d".formatted(held(operand), k)));
        text.append(") {\n");
        int loops = source.keptSizes().length;
        indices(text, "line", "lines", loops);
        String begins = source.each((k, operand) -> {
            String begin = operand.memory() == Memory.DEVICE
                    ? "p.x" + k + offset("x" + k + "_line", operand.kept(), "line", form.columns())
                    : "x" + k;
            return k == 0 ? begin : ", " + begin;
        });
        return text.append("  return {%s};\n}\n".formatted(begins)).toString();
    }

    /** Takes a flat index apart: the constants {@code line0}, {@code line1} and so on; of a nest of one loop it is the index. */
    private static void indices(StringBuilder text, String flat, String sizes, int loops) {
        if (loops > 1) {
            new Indices("Index", flat, sizes)
                    .declarations(flat, Indices.loops(0, loops))
                    .forEach(line -> text.append("  ").append(line).append('\n'));
        }
    }

    /** What an operand's pointer is moved by: one term for each loop in which it has a step. */
    private static String offset(String name, long[] strides, String flat, int innermostUnit) {
        StringBuilder text = new StringBuilder();
        for (int loop = 0; loop < strides.length; loop++) {
            String index = strides.length == 1 ? flat : flat + loop;
            boolean packets = loop == strides.length - 1 && innermostUnit > 1;
            String scaled = packets ? index + " * " + innermostUnit + "u" : index;
            if (strides[loop] == 1) {
                text.append(" + ").append(scaled);
            } else if (strides[loop] != 0) {
                text.append(" + (long long) %s * p.%s%d".formatted(packets ? "(" + scaled + ")" : index, name, loop));
            }
        }
        return text.toString();
    }

    String head(String function, String type) {
        return "BL_DEVICE " + type + " " + function + "(const Par& p, const Line& at, Index j" + errorParameter()
                + ") {\n";
    }

    /** The accumulator of the j-th value; across lines, of the j-th of each of them. */
    private String value() {
        StringBuilder text = new StringBuilder(head(lifts ? "value" : "element", type));
        indices(text, "j", "steps", source.foldedSizes().length);
        if (form.columns() == 1) {
            loads(text, 1, true);
            Lifted lifted = source.program().over(k -> "x" + k, "j");
            lifted.statements().forEach(line -> text.append("  ").append(line).append('\n'));
            return text.append("  return %s;\n}\n".formatted(lifted.one())).toString();
        }
        loads(text, form.columns(), false);
        text.append("  acc all;\n");
        each(text, form.columns(), "all.c[k]", false);
        return text.append("  return all;\n}\n").toString();
    }

    private String packet() {
        int width = form.packet();
        StringBuilder text = new StringBuilder();
        if (!lifts) {
            text.append("struct Neighbours {\n  %s e[%d];\n};\n\n".formatted(type, width));
        }
        text.append(lifts ? head("packet", type) : head("neighbours", "Neighbours"));
        indices(text, "j", "steps", source.foldedSizes().length);
        loads(text, width, true);
        text.append(lifts ? "  acc v[%d];\n".formatted(width) : "  Neighbours all;\n");
        each(text, width, lifts ? "v[k]" : "all.e[k]", true);
        return text.append(lifts ? "  return joined(v);\n}\n" : "  return all;\n}\n")
                .toString();
    }

    private void loads(StringBuilder text, int width, boolean along) {
        text.append(source.each((k, operand) -> {
            String address = "at.x" + k + offset("x" + k + "_step", operand.folded(), "j", 1);
            return isPacket(operand, width, along)
                    ? "  const bl_Packet<%s, %d> x%d = %s<%d>(%s);\n"
                            .formatted(operand.type(), width, k, packetLoad(operand), width, address)
                    : "  const %s x%d = %s;\n".formatted(operand.type(), k, load(operand, address));
        }));
    }

    private static String packetLoad(Operand operand) {
        boolean shared = operand.memory() == Memory.SHARED;
        return shared ? "bl_near" : operand.isReadOnce() ? "bl_stream" : "bl_cached";
    }

    private static String load(Operand operand, String address) {
        return switch (operand.memory()) {
            case DEVICE -> (operand.isReadOnce() ? "__ldcs(" : "__ldg(") + address + ")";
            case SHARED -> "*(" + address + ")";
            case REGISTER -> address;
        };
    }

    /** The variable that a program sets which fails. */
    String declareError() {
        return mayFail ? "  bool bl_error = false;\n" : "";
    }

    /** What tells the host of an error. */
    String reportError() {
        return mayFail ? "  if (bl_error) {\n    __stcg(p.error, 1u);\n  }\n" : "";
    }

    private static boolean isPacket(Operand operand, int width, boolean along) {
        return width > 1 && operand.innermost(along) == 1;
    }

    private void each(StringBuilder text, int width, String target, boolean along) {
        Lifted lifted = source.program()
                .over(
                        k -> isPacket(source.operands().get(k), width, along) ? "x" + k + ".e[k]" : "x" + k,
                        along ? "j + k" : "j");
        text.append("#pragma unroll\n  for (u32 k = 0; k < %du; k++) {\n".formatted(width));
        lifted.statements().forEach(line -> text.append("    ").append(line).append('\n'));
        text.append("    %s = %s;\n  }\n".formatted(target, lifted.one()));
    }
}
