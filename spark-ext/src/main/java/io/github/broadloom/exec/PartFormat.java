package io.github.broadloom.exec;

import io.github.broadloom.io.ArrowIpc;
import io.github.broadloom.io.Npy;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** What a part file holds. */
enum PartFormat {
    /** One npy array. */
    NPY("npy") {
        @Override
        void write(Tensor chunk, OutputStream out) throws IOException {
            Npy.write(chunk, out);
        }
    },
    /** One Arrow file with one record batch, or several where one would be too large. */
    ARROW("arrow") {
        @Override
        void write(Tensor chunk, OutputStream out) throws IOException {
            ArrowIpc.writeFile(List.of(chunk).iterator(), out);
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
