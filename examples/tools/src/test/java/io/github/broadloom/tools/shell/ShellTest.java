package io.github.broadloom.tools.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.tools.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShellTest {
    @TempDir
    private Path folder;

    @Test
    void whatDoesNotCompileIsShownWithItsPlace() throws Exception {
        Path file = Files.writeString(folder.resolve("wrong.scala"), "val a = 1\n\nval b =\n  a + nonsense\n");
        Cli wrong = Cli.run("shell", "--master", "local[2]", "-i", file.toString(), "-e", "val notReached = 1");
        assertThat(wrong.complains().err())
                .isEqualTo("broadloom: " + file + ":4: not found: value nonsense\n    a + nonsense\n        ^\n");
        assertThat(wrong.out()).isEqualTo("val a: Int = 1\n");
    }

    @Test
    void quitEndsAProgram() {
        Cli shell = Cli.run("shell", "--master", "local[2]", "-e", "// nothing yet\nval a = 1\n:quit\nnonsense");
        assertThat(shell.succeeds().out()).isEqualTo("val a: Int = 1\n");
    }

    @Test
    void whatIsWrongWithTheCommandIsToldBeforeSparkStarts() {
        assertThat(Cli.run("shell", "--master", "locally", "-e", "1").sentence())
                .startsWith("broadloom: Cannot use master 'locally': Spark knows local");
        assertThat(Cli.run("shell", "-i", "missing.scala").sentence())
                .isEqualTo("broadloom: Cannot open missing.scala: there is no such file");
    }
}
