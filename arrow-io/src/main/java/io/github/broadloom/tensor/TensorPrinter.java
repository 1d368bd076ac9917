package io.github.broadloom.tensor;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Renders a tensor as PyTorch's {@code repr} does with its default options (precision 4, threshold 1000, three edge
 * items, line width 80), less the {@code torch.} before a dtype's name: {@code tensor([1, 2], dtype=int32)}.
 *
 * <p>A tensor of more than 1000 elements is summarised: of every dimension longer than six only the first and last
 * three indices are read, and those elements alone decide the column width and the notation. A tensor of any size
 * therefore prints in constant time for a given rank.
 */
public final class TensorPrinter {
    private static final int THRESHOLD = 1000;
    private static final int EDGE_ITEMS = 3;
    private static final int LINE_WIDTH = 80;
    private static final String PREFIX = "tensor(";
    /** PyTorch breaks the line before a suffix as if the name of a dtype or a layout carried this. */
    private static final String MODULE = "torch.";

    private final Tensor tensor;
    private final boolean summarised;
    private final long[] index;
    private final ElementFormat format;

    private TensorPrinter(Tensor tensor) {
        this.tensor = tensor;
        this.summarised = tensor.numel() > THRESHOLD;
        this.index = new long[tensor.rank()];
        List<Object> visible = new ArrayList<>();
        collect(0, visible);
        this.format = ElementFormat.of(tensor.dtype(), visible);
    }

    /**
     * The text of {@code tensor}, possibly of several lines, without a line break at the end.
     *
     * @param tensor any shape, layout and dtype
     */
    public static String print(Tensor tensor) {
        List<String> suffixes = new ArrayList<>();
        if (!tensor.device().isCpu()) {
            suffixes.add("device='" + tensor.device() + "'");
        }
        DType dtype = tensor.dtype();
        if (tensor.numel() == 0) {
            if (tensor.rank() != 1) {
                suffixes.add("size=" + sizes(tensor.shape()));
            }
            // Nothing inside an empty tensor tells its dtype, so only the default one goes without saying.
            if (dtype != DType.FLOAT32) {
                suffixes.add("dtype=" + dtype.torchName());
            }
            return withSuffixes(PREFIX + "[]", suffixes);
        }
        if (!goesWithoutSaying(dtype)) {
            suffixes.add("dtype=" + dtype.torchName());
        }
        return withSuffixes(PREFIX + elements(tensor, PREFIX.length()), suffixes);
    }

    /** As {@link #print(Tensor)}, of indices and values; many entries are summarised. */
    static String print(SparseTensor sparse) {
        List<String> suffixes = new ArrayList<>();
        suffixes.add("size=" + sizes(sparse.shape()));
        suffixes.add("nnz=" + sparse.nnz());
        DType dtype = sparse.dtype();
        if (!goesWithoutSaying(dtype)) {
            suffixes.add("dtype=" + dtype.torchName());
        }
        suffixes.add("layout=" + sparse.layout());
        String text = part("tensor(indices=tensor(", sparse.rawIndices()) + ",\n"
                + part(" ".repeat(PREFIX.length()) + "values=tensor(", sparse.rawValues());
        return withSuffixes(text, suffixes, FirstSuffix.ON_A_NEW_LINE);
    }

    private static String part(String prefix, Tensor tensor) {
        String size = tensor.numel() == 0 ? ", size=" + sizes(tensor.shape()) : "";
        return prefix + elements(tensor, prefix.length()) + size + ")";
    }

    /** The elements alone, as inside {@code tensor(…)}, where {@code indent} characters stand before them. */
    private static String elements(Tensor tensor, int indent) {
        if (tensor.numel() == 0) {
            return "[]";
        }
        try (Hold held = Hold.of(tensor)) {
            return new TensorPrinter(tensor).render(0, indent);
        }
    }

    private static String sizes(Shape shape) {
        String end = shape.rank() == 1 ? ",)" : ")"; // a tuple of one, in Python
        return Arrays.stream(shape.toArray()).mapToObj(Long::toString).collect(Collectors.joining(", ", "(", end));
    }

    /** Whether elements tell a dtype by their looks. */
    private static boolean goesWithoutSaying(DType dtype) {
        return dtype == DType.FLOAT32 || dtype == DType.INT64 || dtype == DType.BOOL;
    }

    private enum FirstSuffix {
        ON_THE_SAME_LINE_IF_IT_FITS,
        ON_A_NEW_LINE
    }

    private static String withSuffixes(String text, List<String> suffixes) {
        return withSuffixes(text, suffixes, FirstSuffix.ON_THE_SAME_LINE_IF_IT_FITS);
    }

    private static String withSuffixes(String text, List<String> suffixes, FirstSuffix first) {
        StringBuilder out = new StringBuilder(text);
        // One more than the last line's length, as PyTorch counts it.
        int lineLength = text.length() - text.lastIndexOf('\n') + 1;
        for (String suffix : suffixes) {
            boolean ofModule = suffix.startsWith("dtype=") || suffix.startsWith("layout=");
            int length = suffix.length() + (ofModule ? MODULE.length() : 0);
            boolean breaks = out.length() == text.length() && first == FirstSuffix.ON_A_NEW_LINE;
            if (breaks || lineLength + length + 2 > LINE_WIDTH) {
                out.append(",\n").append(" ".repeat(PREFIX.length())).append(suffix);
                lineLength = PREFIX.length() + length;
            } else {
                out.append(", ").append(suffix);
                lineLength += length + 2;
            }
        }
        return out.append(')').toString();
    }

    /**
     * The first dimension from {@code dim} inwards that has more than one index, or is the last. As 2⁶³ elements have at most 62 of those, it is
     * these over which the methods here recurse, whatever the rank is.
     */
    private int longer(int dim) {
        int found = dim;
        while (found < index.length - 1 && tensor.shape().size(found) == 1) {
            found++;
        }
        return found;
    }

    /** Adds the elements that will be shown, from {@code outer} inwards, in row-major order. */
    private void collect(int outer, List<Object> into) {
        int dim = longer(outer);
        if (dim == index.length) {
            into.add(tensor.get(index));
            return;
        }
        long size = tensor.shape().size(dim);
        for (long i = 0; i < size; i = next(i, size)) {
            index[dim] = i;
            collect(dim + 1, into);
        }
    }

    /** The next index that is shown: a summarised dimension skips from its third to its third-last. */
    private long next(long i, long size) {
        return elided(size) && i == EDGE_ITEMS - 1 ? size - EDGE_ITEMS : i + 1;
    }

    private boolean elided(long size) {
        return summarised && size > 2 * EDGE_ITEMS;
    }

    private String render(int outer, int outerIndent) {
        int dim = longer(outer);
        int brackets = dim - outer;
        return "[".repeat(brackets) + renderLonger(dim, outerIndent + brackets) + "]".repeat(brackets);
    }

    private String renderLonger(int dim, int indent) {
        if (dim == index.length) {
            return format.format(tensor.get(index));
        }
        boolean innermost = dim == index.length - 1;
        long size = tensor.shape().size(dim);
        List<String> items = new ArrayList<>();
        for (long i = 0; i < size; i = next(i, size)) {
            index[dim] = i;
            items.add(render(dim + 1, indent + 1));
            if (elided(size) && i == EDGE_ITEMS - 1) {
                items.add(innermost ? " ..." : "...");
            }
        }
        if (innermost) {
            return vector(items, indent);
        }
        String separator = "," + "\n".repeat(index.length - dim - 1) + " ".repeat(indent + 1);
        return "[" + String.join(separator, items) + "]";
    }

    private String vector(List<String> items, int indent) {
        int perLine = Math.max(1, Math.floorDiv(LINE_WIDTH - indent, format.width() + 2));
        List<String> lines = new ArrayList<>();
        for (int start = 0; start < items.size(); start += perLine) {
            lines.add(String.join(", ", items.subList(start, Math.min(items.size(), start + perLine))));
        }
        return "[" + String.join(",\n" + " ".repeat(indent + 1), lines) + "]";
    }
}
