package io.github.broadloom.source;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.SparkSettings;
import io.github.broadloom.format.ReadOptions;
import io.github.broadloom.io.ManifestMode;
import io.github.broadloom.plan.Settings;
import io.github.broadloom.settings.SettingKind;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * What is said of a table beside its columns. Options of other names are Spark's own, or somebody else's.
 *
 * @param format the name of the file's format; empty where the path, or what lies there, tells
 * @param index the name of the column of places
 * @param value the name of the column of elements
 * @param chunkBytes about how much a partition reads; empty where the session says so
 * @param manifest whether a folder of parts must have one
 * @param dtype that of a file that is written; empty for that of the column
 */
record TableOptions(
        String path,
        Optional<String> format,
        String index,
        String value,
        Optional<Long> chunkBytes,
        ManifestMode manifest,
        Optional<DType> dtype) {

    private static final SettingKind<ManifestMode> MANIFEST = new SettingKind<>(
            "required or optional", text -> text.equalsIgnoreCase("optional") ? ManifestMode.OPTIONAL : required(text));

    private static final SettingKind<DType> DTYPE = new SettingKind<>("a dtype such as float32 or uint8", DType::of);

    private static ManifestMode required(String text) {
        if (!text.equalsIgnoreCase("required")) {
            throw new IllegalArgumentException(text);
        }
        return ManifestMode.REQUIRED;
    }

    /**
     * The options in what Spark has of a table, in any case.
     *
     * @throws IllegalArgumentException where there is no path, or not one, or an option has a value that it cannot have, naming it
     */
    static TableOptions of(String format, Map<String, String> given) {
        CaseInsensitiveStringMap all = new CaseInsensitiveStringMap(given);
        if (!all.containsKey("path")) {
            throw new IllegalArgumentException("Cannot open " + format + " table: "
                    + (all.containsKey("paths") ? "it is one tensor, not " + all.get("paths") : "it has no path")
                    + "; name one file, or a folder of parts");
        }
        return new TableOptions(
                all.get("path"),
                Optional.ofNullable(all.get("format")),
                all.getOrDefault("index", "index"),
                all.getOrDefault("value", "value"),
                value(all, "chunkBytes", SparkSettings.CHUNK_BYTES.kind()),
                value(all, "manifest", MANIFEST).orElse(ManifestMode.REQUIRED),
                value(all, "dtype", DTYPE));
    }

    private static <T> Optional<T> value(CaseInsensitiveStringMap all, String name, SettingKind<T> kind) {
        return Optional.ofNullable(all.get(name)).map(text -> kind.value(name, text));
    }

    ReadOptions reading() {
        ReadOptions reading = ReadOptions.DEFAULT.manifest(manifest);
        return format.map(reading::format).orElse(reading);
    }

    Settings over(Settings session) {
        return chunkBytes.map(session::withChunkBytes).orElse(session);
    }
}
