package io.github.broadloom.io;

import io.github.broadloom.dtype.DType;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How NumPy writes a dtype in a npy header, and Zarr in its metadata, such as {@code '<f4'}: byte order, kind letter, bytes. What
 * NumPy has beyond our dtypes is refused by its name.
 */
public record NpyDescr(DType dtype, ByteOrder order) {
    private static final Map<Character, String> FOREIGN_KINDS = Map.of(
            'c', "complex numbers",
            'u', "unsigned integers",
            'f', "extended floating point",
            'S', "byte strings",
            'a', "byte strings",
            'U', "text",
            'V', "raw records",
            'M', "datetime64",
            'm', "timedelta64",
            'T', "variable-width text");

    /**
     * Reads the value of the header's {@code descr} key: a string for a plain dtype, a list for a structured one.
     *
     * @param fileName for the message
     */
    public static NpyDescr of(@Nullable Object descr, String fileName) throws TensorFormatException {
        if (descr instanceof List<?> || descr instanceof PythonLiteral.Tuple) {
            throw TensorFormatException.cannotRead(
                    fileName, "its dtype is a structured one, a record of named fields; save each field by itself");
        }
        if (!(descr instanceof String text) || text.isEmpty()) {
            throw TensorFormatException.cannotRead(
                    fileName, "its header has no dtype where it should have one; the file is damaged");
        }
        boolean prefixed = "<>=|".indexOf(text.charAt(0)) >= 0;
        String code = prefixed ? text.substring(1) : text;
        DType dtype = numpyDTypes()
                .filter(known -> known.numpyCode().orElseThrow().equals(code))
                .findFirst()
                .orElseThrow(() -> unsupported(text, code, fileName));
        ByteOrder order = switch (text.charAt(0)) {
            case '<' -> ByteOrder.LITTLE_ENDIAN;
            case '>' -> ByteOrder.BIG_ENDIAN;
            default -> ByteOrder.nativeOrder();
        };
        return new NpyDescr(dtype, order);
    }

    /**
     * The text for the header, as NumPy spells it: single bytes have no order.
     *
     * @throws IllegalArgumentException where NumPy has no such dtype
     */
    public String encode() {
        char prefix = dtype.bytes() == 1 ? '|' : order == ByteOrder.BIG_ENDIAN ? '>' : '<';
        return prefix
                + dtype.numpyCode()
                        .orElseThrow(() -> new IllegalArgumentException("Cannot write a npy file: NumPy has no " + dtype
                                + "; cast the tensor with to(...) to " + dtype.widened() + " first"));
    }

    private static Stream<DType> numpyDTypes() {
        return Arrays.stream(DType.values()).filter(dtype -> dtype.numpyCode().isPresent());
    }

    private static TensorFormatException unsupported(String descr, String code, String fileName) {
        String quoted = "'" + abbreviated(descr) + "'";
        if (code.startsWith("O")) {
            return TensorFormatException.cannotRead(
                    fileName,
                    "it holds pickled Python objects (dtype " + quoted
                            + "), which are refused because unpickling can run any code; save a numeric array instead");
        }
        String kind = code.isEmpty() ? null : FOREIGN_KINDS.get(code.charAt(0));
        String meaning = kind == null ? "" : String.format(Locale.ROOT, " (%s)", kind);
        return TensorFormatException.cannotRead(
                fileName, "its dtype " + quoted + meaning + " is not supported; " + supported());
    }

    private static String supported() {
        List<String> names = numpyDTypes().map(DType::torchName).toList();
        int last = names.size() - 1;
        return String.join(", ", names.subList(0, last)) + " and " + names.get(last) + " are supported";
    }

    private static String abbreviated(String descr) {
        String printable = descr.replaceAll("[^\\x20-\\x7e]", "?");
        return printable.length() <= 40 ? printable : printable.substring(0, 40) + "…";
    }
}
