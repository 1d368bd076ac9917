package io.github.broadloom.io;

import io.github.broadloom.dtype.DType;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The files of {@code src/test/resources/npy}, and by hand the values that the script there put into them. */
final class NumPyFiles {
    static final Map<DType, List<Object>> VALUES = Map.of(
            DType.FLOAT32, List.of(-1.5, 0.0, 0.25, 1.0, 3.4028234663852886e38, Double.POSITIVE_INFINITY),
            DType.FLOAT64, List.of(-1.5, 0.0, 0.1, 1.0, Double.MAX_VALUE, Double.NEGATIVE_INFINITY),
            DType.FLOAT16, List.of(-1.5, 0.0, 0.25, 1.0, 65504.0, Double.POSITIVE_INFINITY),
            DType.UINT8, List.of(0L, 1L, 2L, 127L, 128L, 255L),
            DType.INT8, List.of(-128L, -1L, 0L, 1L, 2L, 127L),
            DType.INT16, List.of(-32768L, -1L, 0L, 1L, 0x0102L, 32767L),
            DType.INT32, List.of((long) Integer.MIN_VALUE, -1L, 0L, 1L, 0x01020304L, (long) Integer.MAX_VALUE),
            DType.INT64, List.of(Long.MIN_VALUE, -1L, 0L, 1L, 0x0102030405060708L, Long.MAX_VALUE),
            DType.BOOL, List.of(true, false, true, true, false, false));

    private NumPyFiles() {}

    static Path file(String name) {
        try {
            return Path.of(Objects.requireNonNull(NumPyFiles.class.getResource("/npy/" + name), name)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
