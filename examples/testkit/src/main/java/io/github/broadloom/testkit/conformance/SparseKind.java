package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.sparse.Sparse;
import io.github.broadloom.tensor.SparseTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;

/**
 * A sparse tensor of {@code indices}, {@code values} and {@code shape}: its coalesced and its dense form, and its sum and
 * product with a dense {@code other}. Sparse tensors are local, so every engine has that computed in this process; the sum
 * is computed by the engine too, of the two dense tensors.
 */
final class SparseKind implements Kind {
    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        SparseTensor sparse = sparse(vector);
        SparseTensor coalesced = sparse.coalesce();
        Tensor dense = sparse.toDense();
        JsonNode expected = vector.field("coalesced");
        JsonNode indices = Vector.member(expected, "indices");
        JsonNode values = Vector.member(expected, "values");
        Tensor other = vector.tensor("other");
        Expr sum = Expr.apply(Ops.ADD, engine.place(other), engine.place(dense));
        return part("coalesced indices", coalesced.indices(), flat(indices), vector)
                .and(part("coalesced values", coalesced.values(), flat(values), vector))
                .and(part("dense", dense, vector))
                .and(part("dense_plus", Sparse.add(other, sparse), vector))
                .and(part("dense_plus", engine.evaluate(sum), vector))
                .and(part("mul", Sparse.mul(sparse, other).toDense(), vector));
    }

    private static SparseTensor sparse(Vector vector) {
        DType dtype = vector.dtype("dtype");
        Shape shape = Vector.shape(vector.field("shape"));
        JsonNode rows = vector.field("indices");
        List<JsonNode> values = flat(vector.field("values"));
        if (rows.size() > shape.rank()) {
            throw new MalformedVectorException(rows.size() + " rows of indices for the shape " + shape);
        }
        long nnz = rows.isEmpty() ? values.size() : rows.get(0).size();
        Tensor indices = tensor(DType.INT64, Shape.of(rows.size(), nnz), flat(rows));
        long[] sizes = new long[1 + shape.rank() - rows.size()];
        sizes[0] = nnz;
        System.arraycopy(shape.toArray(), rows.size(), sizes, 1, shape.rank() - rows.size());
        return SparseTensor.of(indices, tensor(dtype, Shape.of(sizes), values), shape);
    }

    private static Tensor tensor(DType dtype, Shape shape, List<JsonNode> elements) {
        List<Object> values = Vector.values(elements, dtype);
        if (values.size() != shape.numel()) {
            throw new MalformedVectorException(
                    "the shape " + shape + " has " + shape.numel() + " elements, and " + values.size() + " are given");
        }
        return Tensors.fromStorageValues(dtype, Layout.contiguous(shape), values);
    }

    private static List<JsonNode> flat(JsonNode node) {
        if (!node.isArray()) {
            return List.of(node);
        }
        List<JsonNode> elements = new ArrayList<>();
        node.forEach(inner -> elements.addAll(flat(inner)));
        return elements;
    }

    private static VectorAnswer part(String field, Tensor got, Vector vector) {
        return part(field, got, TensorComparison.of(vector.field(field), Tolerance.of(vector)));
    }

    private static VectorAnswer part(String name, Tensor got, List<JsonNode> expected, Vector vector) {
        List<Object> values = Vector.values(expected, got.dtype());
        Shape shape = values.size() == got.numel() ? got.shape() : Shape.of(values.size());
        return part(name, got, new TensorComparison(got.dtype(), shape, values, Tolerance.of(vector)));
    }

    private static VectorAnswer part(String name, Tensor got, TensorComparison expected) {
        String text = name + ": " + VectorAnswer.described(got);
        return new VectorAnswer(
                () -> text,
                () -> expected.difference(got)
                        .map(difference ->
                                new VectorAnswer.Mismatch(name + ": " + expected, text + "\n" + difference)));
    }
}
