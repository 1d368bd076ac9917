package io.github.broadloom.sql.nearest;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.shape.Shape;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnarArray;
import org.jspecify.annotations.Nullable;
import scala.Function1;

/** The ranks of pairs, by Spark's evaluation of the ranking. It serves one thread. */
interface PairRanks {
    /** A row whose first column is the rank of a pair, until the next is asked for. */
    InternalRow of(InternalRow left, InternalRow right);

    /** Of rows none of whose vectors is NULL, where the ranking has one of each side. */
    static PairRanks of(NearestTask task) {
        return task.form() instanceof RankingForm.OfVectors vectors && vectors.ranks() != null
                ? new OfVectors(vectors, vectors.ranks())
                : new OfRows(task.ranking());
    }

    /** Of whole rows. */
    final class OfRows implements PairRanks {
        private final MutableProjection ranks;
        private final JoinedRow pair = new JoinedRow();

        /** @param ranking over a row of both sides */
        OfRows(Expression ranking) {
            this.ranks = MutableProjection.create(Scala.seq(List.of(ranking)));
        }

        @Override
        public InternalRow of(InternalRow left, InternalRow right) {
            return ranks.apply(pair.apply(left, right));
        }
    }

    /**
     * Of vectors that were taken out of the rows. What Spark asks of each element of an array, whether it is there and what it is, C2 compiles into its functions of vectors where these are a column's: rows keep
     * arrays of which that takes six times as long.
     */
    final class OfVectors implements PairRanks {
        private final MutableProjection ranks;
        private final GenericInternalRow pair = new GenericInternalRow(2);
        private final Vector left;
        private final Vector right;

        OfVectors(RankingForm.OfVectors form, Expression ranks) {
            this.ranks = MutableProjection.create(Scala.seq(List.of(ranks)));
            this.left = new Vector(form.vector());
            this.right = new Vector(form.other());
        }

        /** The ranking over a row of both vectors; empty where it reads more than these. */
        static Optional<Expression> over(Expression ranking, RankingForm.OfVectors form) {
            Expression replaced = over(
                    ranking, List.of(form.vector().expression(), form.other().expression()));
            return replaced.references().isEmpty() ? Optional.of(replaced) : Optional.empty();
        }

        private static Expression over(Expression ranking, List<Expression> vectors) {
            for (int side = 0; side < vectors.size(); side++) {
                if (ranking.semanticEquals(vectors.get(side))) {
                    return new BoundReference(side, ranking.dataType(), ranking.nullable());
                }
            }
            Function1<Expression, Expression> deeper = part -> over(part, vectors);
            return (Expression) ranking.mapChildren(deeper);
        }

        @Override
        public InternalRow of(InternalRow leftRow, InternalRow rightRow) {
            pair.update(0, left.of(leftRow));
            pair.update(1, right.of(rightRow));
            return ranks.apply(pair);
        }

        /** The vector of one side's row that was read last. */
        private static final class Vector {
            private final ScoreCells.Reader reader;
            private @Nullable InternalRow row;
            private Object vector = new float[0];
            private float[] floats = new float[0];
            private OnHeapColumnVector column = new OnHeapColumnVector(1, DataTypes.FloatType);

            Vector(RankingForm.SideCell cell) {
                this.reader = new ScoreCells.Reader(List.of(cell));
            }

            Object of(InternalRow wanted) {
                if (wanted != row) {
                    row = wanted;
                    reader.read(wanted);
                    vector = reader.reader(0).dtype() == DType.FLOAT32 ? floats(reader.cell(0)) : reader.cell(0);
                }
                return vector;
            }

            private Object floats(Object cell) {
                int count = ((ArrayData) cell).numElements();
                if (count != floats.length) {
                    floats = new float[count];
                    column = new OnHeapColumnVector(Math.max(1, count), DataTypes.FloatType);
                }
                try {
                    reader.reader(0).read(cell, Shape.of(count), floats);
                } catch (IllegalArgumentException e) { // as of a NULL
                    return cell;
                }
                column.putFloats(0, count, floats, 0);
                return new ColumnarArray(column, 0, count);
            }
        }
    }
}
