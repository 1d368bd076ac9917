package io.github.broadloom.cpu.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.KernelSpec.Access;
import java.util.List;

/**
 * One value of a kernel, as it is rendered.
 *
 * @param id its number; arguments have smaller ones
 * @param dtype of the value; of what is {@link Form#STORED} and of what ends in the result's tile, of the stored element
 * @param extent {@link Access#CONSTANT}, {@link Access#ROW} or {@link Access#VARYING}: how it varies over a tile
 * @param args the values that it is computed from
 * @param text the Java that computes it: of the names of its arguments an expression, or of those of arrays, behind them the
 *     array of results and their number, a call
 * @param operand whose elements these are, or -1
 */
record Node(int id, Form form, DType dtype, Access extent, List<Integer> args, Text text, int operand) {

    /** How a value comes about. */
    enum Form {
        /** A number of the program, spelled where it is used. */
        LITERAL,
        /** A number of the call, a field of the kernel, named where it is used. */
        NUMBER,
        /** The element of an operand, read where it is used. */
        ELEMENT,
        /** The array of an operand, for a call alone. */
        STORED,
        PLAIN,
        /** Computed by a call for a whole array. */
        CALL
    }

    interface Text {
        String of(List<String> names);
    }

    Node {
        args = List.copyOf(args);
    }

    boolean is(Form other) {
        return form == other;
    }

    /** Whether it is a number, which no stage computes. */
    boolean isNumber() {
        return form == Form.LITERAL || form == Form.NUMBER;
    }

    boolean isVarying() {
        return extent == Access.VARYING;
    }

    /** The type of the elements of a tile with such values: a truth is a byte. */
    static String elementType(DType dtype) {
        return dtype.valueType().element().javaName();
    }
}
