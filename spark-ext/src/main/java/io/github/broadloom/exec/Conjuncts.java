package io.github.broadloom.exec;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Expression;

/** The conditions that a condition of Spark joins by {@code AND}. */
public final class Conjuncts {
    private Conjuncts() {}

    /** In their order. */
    public static Stream<Expression> of(Expression all) {
        return all instanceof And and ? Stream.concat(of(and.left()), of(and.right())) : Stream.of(all);
    }

    /** All of these as one; empty where there are none. */
    public static Optional<Expression> all(List<Expression> conditions) {
        return conditions.stream().reduce(And::new);
    }
}
