package io.github.broadloom.kernels.reduce;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the {@linkplain FoldNode nodes} of rows come together, chunk by chunk, and with them the arrays that are free again. Nodes are as large as a result: whoever makes many has a use for these. */
public interface RowNodes {

    /** Takes a node, and its array with it. */
    void push(FoldNode node);

    /** What came so far, in the order of the rows, given away with its arrays: there is none then. */
    List<FoldNode> takeNodes();

    /** An array that was free, of as many numbers as a node has, with anything in it; null where there is none. */
    @Nullable Object takeSpare();

    /** Takes an array that a node had which is no more. */
    void giveSpare(Object values);
}
