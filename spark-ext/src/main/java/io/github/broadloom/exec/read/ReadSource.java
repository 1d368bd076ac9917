package io.github.broadloom.exec.read;

import io.github.broadloom.format.BlockReader;
import io.github.broadloom.plan.Source;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;

/** A tensor of which any task comes by what it needs, by itself. */
public sealed interface ReadSource extends Source permits FileSource, MadeSource {
    BlockReader reader();

    @Override
    default Residence residence() {
        return Residence.FILE;
    }

    @Override
    default long costBytes(Box box) {
        return reader().costBytes(box, Source.super.costBytes(box));
    }

    @Override
    default Shape held(Shape block) {
        return reader().held(block);
    }

    @Override
    default long readingBytes(Shape block) {
        return reader().readingBytes(block);
    }
}
