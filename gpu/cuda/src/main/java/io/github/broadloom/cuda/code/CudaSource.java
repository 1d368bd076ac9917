package io.github.broadloom.cuda.code;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * One kernel as CUDA C. Equal sources are the same kernel, so this is the key of every cache of compiled kernels.
 *
 * @param entry the name of the {@code extern "C"} function
 * @param text the whole translation unit; it includes no header
 */
public record CudaSource(String entry, String text) {
    /**
     * What a compiler must be told, or do, for the text to mean what it is to mean. Without fused multiply-add: what the expression says is
     * what is rounded, here as on the CPU.
     */
    public static final List<String> OPTIONS = List.of("--fmad=false", "-std=c++17", "-default-device");

    /** The SHA-256 of the options and the text, which contains the entry, in lower-case hex: a kernel has it on every machine. */
    public String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(String.join(" ", OPTIONS).getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Cannot hash a kernel: every JVM has SHA-256, this one has not", e);
        }
    }
}
