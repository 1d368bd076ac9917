package io.github.broadloom.zarr;

import io.github.broadloom.io.TensorFormatException;
import java.util.Locale;

/** The codecs of bytes that there are, by the names that Zarr's metadata has for them. */
final class ByteCodecs {
    private static final String KNOWN = "zstd, lz4, zlib, gzip, blosc, crc32c and shuffle are read";

    private ByteCodecs() {}

    /**
     * A codec of Zarr's version 3, or a filter or compressor of version 2.
     *
     * @param settings its configuration
     * @param typeBytes of an element
     */
    static ByteCodec of(String name, Document settings, int typeBytes) throws TensorFormatException {
        String known = name.startsWith("numcodecs.") ? name.substring("numcodecs.".length()) : name;
        return switch (known) {
            case "zstd" -> new ZstdCodec(settings.integer("level", ZarrOptions.ZSTD_LEVEL), settings.bool("checksum"));
            case "lz4" -> new Lz4Codec(settings.integer("acceleration", 1));
            case "zlib" -> new DeflateCodec(DeflateCodec.Frame.ZLIB, settings.integer("level", 1));
            case "gzip" -> new DeflateCodec(DeflateCodec.Frame.GZIP, settings.integer("level", 1));
            case "crc32c" -> new Crc32cCodec();
            case "blosc" -> blosc(settings, typeBytes);
            case "shuffle" -> shuffle(settings);
            default -> throw settings.damaged("its codec '" + printable(name) + "' is not supported; " + KNOWN);
        };
    }

    static String printable(String name) {
        String text = name.replaceAll("\\p{Cntrl}", "?");
        return text.length() <= 40 ? text : text.substring(0, 40) + "…";
    }

    /** Chunks say themselves how they are compressed, so that for reading nothing here counts. */
    private static ByteCodec blosc(Document settings, int typeBytes) throws TensorFormatException {
        String compressor = settings.text("cname", "lz4").toUpperCase(Locale.ROOT);
        return new BloscCodec(
                compressor.equals("ZSTD") ? BloscCodec.Compressor.ZSTD : BloscCodec.Compressor.LZ4,
                settings.integer("clevel", ZarrOptions.BLOSC_LEVEL),
                typeBytes);
    }

    private static ByteCodec shuffle(Document settings) throws TensorFormatException {
        int bytes = settings.integer("elementsize", 4);
        if (bytes < 1 || bytes > 255) {
            throw settings.wrong("elementsize", "a number of bytes");
        }
        return new ShuffleCodec(bytes);
    }
}
