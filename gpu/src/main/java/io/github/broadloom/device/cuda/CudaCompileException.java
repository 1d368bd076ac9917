package io.github.broadloom.device.cuda;

import io.github.broadloom.codegen.cuda.CudaSource;
import java.util.List;

/** A compiler refused a kernel. The message has the compiler's log and the source with numbered lines, to which the log refers. */
public final class CudaCompileException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    CudaCompileException(CudaSource source, String architecture, String compiler, String log) {
        super("Cannot compile kernel %s for %s: %s says%n%s%n%s"
                .formatted(source.entry(), architecture, compiler, log.strip(), numbered(source.text())));
    }

    private static String numbered(String text) {
        List<String> lines = text.lines().toList();
        StringBuilder numbered = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            numbered.append("%4d  %s%n".formatted(i + 1, lines.get(i)));
        }
        return numbered.toString();
    }
}
