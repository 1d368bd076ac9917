package io.github.broadloom.generator;

import java.util.Locale;

/** The type of an element of a vector. */
enum Lane {
    BOOLEAN,
    BYTE,
    SHORT,
    INT,
    LONG,
    FLOAT,
    DOUBLE;

    static Lane of(Object type) {
        return valueOf(type.toString().toUpperCase(Locale.ROOT));
    }

    /** What a binary operation promotes both to. */
    Lane with(Lane other) {
        return compareTo(other) > 0 ? this : other;
    }

    boolean isWide() {
        return this == LONG || this == DOUBLE;
    }

    /** The type of an array; a truth is a byte. */
    String stored() {
        return this == BOOLEAN ? "byte" : name().toLowerCase(Locale.ROOT);
    }

    String capitalised() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }

    String vector() {
        return capitalised() + "Vector";
    }

    String boxed() {
        return this == INT ? "Integer" : capitalised();
    }
}
