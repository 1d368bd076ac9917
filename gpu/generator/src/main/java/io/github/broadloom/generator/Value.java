package io.github.broadloom.generator;

/** An expression in Java, and the type of its elements; of a mask, of what was compared. */
record Value(String text, Lane lane, Form form) {

    /** What an expression is of: constants, numbers that are parameters, or vectors; truths are ints that are not 0. */
    enum Form {
        CONSTANT,
        NUMBER,
        VECTOR,
        MASK,
        TRUTHS
    }
}
