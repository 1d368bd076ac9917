package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.KernelParameters.Struct;
import io.github.broadloom.cuda.code.Pieces.Piece;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A kernel of some family. All have in common the name, the streams among the parameters, and the function {@code value} from one element of each operand
 * to the element of the result.
 */
abstract class PointwiseKernel {
    /** The threads of a block: as many as every family likes, and few enough for 128 registers each to let two blocks share a multiprocessor. */
    static final int THREADS = 256;

    private static final int LONGEST_NAME = 40;

    final Loops loops;
    final int vector;

    final KernelParameters parameters = new KernelParameters(Integer.MAX_VALUE);
    private final KernelSpec spec;
    private final CudaProgramText program;

    PointwiseKernel(KernelSpec spec, Loops loops, int vector) {
        this.spec = spec;
        this.loops = loops;
        this.vector = vector;
        this.program = CudaProgramText.of(spec, PointwiseKernel::stream);
        for (int k = 0; k < loops.result(); k++) {
            parameters.stream("const " + type(k), stream(k), k, loops.bytes(k));
        }
        parameters.stream(resultType(), "y", loops.result(), loops.bytes(loops.result()));
        parameters.pointer("u32", "error", new Address(loops.streams(), 0));
        parameters.given(spec, 0);
        for (int loop = 0; loop < loops.rank(); loop++) {
            for (int k = 0; k < loops.streams(); k++) {
                long stride = loops.strides()[k][loop];
                parameters.word(name(k) + "_s" + loop, piece -> stride);
            }
        }
    }

    abstract String family();

    abstract String about();

    /** The text, but for what is before the function {@code value}, and that. */
    abstract String kernel(String entry);

    abstract long blocks(Piece piece);

    final List<CudaLaunch> launches(List<Piece> pieces) {
        String entry = entry();
        String functions = valueFunction() + "\n" + kernel(entry);
        Struct struct = parameters.readBy(functions);
        List<DType> dtypes = loops.dtypes();
        String operands = operands().stream().map(k -> dtypes.get(k).toString()).collect(Collectors.joining(", "));
        String text = "// " + operands + " to " + dtypes.get(loops.result()) + ": " + about() + "\n"
                + struct.declaration() + "\n" + functions;
        CudaSource source = new CudaSource(entry, Prelude.before(text));
        return pieces.stream()
                .map(piece -> new CudaLaunch(source, Math.toIntExact(blocks(piece)), THREADS, struct.arguments(piece)))
                .toList();
    }

    /** The name of the kernel: its operations, as far as they go, and its family. */
    private String entry() {
        String operations = spec.steps().stream()
                .filter(Operation.class::isInstance)
                .map(step -> ((Operation) step).op().name())
                .collect(Collectors.joining("_"));
        String name = operations.isEmpty() ? "copy" : operations;
        String cut = name.length() <= LONGEST_NAME
                ? name
                : name.substring(0, LONGEST_NAME).replaceFirst("_[^_]*$", "");
        return cut + "_" + family();
    }

    private String valueFunction() {
        List<String> taken = new ArrayList<>(List.of("const Par& p"));
        operands().forEach(k -> taken.add(type(k) + " " + stream(k)));
        if (program.mayFail()) {
            taken.add("bool& " + CudaProgramText.ERROR);
        }
        String head = "BL_DEVICE " + resultType() + " value(" + String.join(", ", taken) + ") {\n";
        return program.body().stream().map(line -> "  " + line + "\n").collect(Collectors.joining("", head, "}\n"));
    }

    /** The entry of a kernel that runs over a row of equal tiles, the last of which may be cut short. */
    static void rowOfTiles(CodeText code, String entry) {
        code.blank();
        code.open("extern \"C\" __global__ void __launch_bounds__(%d) %s(const Par p)".formatted(THREADS, entry));
        code.line("if (blockIdx.x + 1 < gridDim.x) tile<false>(p);");
        code.line("else tile<true>(p);");
        code.close();
    }

    static String stream(int operand) {
        return "x" + operand;
    }

    String name(int stream) {
        return stream == loops.result() ? "y" : stream(stream);
    }

    String type(int stream) {
        return loops.dtypes().get(stream).cudaName();
    }

    String packetType(int stream) {
        return "bl_Packet<" + type(stream) + ", " + vector + ">";
    }

    String resultType() {
        return type(loops.result());
    }

    List<Integer> operands() {
        return IntStream.range(0, loops.result()).boxed().toList();
    }

    List<Integer> varying() {
        return operands().stream().filter(k -> !loops.isConstant(k)).toList();
    }

    /** How many packets a thread has under way; operands that are broadcast mostly come out of a cache and do not count. */
    int unroll() {
        int bytes = operands().stream()
                .filter(loops::isVisitedOnce)
                .mapToInt(k -> loops.bytes(k) * vector)
                .sum();
        int perPacket = Math.max(1, bytes);
        int wanted = Math.max(2, FoldForm.BYTES_IN_FLIGHT / perPacket);
        int most = Math.max(1, Math.min(FoldForm.MOST_UNROLLED, FoldForm.MOST_BYTES / perPacket));
        return Integer.highestOneBit(Math.min(wanted, most));
    }

    String value(List<String> elements) {
        List<String> arguments = new ArrayList<>(List.of("p"));
        arguments.addAll(elements);
        if (program.mayFail()) {
            arguments.add(CudaProgramText.ERROR);
        }
        return "value(" + String.join(", ", arguments) + ")";
    }

    void declareError(CodeText code) {
        if (program.mayFail()) {
            code.line("bool bl_error = false;");
        }
    }

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

    String loadPacket(int operand, String index) {
        String function = loops.isVisitedOnce(operand) ? "bl_stream" : "bl_cached";
        return "%s<%d>(p.%s + %s)".formatted(function, vector, stream(operand), index);
    }

    /** Where a stream's element lies, by the indices {@code i0}, {@code i1} and so on, the innermost of which counts packets. */
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
}
