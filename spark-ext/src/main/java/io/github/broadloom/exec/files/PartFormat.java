package io.github.broadloom.exec.files;

import io.github.broadloom.exec.TensorBytes;
import io.github.broadloom.io.ArrowIpc;
import io.github.broadloom.io.Npy;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a part file holds. */
public enum PartFormat {
    /** One npy array. */
    NPY("npy") {
        @Override
        public void write(Tensor chunk, OutputStream out) throws IOException {
            Npy.write(chunk, out);
        }
    },
    /** One Arrow file with one record batch, or several where one would be too large. */
    ARROW("arrow") {
        @Override
        public void write(Tensor chunk, OutputStream out) throws IOException {
            ArrowIpc.writeFile(List.of(chunk).iterator(), out);
        }
    },
    /** The elements alone. */
    RAW("raw") {
        @Override
        public void write(Tensor chunk, OutputStream out) throws IOException {
            TensorBytes.write(chunk, out);
        }
    };

    private static final Pattern PART = Pattern.compile("part-(\\d{5,18})\\.([a-z]+)");

    private final String suffix;

    PartFormat(String suffix) {
        this.suffix = suffix;
    }

    public abstract void write(Tensor chunk, OutputStream out) throws IOException;

    /** The format of files with that ending. */
    static PartFormat of(String suffix) {
        for (PartFormat format : values()) {
            if (format.suffix.equals(suffix)) {
                return format;
            }
        }
        throw new IllegalArgumentException("its format is '" + suffix + "'");
    }

    /** What its files end in. */
    public String suffix() {
        return suffix;
    }

    /** Whether a file is called as a part of this format. */
    public boolean isPart(String name) {
        return number(name) >= 0;
    }

    /** The number of a part, by the name of its file; less than 0 where it is none. */
    public long number(String name) {
        Matcher matcher = PART.matcher(name);
        return matcher.matches() && matcher.group(2).equals(suffix) ? Long.parseLong(matcher.group(1)) : -1;
    }

    /** For instance {@code part-00003.npy}. */
    public String fileName(int chunk) {
        return String.format(java.util.Locale.ROOT, "part-%05d.%s", chunk, suffix);
    }
}
