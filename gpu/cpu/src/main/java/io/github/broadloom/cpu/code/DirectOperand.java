package io.github.broadloom.cpu.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.kernels.KernelSpec.Access;

/**
 * The Java text with which a {@link DirectKernel} reads one operand. Operand 3 has the place {@code p3}, in which the row begins
 * at {@code a3}; {@code b3} is where the piece of the row begins, or the row itself where rows are taken whole. What is staged is
 * read into an array {@code h3} first.
 *
 * @param inPieces whether the kernel goes over a row in pieces
 * @param isStaged whether it reads the operand through an array
 * @param isSegment whether it reads vectors from a memory segment {@code m3}
 */
record DirectOperand(int number, DType dtype, Access access, boolean inPieces, boolean isStaged, boolean isSegment) {
    /** The memory of a buffer, behind its declaration. */
    static final String SEGMENT = "        MemorySegment m# = (MemorySegment) Segments.of(p#);\n";

    /** An operand of a kernel; one with an element for each row, or for each column, is not staged. */
    static DirectOperand of(int number, KernelSpec.Operand operand, boolean inPieces, DirectKernel.Reach reach) {
        boolean isStaged = (operand.access() == Access.VARYING || operand.access() == Access.PERIOD)
                && reach.isStaged(operand.dtype());
        boolean isSegment = reach == DirectKernel.Reach.IN_SEGMENTS
                && !isStaged
                && (operand.access() == Access.VARYING || operand.access() == Access.PERIOD);
        return new DirectOperand(number, operand.dtype(), operand.access(), inPieces, isStaged, isSegment);
    }

    private String text(String template) {
        return template.replace("#", Integer.toString(number)).replace("BYTES_OF", Integer.toString(dtype.bytes()));
    }

    String declaration() {
        String indent = "        ";
        String place =
                access == Access.COLUMN ? "float[] p# = (float[]) in[#];" : "ByteBuffer p# = (ByteBuffer) in[#];";
        String also = isStaged ? indent + array() + "\n" : isSegment ? SEGMENT : "";
        return text(indent + place + "\n" + also);
    }

    private String array() {
        String element =
                dtype.isReducedFloatingPoint() ? "float" : dtype.primitive().javaName();
        return element + "[] h# = pieces." + element + "s(#);";
    }

    private String read(String at, String count) {
        if (dtype.isReducedFloatingPoint()) {
            String widen = ArrayCalls.load(dtype).orElseThrow();
            return text("%s(pieces.stored(p#, %s, %s), h#, %3$s);\n".formatted(widen, at, count));
        }
        return text("pieces.read(p#, %s, h#, %s);\n".formatted(at, count));
    }

    String row() {
        String indent = "            ";
        String begin = text(indent + "int a# = at[#] + r * steps[#];\n");
        return isStaged && access == Access.PERIOD ? begin + indent + read("a#", "8") : begin;
    }

    /** Where a piece of it begins. */
    String piece() {
        String indent = "            ";
        if (access == Access.COLUMN) {
            return text(indent + "int b# = first;\n");
        }
        if (access != Access.VARYING) {
            return "";
        }
        String begin = text(indent + "int b# = a# + BYTES_OF * first;\n");
        return isStaged ? begin + indent + read("b#", "n") : begin;
    }

    /**
     * Eight elements, of bools as ints, else as floats. Nothing but calls of the API: C2 may decide not to inline a method that
     * gives a vector, and boxes what it gives.
     */
    String vector() {
        if (access == Access.COLUMN) {
            return text("FloatVector.fromArray(FLOATS, p#, " + column() + ")");
        }
        if (isStaged) {
            return load("fromArray(%s, " + text("h#, ") + (access == Access.PERIOD ? "0)" : "c)"));
        }
        String from = isSegment ? "fromMemorySegment(%s, m#, " : "fromByteBuffer(%s, p#, ";
        return load(text(from) + position("0") + ", ORDER)");
    }

    private String load(String from) {
        String bytes =
                "((IntVector) ByteVector." + from.formatted("BYTES") + ".convertShape(VectorOperators.B2I, INTS, 0))";
        return switch (dtype.primitive()) {
            case BYTE -> dtype == DType.BOOL ? bytes : floats(dtype.isSigned() ? bytes : bytes + ".and(255)");
            case SHORT ->
                dtype.isReducedFloatingPoint()
                        ? "FloatVector." + from.formatted("FLOATS")
                        : floats("ShortVector." + from.formatted("SHORTS")
                                + ".convertShape(VectorOperators.S2I, INTS, 0)");
            case INT -> floats("IntVector." + from.formatted("INTS"));
            case FLOAT -> "FloatVector." + from.formatted("FLOATS");
            case LONG, DOUBLE ->
                throw new IllegalStateException("Cannot read " + dtype + " as floats: DirectPrograms takes none");
        };
    }

    private static String floats(String ints) {
        return "(FloatVector) %s.convertShape(VectorOperators.I2F, FLOATS, 0)".formatted(ints);
    }

    private String column() {
        return inPieces ? "b# + c" : "c";
    }

    /** Where the element of a column is. */
    private String position(String columnOfPeriod) {
        return switch (access) {
            case CONSTANT, ROW -> text("a# + BYTES_OF * 0");
            case PERIOD -> text("a# + BYTES_OF * " + columnOfPeriod);
            default -> text((inPieces ? "b#" : "a#") + " + BYTES_OF * c");
        };
    }

    String scalar() {
        if (access == Access.COLUMN) {
            return text("p#[" + column() + "]");
        }
        if (isStaged) {
            String element = text(access == Access.PERIOD ? "h#[c % 8]" : "h#[c]");
            return dtype.isReducedFloatingPoint() ? element : JavaValues.TEXT.read(dtype, element);
        }
        String type = dtype.bytes() == 1
                ? ""
                : ArrayCalls.capitalised(dtype.primitive().javaName());
        return JavaValues.TEXT.read(dtype, "p%d.get%s(%s)".formatted(number, type, position("(c % 8)")));
    }
}
