package io.github.broadloom.tensor;

/**
 * How a tensor keeps its elements, PyTorch's {@code torch.layout}; where they lie is {@link
 * io.github.broadloom.shape.Layout}.
 */
public enum TensorLayout {
    /** Every element has a place, which its index and the strides give: {@link Tensor}. */
    STRIDED("strided"),

    /** Coordinates and values of the elements that are kept; the others are zero. */
    SPARSE_COO("sparse_coo");

    private final String torchName;

    TensorLayout(String torchName) {
        this.torchName = torchName;
    }

    /**
     * The layout that {@link #toString()} wrote, with or without PyTorch's {@code torch.} before it.
     *
     * @throws IllegalArgumentException for any other text
     */
    public static TensorLayout of(String name) {
        String plain = name.startsWith("torch.") ? name.substring("torch.".length()) : name;
        for (TensorLayout layout : values()) {
            if (layout.torchName.equals(plain)) {
                return layout;
            }
        }
        throw new IllegalArgumentException(
                "Cannot find layout: '" + name + "'; the layouts here are strided and sparse_coo");
    }

    /** PyTorch's text less {@code torch.}, such as {@code strided}. */
    @Override
    public String toString() {
        return torchName;
    }
}
