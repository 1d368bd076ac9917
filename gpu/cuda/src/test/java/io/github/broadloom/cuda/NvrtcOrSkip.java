package io.github.broadloom.cuda;

import static org.junit.jupiter.api.Assumptions.abort;

import io.github.broadloom.cuda.compiler.NvrtcLibrary;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a class of tests, in one line that says why, on a machine without NVRTC. */
public final class NvrtcOrSkip implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
        try {
            NvrtcLibrary.load();
        } catch (IllegalStateException e) {
            abort(e.getMessage());
        }
    }
}
