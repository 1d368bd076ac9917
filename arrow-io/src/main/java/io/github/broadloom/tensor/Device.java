package io.github.broadloom.tensor;

import java.io.Serializable;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where a computation runs: the CPU, one GPU, or whichever is sooner. A value; naming a device neither looks for it nor starts it.
 *
 * <p>The strings and their errors are PyTorch's: {@code "cpu"}, {@code "cuda"} (the current GPU), {@code "cuda:1"}.
 *
 * @param type {@code "cpu"}, {@code "cuda"} or {@code "auto"}
 * @param index the ordinal, or {@link #CURRENT} when the string gave none
 */
public record Device(String type, int index) implements Serializable {

    /** The index of a device whose string gives no ordinal. */
    public static final int CURRENT = -1;

    /**
     * Whatever computes an expression sooner. Where its tensors are on a GPU, that one; else the CPU, or the current GPU where copying the
     * operands there and the result back pays. It has no memory: no tensor is there.
     */
    public static final Device AUTO = new Device("auto", CURRENT);

    /** The processor that runs this JVM. */
    public static final Device CPU = new Device("cpu", CURRENT);

    private static final long serialVersionUID = 1L;
    private static final Pattern SYNTAX = Pattern.compile("[a-zA-Z_]+(:(0|[1-9][0-9]*))?");
    private static final List<String> TORCH_TYPES =
            List.of(("cpu cuda ipu xpu mkldnn opengl opencl ideep hip ve fpga maia"
                            + " xla lazy vulkan mps meta hpu mtia privateuseone")
                    .split(" "));

    /**
     * The device that a string names; {@code "auto"} is {@link #AUTO}.
     *
     * @throws IllegalArgumentException with PyTorch's text when the string is malformed or names no device type
     */
    public static Device of(String text) {
        if (text.equals(AUTO.type)) {
            return AUTO;
        }
        if (text.isEmpty()) {
            throw new IllegalArgumentException("Device string must not be empty");
        }
        if (!SYNTAX.matcher(text).matches()) {
            throw new IllegalArgumentException("Invalid device string: '" + text + "'");
        }
        int colon = text.indexOf(':');
        String type = colon < 0 ? text : text.substring(0, colon);
        if (!TORCH_TYPES.contains(type)) {
            throw new IllegalArgumentException("Expected one of " + String.join(", ", TORCH_TYPES)
                    + " device type at start of device string: " + type);
        }
        if (!type.equals("cpu") && !type.equals("cuda")) {
            throw new IllegalArgumentException(
                    "Cannot use device: " + text + "; the devices here are cpu and cuda, or auto");
        }
        return colon < 0 ? new Device(type, CURRENT) : indexed(type, text, text.substring(colon + 1));
    }

    private static Device indexed(String type, String text, String digits) {
        // PyTorch keeps an ordinal in eight signed bits.
        if (digits.length() > 3 || Integer.parseInt(digits) > Byte.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "Could not parse device index '" + digits + "' in device string '" + text + "'");
        }
        return new Device(type, Integer.parseInt(digits));
    }

    /**
     * The device of that type and ordinal: {@code Device.of("cuda", 1)} is {@code cuda:1}.
     *
     * @throws IllegalArgumentException with PyTorch's text when the type says an ordinal too, is no type, or the ordinal is
     *     negative
     */
    public static Device of(String type, int ordinal) {
        if (type.contains(":")) {
            throw new IllegalArgumentException(
                    "type (string) must not include an index because index was passed explicitly: " + type);
        }
        requireNotNegative(ordinal);
        return of(type + ":" + ordinal);
    }

    /**
     * The GPU with a legacy ordinal: {@code Device.of(1)} is {@code cuda:1}.
     *
     * @throws IllegalArgumentException when the ordinal is negative
     */
    public static Device of(int ordinal) {
        requireNotNegative(ordinal);
        return of("cuda:" + ordinal);
    }

    private static void requireNotNegative(int ordinal) {
        if (ordinal < 0) {
            throw new IllegalArgumentException("Device index must not be negative");
        }
    }

    /** Whether its memory is this JVM's own. */
    public boolean isCpu() {
        return type.equals(CPU.type);
    }

    /** Whether the string gave an ordinal. */
    public boolean hasIndex() {
        return index != CURRENT;
    }

    /** The string form that {@link #of(String)} reads back. */
    @Override
    public String toString() {
        return hasIndex() ? type + ":" + index : type;
    }
}
