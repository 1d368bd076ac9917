package io.github.broadloom.expr.ops;

import io.github.broadloom.expr.math.Arith;
import java.util.Map;
import java.util.Set;

/**
 * The table of operations: one row each, read from {@link Op}, under {@code Ops.ADD}, {@code Ops.EXP} and so on. The rows
 * are written down by meaning, in the classes that this one extends, each of which continues the table of the one before.
 * To add an operation is to add a row there, and, where the body is more than an operator, a method to {@link Arith} or
 * its neighbours and a {@code bl_} function of the same meaning to the CUDA prelude; its fluent methods are made of it.
 */
public final class Ops extends ActivationRows {
    static final Map<String, Op> BY_NAME = byName();
    public static final Map<String, Op> BY_ALIAS = byAlias();

    private Ops() {}

    public static Set<String> names() {
        return BY_NAME.keySet();
    }
}
