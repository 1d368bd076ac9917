package io.github.broadloom.exec;

import io.github.broadloom.io.Npy;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.OutputStream;

/** What a part file holds. */
enum PartFormat {
    /** One npy array. */
    NPY("npy") {
        @Override
        void write(Tensor chunk, OutputStream out) throws IOException {
            Npy.write(chunk, out);
        }
    },
    /** The elements alone. */
    RAW("raw") {
        @Override
        void write(Tensor chunk, OutputStream out) throws IOException {
            TensorBytes.write(chunk, out);
        }
    };

    private final String suffix;

    PartFormat(String suffix) {
        this.suffix = suffix;
    }

    abstract void write(Tensor chunk, OutputStream out) throws IOException;

    /** For instance {@code part-00003.npy}. */
    String fileName(int chunk) {
        return String.format(java.util.Locale.ROOT, "part-%05d.%s", chunk, suffix);
    }
}
