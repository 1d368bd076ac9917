package io.github.broadloom.tools.commands;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a tensor is: {@code NAME=DTYPE[SIZE,SIZE]}, with as many underscores in the sizes as help to read them. */
public record Declaration(String name, DType dtype, Shape shape) {
    private static final Pattern FORM =
            Pattern.compile("([A-Za-z_]\\w*)\\s*=\\s*(\\w+)\\s*\\[\\s*((?:[\\d_]+\\s*(?:,\\s*[\\d_]+\\s*)*+)?)]");

    /** @throws IllegalArgumentException where it is none */
    public static Declaration parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches()) {
            throw new IllegalArgumentException("Cannot read '" + text
                    + "' as a tensor: write NAME=DTYPE[SHAPE], as x=float32[25000000,100000] or s=float64[]");
        }
        String sizes = form.group(3).replaceAll("[\\s_]", "");
        try {
            long[] shape = sizes.isEmpty()
                    ? new long[0]
                    : Arrays.stream(sizes.split(",")).mapToLong(Long::parseLong).toArray();
            return new Declaration(form.group(1), DType.of(form.group(2)), Shape.of(shape));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Cannot read '" + text + "' as a tensor: a size is less than 2^63", e);
        }
    }
}
