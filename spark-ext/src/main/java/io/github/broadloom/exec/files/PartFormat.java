package io.github.broadloom.exec.files;

import io.github.broadloom.exec.BlockCodec;
import io.github.broadloom.io.ArrowIpc;
import io.github.broadloom.io.Npy;
import io.github.broadloom.tensor.Tensor;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a part file holds. */
public enum PartFormat {
    NPY("npy", Npy::write),
    /** One Arrow file with one record batch, or several where one would be too large. */
    ARROW("arrow", (chunk, out) -> ArrowIpc.writeFile(List.of(chunk).iterator(), out)),
    RAW("raw", (chunk, out) -> BlockCodec.writeElements(chunk, new DataOutputStream(out)));

    private static final Pattern PART = Pattern.compile("part-(\\d{5,18})\\.([a-z]+)");

    private final String suffix;

    @SuppressWarnings("ImmutableEnumChecker") // functions without state
    private final Writer writer;

    private interface Writer {
        void write(Tensor chunk, OutputStream out) throws IOException;
    }

    PartFormat(String suffix, Writer writer) {
        this.suffix = suffix;
        this.writer = writer;
    }

    public void write(Tensor chunk, OutputStream out) throws IOException {
        writer.write(chunk, out);
    }

    static PartFormat of(String suffix) {
        for (PartFormat format : values()) {
            if (format.suffix.equals(suffix)) {
                return format;
            }
        }
        throw new IllegalArgumentException("its format is '" + suffix + "'");
    }

    public String suffix() {
        return suffix;
    }

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
        return String.format(Locale.ROOT, "part-%05d.%s", chunk, suffix);
    }
}
