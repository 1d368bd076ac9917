package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.Bound;
import io.github.broadloom.exec.Scala;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** The rows that come out: columns of a left and a right row. */
record JoinedOutput(List<Expression> columns, int rightColumns) implements Serializable {
    static JoinedOutput of(Seq<Attribute> output, Seq<Attribute> left, Seq<Attribute> right) {
        Seq<Attribute> both = NearestPairs.output(left, right);
        List<Expression> columns = new ArrayList<>();
        CollectionConverters.asJava(output).forEach(column -> columns.add(Bound.to(both, column)));
        return new JoinedOutput(columns, right.size());
    }

    Writer writer() {
        return new Writer();
    }

    /** Makes rows, each of which is valid until the next. */
    final class Writer {
        private final UnsafeProjection projection = UnsafeProjection.create(Scala.seq(columns));
        private final JoinedRow joined = new JoinedRow();
        private final InternalRow nobody = new GenericInternalRow(rightColumns);

        InternalRow row(InternalRow left, InternalRow right) {
            return projection.apply(joined.apply(left, right));
        }

        /** Of a left row without any other. */
        InternalRow unmatched(InternalRow left) {
            return row(left, nobody);
        }
    }
}
