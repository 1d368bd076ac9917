package io.github.broadloom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs scripts of Python in {@code python3}, or in the interpreter that {@code -Dbroadloom.test.python} names. */
public final class Python {
    public static final String INTERPRETER = System.getProperty("broadloom.test.python", "python3");

    private Python() {}

    /** Skips the test where a package is missing. */
    public static void assumeHas(String module) throws InterruptedException {
        assumeTrue(
                run("import " + module).status == 0,
                INTERPRETER + " has no " + module + "; -Dbroadloom.test.python names another");
    }

    /** A script that must succeed. */
    public static void succeeds(String script, String... arguments) throws InterruptedException {
        Result result = run(script, arguments);
        assertThat(result.status).as(result.output).isZero();
    }

    private record Result(int status, String output) {}

    private static Result run(String script, String... arguments) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(INTERPRETER, "-c", script));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Result(process.exitValue(), output);
        } catch (IOException e) {
            return new Result(-1, String.valueOf(e.getMessage()));
        }
    }
}
