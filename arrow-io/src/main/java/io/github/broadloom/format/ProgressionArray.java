package io.github.broadloom.format;

import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Progression;
import io.github.broadloom.tensor.Tensor;

/** A vector of numbers in equal steps, of which no more is made than is asked for. */
public record ProgressionArray(Progression numbers) implements BlockReader {
    public Shape shape() {
        return Shape.of(numbers.count());
    }

    @Override
    public Tensor read(Box box) {
        return numbers.elements(box.start(0), box.end(0));
    }

    /** Nothing is read. */
    @Override
    public long costBytes(Box box, long ofWholeRows) {
        return 0;
    }
}
