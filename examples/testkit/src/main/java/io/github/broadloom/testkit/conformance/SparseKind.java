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
import java.util.Optional;

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
        List<Part> parts = new ArrayList<>();
        JsonNode expected = vector.field("coalesced");
        JsonNode indices = Vector.member(expected, "indices");
        parts.add(part("coalesced indices", coalesced.indices(), flat(indices), vector));
        parts.add(part("coalesced values", coalesced.values(), flat(Vector.member(expected, "values")), vector));
        parts.add(part("dense", dense, vector));
        Tensor other = vector.tensor("other");
        parts.add(part("dense_plus", Sparse.add(other, sparse), vector));
        Expr sum = Expr.apply(Ops.ADD, engine.place(other), engine.place(dense));
        parts.add(part("dense_plus", engine.evaluate(sum), vector));
        parts.add(part("mul", Sparse.mul(sparse, other).toDense(), vector));
        return new Parts(parts);
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

    /** The elements of nested lists, in order. */
    private static List<JsonNode> flat(JsonNode node) {
        if (!node.isArray()) {
            return List.of(node);
        }
        List<JsonNode> elements = new ArrayList<>();
        node.forEach(inner -> elements.addAll(flat(inner)));
        return elements;
    }

    private static Part part(String field, Tensor got, Vector vector) {
        return new Part(field, got, TensorComparison.of(vector.field(field), Tolerance.of(vector)));
    }

    private static Part part(String name, Tensor got, List<JsonNode> expected, Vector vector) {
        List<Object> values = Vector.values(expected, got.dtype());
        Shape shape = values.size() == got.numel() ? got.shape() : Shape.of(values.size());
        return new Part(name, got, new TensorComparison(got.dtype(), shape, values, Tolerance.of(vector)));
    }

    /** One of the results, and what is expected of it. */
    private record Part(String name, Tensor got, TensorComparison expected) {

        Optional<VectorAnswer.Mismatch> mismatch() {
            return expected.difference(got)
                    .map(difference ->
                            new VectorAnswer.Mismatch(name + ": " + expected, describe() + "\n" + difference));
        }

        String describe() {
            return name + ": " + new TensorAnswer(got).describe();
        }
    }

    /** All results of a vector; the first that differs is told. */
    private record Parts(List<Part> parts) implements VectorAnswer {

        @Override
        public Optional<Mismatch> mismatch(Vector vector) {
            return parts.stream().flatMap(part -> part.mismatch().stream()).findFirst();
        }

        @Override
        public String describe() {
            return parts.get(0).describe();
        }
    }
}
