package io.github.broadloom.expr;

/** Whether {@code isclose} counts two NaNs as equal. */
public enum NanEquality {
    DIFFERENT,
    EQUAL
}
