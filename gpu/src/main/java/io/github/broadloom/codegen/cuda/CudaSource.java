package io.github.broadloom.codegen.cuda;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * One kernel as CUDA C. Equal sources are the same kernel, so this is the key of every cache of compiled kernels.
 *
 * @param entry the name of the {@code extern "C"} function
 * @param text the whole translation unit; it includes no header
 */
public record CudaSource(String entry, String text) {

    /** The SHA-256 of the text, which contains the entry, in lower-case hex. */
    public String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Cannot hash a kernel: every JVM has SHA-256, this one has not", e);
        }
    }
}
