package io.github.broadloom.bench.guide;

import io.github.broadloom.tools.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs each block of Scala as a program of its own in {@code examples/run shell}; what it prints must be shown below it. */
final class ScalaInterpreter implements Interpreter {
    @Override
    public List<Step> steps(Block block) {
        return List.of(new Step(block.line(), String.join("\n", block.lines()), List.of()));
    }

    @Override
    public Answer run(Step step) {
        return tool("shell", "-e", step.source());
    }

    /** What a tool says, by itself and through Scala's {@code println}. */
    static Answer tool(String... arguments) {
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        StringWriter err = new StringWriter();
        System.setOut(out);
        try {
            int code = Main.run(new PrintWriter(out, true, StandardCharsets.UTF_8), new PrintWriter(err), arguments);
            return code == 0
                    ? Answer.printed(printed.toString(StandardCharsets.UTF_8))
                    : Answer.failure(err.toString());
        } finally {
            System.setOut(before);
        }
    }
}
