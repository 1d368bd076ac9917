package io.github.broadloom.bench.guide;

import io.github.broadloom.expr.fluent.OpsBase;
import io.github.broadloom.tensor.Tensor;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

/**
 * One run of a page. What a statement of Java prints must be shown; else the comment after an expression is its value, and a comment such as {@code float32 [2, 3]} is dtype
 * and shape of the tensor that the line makes. Other comments of declarations are prose.
 */
final class Reading implements Script.Steps {
    private static final Pattern DTYPE_AND_SHAPE = Pattern.compile("(float|u?int|bool)\\d* \\[[\\d, ]*]");

    private final Page page;
    private final List<Step> steps;
    private final Map<String, Interpreter> interpreters;
    private final Notes notes;
    private final PrintStream out = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private int current;

    Reading(Page page, List<Step> steps, Map<String, Interpreter> interpreters, Notes notes) {
        this.page = page;
        this.steps = steps;
        this.interpreters = interpreters;
        this.notes = notes;
    }

    /** Runs all of it. */
    void run(Script script) {
        try {
            script.run(this);
        } catch (Exception e) {
            System.setOut(out);
            notes.take(steps.get(current), Answer.failure(e.getMessage() + " (and the rest of the page was not run)"));
        }
    }

    @Override
    public void begin(int step) {
        current = step;
        printed.reset();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private String ended() {
        System.setOut(out);
        return printed.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void end(int step) {
        notes.take(steps.get(step), Answer.printed(ended()));
    }

    @Override
    public void end(int step, Object value) {
        String text = ended();
        boolean isTyped = !typed(step, value).isEmpty();
        notes.take(steps.get(step), isTyped ? Answer.value(typed(step, value)) : Answer.printed(text));
    }

    @Override
    public void show(int step, Callable<?> expression) {
        begin(step);
        Answer answer;
        try {
            Object value = expression.call();
            String text = ended();
            answer = text.isEmpty() ? Answer.value(text(step, value)) : Answer.printed(text);
        } catch (Exception e) {
            ended();
            answer = Answer.failure(String.valueOf(e.getMessage()));
        }
        notes.take(steps.get(step), answer);
    }

    @Override
    public void show(int step, Script.Action action) {
        show(step, () -> {
            action.run();
            return "";
        });
    }

    @Override
    public void block(int number) {
        Block block = page.blocks().get(number);
        if (!block.language().equals("java")) {
            Interpreter interpreter = interpreters.get(block.language());
            if (interpreter == null) {
                notes.add(block.line(), "nothing here runs '" + block.language() + "'");
                return;
            }
            interpreter.steps(block).forEach(step -> notes.take(step, interpreter.run(step)));
        }
        notes.endBlock(block);
    }

    private String text(int step, Object value) {
        String typed = typed(step, value);
        if (!typed.isEmpty()) {
            return typed;
        }
        String text = Arrays.deepToString(new Object[] {value});
        return text.substring(1, text.length() - 1);
    }

    /** Dtype and shape where the page tells them; else nothing. */
    private String typed(int step, Object value) {
        String expected = String.join("\n", steps.get(step).expected());
        if (!DTYPE_AND_SHAPE.matcher(expected).matches()) {
            return "";
        }
        if (value instanceof Tensor tensor) {
            return tensor.dtype() + " " + tensor.shape();
        }
        return value instanceof OpsBase<?> ops ? ops.dtype() + " " + ops.shape() : "no tensor";
    }
}
