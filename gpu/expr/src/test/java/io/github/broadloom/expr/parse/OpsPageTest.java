package io.github.broadloom.expr.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.expr.ops.LineOp;
import io.github.broadloom.expr.ops.Op;
import io.github.broadloom.expr.ops.Reduction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OpsPageTest {
    @Test
    void theCommittedPageIsTheOneThatTheTableMakes() throws IOException {
        assertThat(Files.readString(Path.of("../../docs/ops.md")))
                .as("run: examples/run ops > docs/ops.md")
                .isEqualTo(OpsPage.markdown());
    }

    @Test
    void everyOperationCompositionAndReductionHasItsLine() {
        String page = OpsPage.markdown();
        assertThat(Op.all()).allSatisfy(op -> assertThat(page).contains("\n| `" + op.name() + "` | "));
        assertThat(Functions.COMPOSITIONS.all())
                .allSatisfy(function -> assertThat(page).contains("\n| `" + function.name() + "` | "));
        assertThat(Reduction.values())
                .allSatisfy(reduction -> assertThat(page).contains("\n| `" + reduction.torchName() + "` | "));
        assertThat(LineOp.Kind.values())
                .filteredOn(kind -> !kind.isIndices() && kind != LineOp.Kind.CUMMAX && kind != LineOp.Kind.CUMMIN)
                .allSatisfy(kind ->
                        assertThat(page).contains("\n| `" + LineOp.of(kind).torchName() + "` | "));
    }

    @Test
    void aLineSaysWhatIsAcceptedAndWhatResults() {
        assertThat(OpsPage.markdown().lines())
                .contains(
                        "| `sqrt` |  | `input` | floating, from any | floating | 1 | The square root; NaN below zero. |")
                .anyMatch(
                        line -> line.startsWith("| `sub` | `subtract` | `input, other` | integer, floating | promoted"))
                .contains(
                        "| `argmax` | `input, dim=None, keepdim=False` | integer, floating | int64 | Where the greatest"
                                + " value is, or the first NaN; of several the first. |")
                .anyMatch(line -> line.startsWith(
                        "| `prod` | `input, dim=None, keepdim=False, dtype=None` | all | the same, int64 of bools"))
                .anyMatch(line ->
                        line.startsWith("| `softplus` |  | `input, beta=1, threshold=20` | floating | promoted"));
    }
}
