package io.github.broadloom.testkit.conformance;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs vectors on an engine, one verdict each. Nothing in a vector can stop the run: what cannot be read fails. */
public record Conformance(Engine engine) {
    /** Runs every vector of a file, in order; a {@link VectorFormatException} at a line that is not a JSON object. */
    public void run(Path file, Consumer<Verdict> verdicts) throws IOException {
        VectorFile.forEach(file, vector -> verdicts.accept(run(vector)));
    }

    public Verdict run(Vector vector) {
        if (!vector.has("kind")) {
            return Verdict.failed(vector, "a vector", "the field \"kind\" is missing");
        }
        Optional<Kind> kind = Kinds.find(vector.kind());
        if (kind.isEmpty()) {
            return Verdict.skipped(vector, vector.kind());
        }
        try {
            Optional<String> unknown = kind.get().unknownOp(vector);
            Optional<String> reason = unknown.map(op -> vector.kind() + " " + op)
                    .or(() -> kind.get().beyond(vector, engine));
            return reason.map(why -> Verdict.skipped(vector, why)).orElseGet(() -> judge(vector, kind.get()));
        } catch (MalformedVectorException e) {
            return Verdict.failed(vector, "a vector", String.valueOf(e.getMessage()));
        }
    }

    private Verdict judge(Vector vector, Kind kind) {
        VectorAnswer answer;
        try {
            answer = kind.answer(vector, engine);
        } catch (MalformedVectorException e) {
            throw e;
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            return judgeError(vector, e);
        }
        if (vector.has("error")) {
            return Verdict.failed(
                    vector, "error: " + vector.text("error"), answer.text().get());
        }
        return answer.mismatch()
                .get()
                .map(mismatch -> Verdict.failed(vector, mismatch.expected(), mismatch.got()))
                .orElseGet(() -> Verdict.passed(vector));
    }

    private static Verdict judgeError(Vector vector, Throwable thrown) {
        String text = String.valueOf(thrown.getMessage()).lines().findFirst().orElse("");
        if (!vector.has("error")) {
            String expected = vector.has("expect") ? Vector.abbreviated(vector.field("expect")) : "a result";
            return Verdict.failed(vector, expected, thrown.getClass().getSimpleName() + ": " + text);
        }
        String expected = vector.text("error");
        return text.equals(expected)
                ? Verdict.passed(vector)
                : Verdict.failed(vector, "error: " + expected, thrown.getClass().getSimpleName() + ": " + text);
    }
}
