package io.github.broadloom.format;

import io.github.broadloom.io.ManifestMode;
import java.util.Optional;

/**
 * How files are read.
 *
 * <pre>{@code
 * broadloom.read("days/*.nc:t", ReadOptions.DEFAULT.stackedAlong(0));   // a new dimension, one index for each file
 * }</pre>
 *
 * @param format its name; empty where the end of the path, or what lies there, tells
 * @param manifest whether a folder of parts must have one
 * @param join how several files become one tensor
 * @param dim along which
 */
public record ReadOptions(Optional<String> format, ManifestMode manifest, Join join, int dim) {
    /** Of the format that the files tell, a folder of parts with a manifest, several files one after the other along the leading dimension. */
    public static final ReadOptions DEFAULT =
            new ReadOptions(Optional.empty(), ManifestMode.REQUIRED, Join.CONCATENATE, 0);

    /** How several files become one tensor. */
    public enum Join {
        /** Along a dimension that they have. */
        CONCATENATE,
        /** Along a new dimension. */
        STACK
    }

    public ReadOptions format(String name) {
        return new ReadOptions(Optional.of(name), manifest, join, dim);
    }

    public ReadOptions manifest(ManifestMode mode) {
        return new ReadOptions(format, mode, join, dim);
    }

    /** Several files one after the other along a dimension, which may be counted from the end. */
    public ReadOptions concatenatedAlong(int along) {
        return new ReadOptions(format, manifest, Join.CONCATENATE, along);
    }

    /** Several files of one shape along a new dimension, which may be counted from the end. */
    public ReadOptions stackedAlong(int along) {
        return new ReadOptions(format, manifest, Join.STACK, along);
    }
}
