package io.github.broadloom.sql.nearest;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.Scala;
import io.github.broadloom.nearest.VectorMetric;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.ObjectType;
import scala.Option;

/** The ranks of pairs of vectors by a metric, as expressions of Spark: the same bits as {@link VectorMetric#rank}. */
public final class VectorRanks {
    private VectorRanks() {}

    /** The rank of two vectors of floats. */
    public static double ofFloats(ArrayData a, ArrayData b, VectorMetric metric) {
        return metric.rank(doubles(a), doubles(b));
    }

    /** The rank of two vectors of doubles. */
    public static double ofDoubles(ArrayData a, ArrayData b, VectorMetric metric) {
        return metric.rank(a.toDoubleArray(), b.toDoubleArray());
    }

    private static double[] doubles(ArrayData vector) {
        float[] floats = vector.toFloatArray();
        double[] doubles = new double[floats.length];
        for (int i = 0; i < floats.length; i++) {
            doubles[i] = floats[i];
        }
        return doubles;
    }

    /**
     * The rank of two columns.
     *
     * @param dtype of the elements of both, float32 or float64
     */
    static Expression of(Expression a, Expression b, DType dtype, VectorMetric metric) {
        return new StaticInvoke(
                VectorRanks.class,
                DataTypes.DoubleType,
                dtype == DType.FLOAT32 ? "ofFloats" : "ofDoubles",
                Scala.seq(List.of(a, b, new Literal(metric, new ObjectType(VectorMetric.class)))),
                Scala.seq(List.<AbstractDataType>of()),
                true,
                false,
                true,
                Option.empty());
    }

    /** The metric of an expression that {@link #of} made. */
    static Optional<VectorMetric> metric(StaticInvoke call) {
        return call.staticObject() == VectorRanks.class
                        && call.arguments().apply(2) instanceof Literal metric
                        && metric.value() instanceof VectorMetric known
                ? Optional.of(known)
                : Optional.empty();
    }
}
