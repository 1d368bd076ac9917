package io.github.broadloom.expr;

import io.github.broadloom.dtype.DType.Kind;
import io.github.broadloom.expr.Op.Template;
import java.util.EnumMap;
import java.util.Map;

/** Builds one row of {@link Ops}; the language of the table. */
final class OpRow {
    final String name;
    final int arity;
    final DTypeRule rule;
    final Map<Kind, Template> templates = new EnumMap<>(Kind.class);
    final Map<Kind, String> refusals = new EnumMap<>(Kind.class);
    int ulp;
    String doc = "";

    OpRow(String name, int arity, DTypeRule rule) {
        this.name = name;
        this.arity = arity;
        this.rule = rule;
    }

    /** One text for every kind and both languages. */
    OpRow any(String text) {
        return bool(text).integer(text).floating(text);
    }

    /** One text for integers and floating numbers, and both languages. */
    OpRow number(String text) {
        return integer(text).floating(text);
    }

    OpRow number(String java, String cuda) {
        return integer(java, cuda).floating(java, cuda);
    }

    OpRow bool(String text) {
        return bool(text, text);
    }

    OpRow bool(String java, String cuda) {
        return put(Kind.BOOL, java, cuda);
    }

    OpRow integer(String text) {
        return integer(text, text);
    }

    OpRow integer(String java, String cuda) {
        return put(Kind.INTEGER, java, cuda);
    }

    OpRow floating(String text) {
        return floating(text, text);
    }

    OpRow floating(String java, String cuda) {
        return put(Kind.FLOATING, java, cuda);
    }

    /** What is said for every kind that has no template; {@code $D} is PyTorch's name of the dtype. */
    OpRow refusing(String text) {
        for (Kind kind : Kind.values()) {
            refusals.putIfAbsent(kind, text);
        }
        return this;
    }

    OpRow ulp(int permitted) {
        this.ulp = permitted;
        return this;
    }

    OpRow doc(String line) {
        this.doc = line;
        return this;
    }

    private OpRow put(Kind kind, String java, String cuda) {
        templates.put(kind, new Template(java, cuda));
        return this;
    }
}
