package io.github.broadloom.codegen;

import io.github.broadloom.codegen.KernelSpec.Access;
import io.github.broadloom.dtype.DType;

/**
 * The Java text with which a {@link DirectKernel} reads one operand. Operand 3 has the place {@code p3}, in which the row begins
 * at {@code a3}; {@code b3} is where the piece of the row begins, or the row itself where rows are taken whole. Halves and bools
 * are read into an array {@code h3} first.
 *
 * @param inPieces whether the kernel goes over a row in pieces
 */
record DirectOperand(int number, DType dtype, Access access, boolean inPieces) {

    /** Whether elements of a dtype that vary go through arrays. */
    static boolean isStaged(DType dtype) {
        return dtype == DType.FLOAT16 || dtype == DType.BOOL;
    }

    private boolean isStaged() {
        return isStaged(dtype) && (access == Access.VARYING || access == Access.PERIOD);
    }

    private String text(String template) {
        return template.replace("#", Integer.toString(number)).replace("BYTES_OF", Integer.toString(dtype.bytes()));
    }

    /** Its place, and its array. */
    String declaration() {
        String indent = "        ";
        String place =
                access == Access.COLUMN ? "float[] p# = (float[]) in[#];" : "ByteBuffer p# = (ByteBuffer) in[#];";
        String array = dtype == DType.BOOL ? "byte[] h# = pieces.truths(#);" : "float[] h# = pieces.floats(#);";
        return text(indent + place + "\n" + (isStaged() ? indent + array + "\n" : ""));
    }

    /** Where a row begins. */
    String row() {
        String indent = "            ";
        String begin = indent + "int a# = at[#] + r * steps[#];\n";
        String period = indent + "pieces.read(p#, a#, h#, 8);\n";
        return text(isStaged() && access == Access.PERIOD ? begin + period : begin);
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
        String begin = indent + "int b# = a# + BYTES_OF * first;\n";
        return text(isStaged() ? begin + indent + "pieces.read(p#, b#, h#, n);\n" : begin);
    }

    /**
     * Eight elements, of bools as ints, else as floats. Nothing but calls of the API: C2 may decide not to inline a method that
     * gives a vector, and boxes what it gives.
     */
    String vector() {
        String index = access == Access.PERIOD ? "0" : "c";
        if (isStaged()) {
            String floats = "FloatVector.fromArray(FLOATS, h#, ";
            String truths = "(IntVector) ByteVector.fromArray(BYTES, h#, ";
            return text(
                    dtype == DType.BOOL
                            ? truths + index + ").convertShape(VectorOperators.B2I, INTS, 0)"
                            : floats + index + ")");
        }
        if (access == Access.COLUMN) {
            return text("FloatVector.fromArray(FLOATS, p#, " + column() + ")");
        }
        return load("p%d, %s".formatted(number, position("0")));
    }

    private String load(String from) {
        String bytes =
                "((IntVector) ByteVector.fromByteBuffer(BYTES, %s, ORDER).convertShape(VectorOperators.B2I, INTS, 0))";
        String shorts = "ShortVector.fromByteBuffer(SHORTS, %s, ORDER).convertShape(VectorOperators.S2I, INTS, 0)";
        return switch (dtype) {
            case UINT8 -> floats(bytes.formatted(from) + ".and(255)");
            case INT8 -> floats(bytes.formatted(from));
            case INT16 -> floats(shorts.formatted(from));
            case INT32 -> floats("IntVector.fromByteBuffer(INTS, %s, ORDER)".formatted(from));
            default -> "FloatVector.fromByteBuffer(FLOATS, %s, ORDER)".formatted(from);
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

    /** The value of one element. */
    String scalar() {
        if (access == Access.COLUMN) {
            return text("p#[" + column() + "]");
        }
        if (isStaged()) {
            String element = text(access == Access.PERIOD ? "h#[c % 8]" : "h#[c]");
            return dtype == DType.BOOL ? JavaValues.read(dtype, element) : element;
        }
        String get = switch (dtype) {
            case FLOAT32 -> "getFloat";
            case INT16, FLOAT16 -> "getShort";
            case INT32 -> "getInt";
            default -> "get";
        };
        return JavaValues.read(dtype, "p%d.%s(%s)".formatted(number, get, position("(c % 8)")));
    }
}
