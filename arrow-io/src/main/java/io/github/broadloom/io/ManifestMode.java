package io.github.broadloom.io;

/** What becomes of a folder of parts that has no manifest, so that nobody can tell whether a part is missing. */
public enum ManifestMode {
    /** It is refused: what wrote it has not ended, or was not Broadloom. */
    REQUIRED,
    /** The parts are the files {@code part-NNNNN} that are there, as of folders that NumPy or pyarrow wrote. */
    OPTIONAL
}
