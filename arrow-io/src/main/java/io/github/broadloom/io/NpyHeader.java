package io.github.broadloom.io;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The header of a npy file, by NumPy's description of the format ({@code numpy.lib.format}), versions 1.0 to 3.0.
 *
 * @param dtype the elements' dtype
 * @param order their byte order; of no meaning where an element is one byte
 * @param fortranOrder whether the first index runs fastest in the file
 * @param shape the array's shape
 * @param dataOffset bytes from the beginning of the file to the first element
 */
public record NpyHeader(DType dtype, ByteOrder order, boolean fortranOrder, Shape shape, int dataOffset) {
    private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    private static final int ALIGNMENT = 64;
    /** Room that NumPy leaves for the leading size to grow in place: the digits of the largest one, and a sign. */
    private static final int GROWTH_DIGITS = 21;
    /** Headers of plain dtypes stay below 2 KiB at NumPy's 64 dimensions; this is the room for the refused ones. */
    private static final int LONGEST_HEADER = 1 << 20;

    private static final Set<String> KEYS = Set.of("descr", "fortran_order", "shape");

    /** The header that {@code numpy.save} would write for an array in C order: in this machine's byte order, version 1.0. */
    public static NpyHeader of(DType dtype, Shape shape) {
        return of(dtype, shape, false);
    }

    static NpyHeader of(DType dtype, Shape shape, boolean fortranOrder) {
        NpyHeader header = new NpyHeader(dtype, ByteOrder.nativeOrder(), fortranOrder, shape, 0);
        return new NpyHeader(dtype, ByteOrder.nativeOrder(), fortranOrder, shape, header.encode().length);
    }

    /**
     * Reads a header and leaves the stream at the first element.
     *
     * @param name the file's name, for the messages
     * @throws TensorFormatException where this is not the beginning of a npy file, or one of a dtype that is not
     *     supported; pickled object arrays are refused
     */
    public static NpyHeader read(InputStream in, String name) throws IOException {
        byte[] start = in.readNBytes(MAGIC.length + 2);
        checkMagic(start, name);
        int major = start[MAGIC.length];
        int minor = start[MAGIC.length + 1];
        if (major < 1 || major > 3 || minor != 0) {
            throw TensorFormatException.cannotRead(
                    name,
                    "its npy format version is " + (major & 0xff) + "." + (minor & 0xff)
                            + "; 1.0, 2.0 and 3.0 are known");
        }
        byte[] lengthField = readFully(in, major == 1 ? 2 : 4, name);
        long length = 0;
        for (int i = lengthField.length - 1; i >= 0; i--) {
            length = length << 8 | (lengthField[i] & 0xff);
        }
        if (length > LONGEST_HEADER) {
            throw TensorFormatException.cannotRead(
                    name,
                    "its npy header claims to be " + length + " bytes long; more than " + LONGEST_HEADER
                            + " are refused");
        }
        Charset charset = major == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
        String text = new String(readFully(in, (int) length, name), charset);
        return parse(text, start.length + lengthField.length + (int) length, name);
    }

    private static void checkMagic(byte[] start, String name) throws TensorFormatException {
        if (start.length == 0) {
            throw TensorFormatException.cannotRead(name, "it is empty; a npy file begins with a header");
        }
        if (start.length >= 4 && start[0] == 'P' && start[1] == 'K') {
            throw TensorFormatException.cannotRead(
                    name,
                    "it is a zip archive, as a npz file is, and not a single array; name the array to read as"
                            + " FILE.npz:key");
        }
        int compared = Math.min(start.length, MAGIC.length);
        if (!Arrays.equals(start, 0, compared, MAGIC, 0, compared)) {
            throw TensorFormatException.cannotRead(
                    name, "it does not begin as a npy file does; write it with numpy.save or Npy.write");
        }
        if (start.length < MAGIC.length + 2) {
            throw endsInHeader(name);
        }
    }

    private static byte[] readFully(InputStream in, int count, String name) throws IOException {
        byte[] bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw endsInHeader(name);
        }
        return bytes;
    }

    private static TensorFormatException endsInHeader(String name) {
        return TensorFormatException.cannotRead(name, "it ends inside its npy header; the file is truncated");
    }

    private static NpyHeader parse(String text, int dataOffset, String name) throws TensorFormatException {
        Map<String, @Nullable Object> dict = PythonLiteral.parseDict(text, name);
        if (!dict.keySet().equals(KEYS)) {
            throw TensorFormatException.cannotRead(
                    name,
                    "its npy header has " + dict.size()
                            + " keys other than 'descr', 'fortran_order' and 'shape'; the file is damaged");
        }
        NpyDescr descr = NpyDescr.of(dict.get("descr"), name);
        if (!(dict.get("fortran_order") instanceof Boolean fortranOrder)) {
            throw TensorFormatException.cannotRead(
                    name, "the 'fortran_order' of its npy header is neither True nor False; the file is damaged");
        }
        Shape shape = shape(dict.get("shape"), descr.dtype(), name);
        return new NpyHeader(descr.dtype(), descr.order(), fortranOrder, shape, dataOffset);
    }

    private static Shape shape(@Nullable Object value, DType dtype, String name) throws TensorFormatException {
        if (!(value instanceof PythonLiteral.Tuple tuple)
                || !tuple.items().stream().allMatch(size -> size instanceof Long number && number >= 0)) {
            throw TensorFormatException.cannotRead(
                    name, "the 'shape' of its npy header is not a tuple of sizes; the file is damaged");
        }
        long[] sizes = tuple.items().stream().mapToLong(size -> (Long) size).toArray();
        return ClaimedShape.of(sizes, dtype, name);
    }

    /**
     * The bytes of the header, exactly as {@code numpy.save} writes it: padded with spaces to a multiple of 64 bytes, and
     * ended by a line feed. The version is 1.0, or 2.0 where 64 KiB do not hold it.
     */
    public byte[] encode() {
        String text = "{'descr': '" + new NpyDescr(dtype, order).encode() + "', 'fortran_order': "
                + (fortranOrder ? "True" : "False") + ", 'shape': " + shapeText() + ", }";
        if (shape.rank() > 0) {
            long growing = shape.size(fortranOrder ? shape.rank() - 1 : 0);
            text += " ".repeat(GROWTH_DIGITS - Long.toString(growing).length());
        }
        int lengthBytes = text.length() < 0xffff - ALIGNMENT ? 2 : 4;
        int prefix = MAGIC.length + 2 + lengthBytes;
        text += " ".repeat(ALIGNMENT - (prefix + text.length() + 1) % ALIGNMENT) + "\n";
        byte[] bytes = Arrays.copyOf(MAGIC, prefix + text.length());
        bytes[MAGIC.length] = (byte) (lengthBytes == 2 ? 1 : 2);
        for (int i = 0; i < lengthBytes; i++) {
            bytes[MAGIC.length + 2 + i] = (byte) (text.length() >>> 8 * i);
        }
        byte[] body = text.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(body, 0, bytes, prefix, body.length);
        return bytes;
    }

    private String shapeText() {
        String sizes = Arrays.stream(shape.toArray()).mapToObj(Long::toString).collect(Collectors.joining(", "));
        return shape.rank() == 1 ? "(" + sizes + ",)" : "(" + sizes + ")";
    }

    /** Bytes of the elements, without the header. */
    public long dataBytes() {
        return Math.multiplyExact(shape.numel(), dtype.bytes());
    }

    /**
     * Refuses a file that is shorter or longer than this header says, before anything is allocated for it.
     *
     * @param fileBytes the whole file's length, header included
     * @param name the file's name, for the message
     */
    public void checkFileLength(long fileBytes, String name) throws TensorFormatException {
        long held = fileBytes - dataOffset;
        if (held < dataBytes()) {
            throw truncated(held, name);
        }
        if (held > dataBytes()) {
            throw TensorFormatException.cannotRead(
                    name,
                    (held - dataBytes()) + " bytes follow the " + dataBytes() + " bytes of " + dtype + " " + shape
                            + " that its header claims; the file is damaged, or holds more than one array");
        }
    }

    TensorFormatException truncated(long heldBytes, String name) {
        return TensorFormatException.cannotRead(
                name,
                "its header claims " + dataBytes() + " bytes of " + dtype + " " + shape + ", but only "
                        + Math.max(0, heldBytes) + " follow; the file is truncated or its header damaged");
    }

    /** Where element {@code [i, j, …]} of the shape lies in the file, in elements from the first one. */
    Layout layout() {
        return fortranOrder
                ? reversed(Layout.contiguous(reversed(Layout.contiguous(shape)).shape()))
                : Layout.contiguous(shape);
    }

    static Layout reversed(Layout layout) {
        return layout.permute(IntStream.rangeClosed(1, layout.rank())
                .map(dim -> layout.rank() - dim)
                .toArray());
    }
}
