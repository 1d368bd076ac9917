package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import java.util.ArrayList;
import java.util.List;

/** Renders a sparse tensor as PyTorch's {@code repr}, less {@code torch.} before names: see {@link TensorPrinter}. */
final class SparsePrinter {
    private static final String INDICES = "tensor(indices=tensor(";
    private static final String INDENT = " ".repeat("tensor(".length());
    private static final String VALUES = INDENT + "values=tensor(";

    private SparsePrinter() {}

    static String print(SparseTensor sparse) {
        List<String> suffixes = new ArrayList<>();
        suffixes.add("size=" + TensorPrinter.sizes(sparse.shape()));
        suffixes.add("nnz=" + sparse.nnz());
        DType dtype = sparse.dtype();
        if (!TensorPrinter.goesWithoutSaying(dtype)) {
            suffixes.add("dtype=" + dtype.torchName());
        }
        suffixes.add("layout=" + sparse.layout());
        String text = part(INDICES, sparse.rawIndices()) + ",\n" + part(VALUES, sparse.rawValues());
        return TensorPrinter.withSuffixes(text, suffixes, TensorPrinter.FirstSuffix.ON_A_NEW_LINE);
    }

    private static String part(String prefix, Tensor tensor) {
        String size = tensor.numel() == 0 ? ", size=" + TensorPrinter.sizes(tensor.shape()) : "";
        return prefix + TensorPrinter.elements(tensor, prefix.length()) + size + ")";
    }
}
