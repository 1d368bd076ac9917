package io.github.broadloom.sql.nearest;

import io.github.broadloom.nearest.KLeast;
import io.github.broadloom.sql.nearest.NearestSpec.Order;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Abs;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.TimestampType;
import org.jspecify.annotations.Nullable;

/** The keys of ranks, the least of which are the nearest: whole numbers of the order that Spark gives the values of a type, in which NaN is the greatest. */
record RankKeys(DataType type, Order order, boolean tellZero) implements Serializable {
    static RankKeys of(Expression ranking, Order order) {
        return new RankKeys(ranking.dataType(), order, tellZero(ranking));
    }

    /** Whether no rank is -0.0, which has the key of 0.0. */
    static boolean tellZero(Expression ranking) {
        return ranking instanceof Abs
                || ranking instanceof StaticInvoke call && call.functionName().equals("vectorL2Distance");
    }

    /** Whether the order of a type's values is that of whole numbers. */
    static boolean has(DataType type) {
        return type instanceof FloatType
                || type instanceof DoubleType
                || isWhole(type)
                || type instanceof DecimalType decimal && decimal.precision() <= 18;
    }

    private static boolean isWhole(DataType type) {
        return type instanceof ByteType
                || type instanceof ShortType
                || type instanceof IntegerType
                || type instanceof LongType
                || type instanceof DateType
                || type instanceof TimestampType;
    }

    /** @param ranks a row whose first column is a rank that is not null */
    long key(InternalRow ranks) {
        long key = ascending(ranks);
        return order == Order.DISTANCE ? key : ~key;
    }

    /** The rank of a key, as Spark holds it; null where it may be one of two: 0.0 and -0.0 have the same key. */
    @Nullable Object rank(long key) {
        long ascending = order == Order.DISTANCE ? key : ~key;
        if (type instanceof FloatType || type instanceof DoubleType) {
            double rank = KLeast.rank(ascending);
            if (rank == 0 && !tellZero) {
                return null;
            }
            return type instanceof FloatType ? (Object) (float) rank : (Object) rank;
        }
        if (type instanceof DecimalType decimal) {
            return Decimal.createUnsafe(ascending, decimal.precision(), decimal.scale());
        }
        if (type instanceof IntegerType || type instanceof DateType) {
            return (int) ascending;
        }
        if (type instanceof ByteType) {
            return (byte) ascending;
        }
        return type instanceof ShortType ? (Object) (short) ascending : (Object) ascending;
    }

    private long ascending(InternalRow ranks) {
        if (type instanceof FloatType) {
            return KLeast.key(ranks.getFloat(0));
        }
        if (type instanceof DoubleType) {
            return KLeast.key(ranks.getDouble(0));
        }
        if (type instanceof IntegerType || type instanceof DateType) {
            return ranks.getInt(0);
        }
        if (type instanceof ByteType) {
            return ranks.getByte(0);
        }
        if (type instanceof DecimalType decimal) {
            return ranks.getDecimal(0, decimal.precision(), decimal.scale()).toUnscaledLong();
        }
        return type instanceof ShortType ? ranks.getShort(0) : ranks.getLong(0);
    }
}
