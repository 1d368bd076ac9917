package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.Ulps;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The result that a vector expects, and whether a tensor is it: dtype and shape exactly, values within the tolerance. */
record TensorComparison(DType dtype, Shape shape, List<Object> values, Tolerance tolerance) {
    /** Reads {@code {dtype, shape, values}}. */
    static TensorComparison of(JsonNode expect, Tolerance tolerance) {
        DType dtype = Vector.dtypeOf(expect);
        Shape shape = Vector.shape(Vector.member(expect, "shape"));
        List<Object> values = Vector.values(Vector.member(expect, "values"), dtype);
        if (values.size() != shape.numel()) {
            throw new MalformedVectorException("the shape " + shape + " has " + shape.numel() + " elements, and "
                    + values.size() + " are expected");
        }
        return new TensorComparison(dtype, shape, values, tolerance);
    }

    /** The first thing in which the tensor differs, or nothing when it is as expected. */
    Optional<String> difference(Tensor got) {
        if (got.dtype() != dtype) {
            return Optional.of("the dtype is " + got.dtype() + ", not " + dtype);
        }
        if (!got.shape().equals(shape)) {
            return Optional.of("the shape is " + got.shape() + ", not " + shape);
        }
        List<Object> actual = got.values();
        for (int i = 0; i < values.size(); i++) {
            Optional<String> difference = difference(actual.get(i), values.get(i));
            if (difference.isPresent()) {
                return Optional.of("element " + Arrays.toString(index(i)) + ": " + difference.get());
            }
        }
        return Optional.empty();
    }

    private Optional<String> difference(Object got, Object expected) {
        if (!dtype.isFloatingPoint()) {
            return got.equals(expected) ? Optional.empty() : Optional.of(got + ", not " + expected);
        }
        double actual = (Double) got;
        double wanted = (Double) expected;
        String values = actual + ", not " + wanted;
        if (Double.isNaN(actual) || Double.isNaN(wanted)) {
            return Double.isNaN(actual) && Double.isNaN(wanted) ? Optional.empty() : Optional.of(values);
        }
        if (actual == wanted) {
            boolean signs = tolerance.signedZero() && Double.compare(actual, wanted) != 0;
            return signs ? Optional.of(values) : Optional.empty();
        }
        if (Double.isInfinite(actual) || Double.isInfinite(wanted)) {
            return Optional.of(values);
        }
        long ulps = Ulps.between(actual, wanted, dtype);
        if (ulps <= tolerance.ulp() || tolerance.near(actual, wanted)) {
            return Optional.empty();
        }
        return Optional.of(values + " (" + ulps + " ulp apart)");
    }

    private long[] index(long position) {
        long[] index = new long[shape.rank()];
        long rest = position;
        for (int dim = index.length - 1; dim >= 0; dim--) {
            index[dim] = rest % shape.size(dim);
            rest /= shape.size(dim);
        }
        return index;
    }

    @Override
    public String toString() {
        return dtype + " " + shape + " " + values;
    }
}
