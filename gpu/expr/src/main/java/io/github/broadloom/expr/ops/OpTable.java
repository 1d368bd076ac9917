package io.github.broadloom.expr.ops;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The empty table, and how a row comes into it. A class is initialised after the one it extends, so the order is fixed.
 */
abstract class OpTable {
    private static final Map<String, Op> ROWS = new LinkedHashMap<>();
    private static final Map<String, Op> ALIASES = new LinkedHashMap<>();

    static Op row(OpRow row) {
        Op op = new Op(row);
        add(ROWS, op.name(), op);
        op.aliases().forEach(alias -> add(ALIASES, alias, op));
        return op;
    }

    private static void add(Map<String, Op> table, String name, Op op) {
        if (table.put(name, op) != null) {
            throw new IllegalStateException("Cannot add operation: there are two rows named " + name);
        }
    }

    static Map<String, Op> byName() {
        return Collections.unmodifiableMap(ROWS);
    }

    static Map<String, Op> byAlias() {
        return Collections.unmodifiableMap(ALIASES);
    }
}
