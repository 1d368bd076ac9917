package io.github.broadloom.cuda.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What all pointwise kernels have in common: the name, the streams among the fields, and the function {@code value} from one element of
 * each operand to the element of the result.
 */
final class KernelParts {
    private static final int LONGEST_NAME = 40;

    private final KernelSpec spec;
    private final Loops loops;
    private final CudaProgramText program;
    private final Fields fields = new Fields();

    KernelParts(KernelSpec spec, Loops loops) {
        this.spec = spec;
        this.loops = loops;
        this.program = CudaProgramText.of(spec, KernelParts::stream);
        for (int k = 0; k < loops.result(); k++) {
            fields.stream("const " + type(k), stream(k), k, loops.bytes(k));
        }
        fields.stream(type(loops.result()), "y", loops.result(), loops.bytes(loops.result()));
        fields.error(loops.streams());
        fields.given(spec);
        for (int loop = 0; loop < loops.rank(); loop++) {
            int at = loop;
            for (int k = 0; k < loops.streams(); k++) {
                long stride = loops.strides()[k][loop];
                fields.word(name(k) + "_s" + loop, piece -> stride);
            }
            fields.word("size" + loop, piece -> piece.sizes()[at]);
        }
    }

    Loops loops() {
        return loops;
    }

    Fields fields() {
        return fields;
    }

    /** The name of an operand. */
    static String stream(int operand) {
        return "x" + operand;
    }

    /** The name of a stream. */
    String name(int stream) {
        return stream == loops.result() ? "y" : stream(stream);
    }

    /** The type of a stream's elements in memory. */
    String type(int stream) {
        return loops.dtypes().get(stream).cudaName();
    }

    /** The type of the result's elements. */
    String resultType() {
        return type(loops.result());
    }

    List<Integer> operands() {
        return IntStream.range(0, loops.result()).boxed().toList();
    }

    /** The name of the kernel: its operations, as far as they go, and its family. */
    String entry(String family) {
        String operations = spec.steps().stream()
                .filter(Operation.class::isInstance)
                .map(step -> ((Operation) step).op().name())
                .collect(Collectors.joining("_"));
        String name = operations.isEmpty() ? "copy" : operations;
        String cut = name.length() <= LONGEST_NAME
                ? name
                : name.substring(0, LONGEST_NAME).replaceFirst("_[^_]*$", "");
        return cut + "_" + family.toLowerCase(Locale.ROOT);
    }

    /** Which dtypes go in and which comes out, for the first line of a kernel. */
    String signature() {
        List<DType> dtypes = loops.dtypes();
        return dtypes.subList(0, loops.result()).stream().map(DType::toString).collect(Collectors.joining(", "))
                + " to " + dtypes.get(loops.result());
    }

    /** The function {@code value}. */
    String valueFunction() {
        List<String> parameters = new ArrayList<>(List.of("const Par& p"));
        operands().forEach(k -> parameters.add(type(k) + " " + stream(k)));
        if (program.mayFail()) {
            parameters.add("bool& " + CudaProgramText.ERROR);
        }
        StringBuilder out = new StringBuilder();
        out.append("BL_DEVICE ").append(resultType()).append(" value(");
        out.append(String.join(", ", parameters)).append(") {\n");
        program.body().forEach(line -> out.append("  ").append(line).append('\n'));
        return out.append("}\n").toString();
    }

    /** A call of {@code value}. */
    String value(List<String> elements) {
        List<String> arguments = new ArrayList<>(List.of("p"));
        arguments.addAll(elements);
        if (program.mayFail()) {
            arguments.add(CudaProgramText.ERROR);
        }
        return "value(" + String.join(", ", arguments) + ")";
    }

    /** The declaration of the error, where there can be one. */
    void declareError(CodeText code) {
        if (program.mayFail()) {
            code.line("bool bl_error = false;");
        }
    }

    /** What tells the host of an error. */
    void reportError(CodeText code) {
        if (program.mayFail()) {
            code.line("if (bl_error) __stcs(p.error, 1u);");
        }
    }

    /** The loads of the operands that are one element, before everything else. */
    void loadConstants(CodeText code) {
        for (int k : operands()) {
            if (loops.isConstant(k)) {
                code.line("const %s %s = __ldg(p.%s);".formatted(type(k), stream(k), stream(k)));
            }
        }
    }

    /** How an operand's elements are loaded: those that are visited once only need no place in a cache. */
    String load(int operand, String index) {
        String function = loops.isVisitedOnce(operand) ? "__ldcs" : "__ldg";
        return function + "(p." + stream(operand) + (index.equals("0") ? "" : " + " + index) + ")";
    }

    /**
     * Where a stream's element lies, as an expression of the indices {@code i0}, {@code i1} and so on.
     *
     * @param packet what the innermost index counts: elements
     */
    String offset(int stream, int packet) {
        List<String> terms = IntStream.range(0, loops.rank())
                .filter(loop -> loops.strides()[stream][loop] != 0 && loops.sizes()[loop] != 1)
                .mapToObj(loop -> {
                    boolean unit = loops.strides()[stream][loop] == 1;
                    String index = "i" + loop + (loop == loops.inner() && packet > 1 ? " * " + packet : "");
                    return unit ? index : index + " * p." + name(stream) + "_s" + loop;
                })
                .toList();
        return terms.isEmpty() ? "0" : String.join(" + ", terms);
    }

    /** The translation unit of a kernel: prelude, first line, struct, {@code value}, and the kernel itself. */
    CudaSource source(String entry, String about, String kernel) {
        String functions = valueFunction() + "\n" + kernel;
        String text = "// " + signature() + ": " + about + "\n" + fields.declare(functions) + "\n" + functions;
        return new CudaSource(entry, Prelude.before(text));
    }
}
