package io.github.broadloom.testkit.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.parse.ExprParser;
import io.github.broadloom.expr.parse.ExprSyntaxException;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A text in the string language, which PyTorch read as Python; the tensors in {@code known} are read while it is built. */
final class CallKind implements Kind {
    /** What PyTorch computed on the CPU may say so: {@code x.to('cpu')}. */
    @Override
    public Optional<String> beyond(Vector vector, Engine engine) {
        boolean stays = vector.text("text").contains("'cpu'");
        boolean elsewhere = stays && !engine.place(Tensors.scalar(0L)).device().isCpu();
        return elsewhere
                ? Optional.of("a value that comes to the CPU in the middle of an expression")
                : Optional.empty();
    }

    @Override
    public VectorAnswer answer(Vector vector, Engine engine) {
        Map<String, Tensor> tensors = vector.tensorsByName("tensors");
        Set<String> known = vector.has("known")
                ? Vector.stream(vector.field("known")).map(JsonNode::asText).collect(Collectors.toSet())
                : Set.of();
        Map<String, Expr> names = new LinkedHashMap<>();
        tensors.forEach(
                (name, tensor) -> names.put(name, known.contains(name) ? Input.of(tensor) : engine.place(tensor)));
        return VectorAnswer.of(vector, engine.evaluate(parsed(vector.text("text"), names, engine)));
    }

    /** The error of what the text says, without the caret that shows where. */
    private static Expr parsed(String text, Map<String, Expr> names, Engine engine) {
        try {
            return ExprParser.parse(text, names, mask -> engine.evaluate(mask).to(Device.CPU));
        } catch (ExprSyntaxException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
