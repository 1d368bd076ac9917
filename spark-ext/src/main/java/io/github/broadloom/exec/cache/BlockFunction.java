package io.github.broadloom.exec.cache;

import io.github.broadloom.tensor.Tensor;
import java.io.Serializable;

/** What a task does with a chunk of whole rows. */
@FunctionalInterface
public interface BlockFunction extends Serializable {
    /**
     * As many rows, made of these.
     *
     * @param rows the function's own: it may write to them, and give them back
     * @return what nobody else writes to or releases; a view is copied
     */
    Tensor apply(Tensor rows);
}
