package io.github.broadloom.cuda.compiler;

import io.github.broadloom.cuda.code.CudaSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A compiler refused a kernel. The message has the compiler's log and the source with numbered lines, to which the log refers. */
public final class CudaCompileException extends NoKernelException {
    private static final long serialVersionUID = 1;

    private final String details;

    public CudaCompileException(CudaSource source, String architecture, String compiler, String log) {
        this(
                "Cannot compile kernel %s for %s: %s says %s"
                        .formatted(source.entry(), architecture, compiler, complaint(log)),
                "%n%s%n%n%s".formatted(log.strip(), numbered(source.text())),
                null);
    }

    private CudaCompileException(String sentence, String details, @Nullable CudaCompileException first) {
        super(sentence, details, first);
        this.details = details;
    }

    /** The same refusal, for another caller, whose stack it has. */
    CudaCompileException again() {
        return new CudaCompileException(sentence(), details, this);
    }

    private static String complaint(String log) {
        List<String> lines =
                log.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
        return lines.stream()
                .filter(line -> line.contains("error") || line.contains("fatal"))
                .findFirst()
                .orElse(lines.isEmpty() ? "nothing" : lines.get(0));
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
