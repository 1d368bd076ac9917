package io.github.broadloom.sql;

import io.github.broadloom.cpu.reduce.Accumulators;
import io.github.broadloom.exec.ProductOfParts;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.table.CellReader;
import io.github.broadloom.table.CellType;
import io.github.broadloom.table.CellWriter;
import io.github.broadloom.tensor.Hold;
import io.github.broadloom.tensor.Tensor;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.ImperativeAggregate;
import org.apache.spark.sql.catalyst.expressions.aggregate.TypedImperativeAggregate;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * An aggregate of SQL over tensors of one shape, element by element: of a whole table, a group or a window. Cells that are null do not count, and
 * where nothing counts, the value is null.
 */
public final class TensorAggregate extends TypedImperativeAggregate<CellTotal> implements Serializable, ProductOfParts {
    private static final long serialVersionUID = 1;

    private final String name;
    private final CellTotal.Kind kind;
    private final Seq<Expression> children;
    private final int mutableOffset;
    private final int inputOffset;
    private final QueryContext context;
    private transient @Nullable Accumulators accumulators;
    private transient CellTotal.@Nullable WideCell wide;

    /** Spark makes copies by calling this with the {@linkplain #parts parts}. */
    public TensorAggregate(String name, Object kind, Seq<Expression> children, int mutableOffset, int inputOffset) {
        this.name = name;
        this.kind = (CellTotal.Kind) kind;
        this.children = children;
        this.mutableOffset = mutableOffset;
        this.inputOffset = inputOffset;
        this.context = origin().context();
    }

    private TensorAggregate(TensorAggregate that, Seq<Expression> children, int mutableOffset, int inputOffset) {
        this.name = that.name;
        this.kind = that.kind;
        this.children = children;
        this.mutableOffset = mutableOffset;
        this.inputOffset = inputOffset;
        this.context = that.context;
    }

    @Override
    public Seq<Expression> children() {
        return children;
    }

    private CellType cells() {
        return RowExpression.cells(name, "input", children.apply(0));
    }

    private double correction() {
        if (children.size() < 2) {
            return 1;
        }
        return CallArguments.constantNumber(children.apply(1))
                .map(number -> number instanceof Number some ? some.doubleValue() : ((Boolean) number ? 1.0 : 0.0))
                .orElseThrow(() -> new IllegalArgumentException("Cannot call " + name
                        + ": correction must be a plain number, not "
                        + children.apply(1).sql()));
    }

    @Override
    public TypeCheckResult checkInputDataTypes() {
        try {
            List<String> names = kind.arguments();
            CallArguments.checkCount(name, children.size(), names, 1, names.size());
            cells();
            correction();
            return TypeCheckResult.TypeCheckSuccess$.MODULE$;
        } catch (IllegalArgumentException e) {
            return new TypeCheckResult.TypeCheckFailure(e.getMessage());
        }
    }

    private CellType result() {
        CellType cells = cells();
        return new CellType(kind.resultType(cells.dtype()), cells.rank(), null);
    }

    @Override
    public DataType dataType() {
        return result().dataType();
    }

    @Override
    public boolean nullable() {
        return true;
    }

    @Override
    public CellTotal createAggregationBuffer() {
        return new CellTotal(this::refused, kind, accumulators());
    }

    private Accumulators accumulators() {
        Accumulators known = accumulators;
        if (known == null) {
            known = kind.accumulators(cells().dtype());
            accumulators = known;
        }
        return known;
    }

    private IllegalArgumentException refused(String why) {
        return CallSite.of(this, context).refused(why, dataType());
    }

    private CellTotal.WideCell wide() {
        CellTotal.WideCell known = wide;
        if (known == null) {
            CellReader reader = new CellReader(this::refused, "input", cells());
            known = new CellTotal.WideCell(reader, accumulators(), kind.reducedType(reader.dtype()));
            wide = known;
        }
        return known;
    }

    @Override
    public CellTotal update(CellTotal total, InternalRow row) {
        Object cell = children.apply(0).eval(row);
        if (cell == null) {
            return total;
        }
        total.add(cell, wide());
        return total;
    }

    @Override
    public CellTotal merge(CellTotal total, CellTotal other) {
        total.add(other);
        return total;
    }

    @Override
    public @Nullable Object eval(CellTotal total) {
        Shape shape = total.shape();
        if (shape == null) {
            return null;
        }
        CellType type = result();
        Tensor values = total.values(correction()).to(type.stored());
        try (Hold held = Hold.of(values)) {
            return new CellWriter(type.stored(), shape.toArray()).cell(values.address());
        }
    }

    @Override
    public byte[] serialize(CellTotal total) {
        return total.bytes();
    }

    @Override
    public CellTotal deserialize(byte[] bytes) {
        return createAggregationBuffer().read(bytes);
    }

    @Override
    public int mutableAggBufferOffset() {
        return mutableOffset;
    }

    @Override
    public int inputAggBufferOffset() {
        return inputOffset;
    }

    @Override
    public ImperativeAggregate withNewMutableAggBufferOffset(int offset) {
        return new TensorAggregate(this, children, offset, inputOffset);
    }

    @Override
    public ImperativeAggregate withNewInputAggBufferOffset(int offset) {
        return new TensorAggregate(this, children, mutableOffset, offset);
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> others) {
        return new TensorAggregate(this, others, mutableOffset, inputOffset);
    }

    @Override
    public String prettyName() {
        return name;
    }

    @Override
    public scala.collection.Iterator<Object> stringArgs() {
        return CollectionConverters.asScala(
                        CollectionConverters.asJava(children).iterator())
                .map(child -> child);
    }

    @Override
    public List<@Nullable Object> parts() {
        return Arrays.asList(name, kind, children, mutableOffset, inputOffset);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TensorAggregate that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }
}
