package io.github.broadloom.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.tensor.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The vectors that PyTorch computed, on one device of this process; and how a run treats vectors that are wrong. */
class ConformanceTest {
    @TempDir
    Path folder;

    private final Conformance conformance = new Conformance(new LocalEngine(Device.CPU));

    /** Files of which no line may be skipped, but for ops that the project does not have. */
    private static final Set<String> COMPLETE = Set.of(
            "seed",
            "broadcast_shapes",
            "view",
            "join",
            "promote",
            "print",
            "binary",
            "unary",
            "inplace",
            "overlap",
            "sparse");

    @ParameterizedTest
    @MethodSource("io.github.broadloom.testkit.conformance.VectorFiles#names")
    void noVectorFailsAndWhatTheProjectHasIsNotSkipped(String name) {
        Tally tally = new Tally();
        assertThat(VectorFiles.failures(VectorFiles.file(name, folder), new LocalEngine(Device.CPU), tally))
                .isEmpty();
        assertThat(tally.passed()).as(tally.toString()).isPositive();
        if (COMPLETE.contains(name)) {
            assertThat(tally.passed()).isEqualTo(GoldenFiles.required(name));
        }
    }

    @Test
    void aWrongResultFailsWithBothTexts() throws IOException {
        Verdict verdict = only("{'id':'w','kind':'binary','op':'add','a':" + ints(1, 2) + ",'b':" + ints(3, 4)
                + ",'ulp':0,'expect':{'dtype':'int64','shape':[2],'values':[4,7]}}");
        assertThat(verdict.outcome()).isEqualTo(Verdict.Outcome.FAILED);
        assertThat(verdict.vector()).startsWith("w (").endsWith("own.jsonl:1)");
        assertThat(verdict.detail())
                .contains("expected  int64 [2] [4, 7]")
                .contains("got       int64 [2] [4, 6]")
                .contains("element [1]: 6, not 7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'dtype':'int32','shape':[2],'values':[4,6]}",
                "{'dtype':'int64','shape':[2,1],'values':[4,6]}",
                "{'dtype':'int64','shape':[1],'values':[4]}"
            })
    void dtypeAndShapeAreExact(String expect) throws IOException {
        assertThat(sum(expect).outcome()).isEqualTo(Verdict.Outcome.FAILED);
    }

    @Test
    void anErrorIsTheExactText() throws IOException {
        String head = "{'kind':'broadcast_shapes','shapes':[[2],[3]],'error':'";
        String text = "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0";
        assertThat(only(head + text + "'}").outcome()).isEqualTo(Verdict.Outcome.PASSED);
        assertThat(only(head + text + ".'}").outcome()).isEqualTo(Verdict.Outcome.FAILED);
        assertThat(only("{'kind':'broadcast_shapes','shapes':[[2],[2]],'error':'" + text + "'}")
                        .outcome())
                .as("a result where an error is due")
                .isEqualTo(Verdict.Outcome.FAILED);
        assertThat(only("{'kind':'broadcast_shapes','shapes':[[2],[3]],'expect':[3]}")
                        .detail())
                .as("an error where a result is due")
                .contains(text);
    }

    @Test
    void unknownKindsAndOpsAreSkippedByName() throws IOException {
        Tally tally = new Tally();
        conformance.run(
                file("{'kind':'fft','a':1}\n{'kind':'unary','op':'erfinv','a':3}\n{'kind':'fft'}\n"
                        + "{'kind':'view','dtype':'int64','start':[2],'steps':[['squint']],'expect':{}}\n"),
                tally);
        assertThat(tally.skippedByName()).hasSize(3).containsEntry("fft", 2L);
        assertThat(tally.skippedByName()).containsKeys("unary erfinv", "view squint");
        assertThat(tally).hasToString("0 passed, 0 failed, 4 skipped");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'kind':'unary'}",
                "{'kind':'unary','op':'abs'}",
                "{'kind':'unary','op':7,'a':1}",
                "{'kind':'unary','op':'abs','a':{'dtype':'complex64','shape':[],'stride':[],'offset':0,'storage':[1]}}",
                "{'kind':'unary','op':'abs','a':{'dtype':'int64','shape':[3],'stride':[1],'offset':0,'storage':[1,2]}}",
                "{'kind':'unary','op':'abs','a':{'dtype':'int64','shape':[1],'stride':[1],'offset':-1,'storage':[1]}}",
                "{'kind':'unary','op':'abs','a':{'dtype':'int64','shape':[1],'stride':[],'offset':0,'storage':[1]}}",
                "{'kind':'unary','op':'abs','a':{'dtype':'int64','shape':[-1],'stride':[1],'offset':0,'storage':[1]}}",
                "{'kind':'unary','op':'abs','a':{'dtype':'int64','shape':[1],'stride':[1],'offset':0,'storage':[1.5]}}",
                "{'kind':'unary','op':'abs','a':{'dtype':'uint8','shape':[1],'stride':[1],'offset':0,'storage':[256]}}",
                "{'kind':'unary','op':'abs','a':{'dtype':'float32','shape':[1],'stride':[1],'offset':0,'storage':['x']}}",
                "{'kind':'unary','op':'abs','a':{'dtype':'bool','shape':[1],'stride':[1],'offset':0,'storage':[1]}}",
                "{'kind':'unary','op':'abs','a':{'dtype':'int64','shape':[4611686018427387904,4],'stride':[1,1],'offset':0,'storage':[1]}}",
                "{'kind':'unary','op':'abs','a':"
                        + "{'dtype':'int64','shape':[1],'stride':[1],'offset':0,'storage':[1]}}",
                "{'kind':'view','dtype':'int64','start':[2],'steps':[['select',0]],'expect':{}}",
                "{'kind':'view','dtype':'int64','start':[2],'steps':[['select','x',0]],'expect':{}}",
                "{'kind':'view','dtype':'int64','start':[2],'steps':[],'expect':{}}",
                "{'kind':'broadcast_shapes','shapes':[['a']],'expect':[1]}",
                "{'kind':'can_cast','from':'int64','to':'int77','expect':true}",
                "{'kind':'finfo','dtype':'float32','bits':32}"
            })
    void aVectorThatIsNoneFailsAndTheRunGoesOn(String line) throws IOException {
        List<Verdict> verdicts = new ArrayList<>();
        String good = "{'kind':'promote_types','a':'int64','b':'float16','expect':'float16'}";
        conformance.run(file(good + "\n" + line + "\n\n" + good + "\n"), verdicts::add);
        assertThat(verdicts)
                .extracting(Verdict::outcome)
                .containsExactly(Verdict.Outcome.PASSED, Verdict.Outcome.FAILED, Verdict.Outcome.PASSED);
        assertThat(verdicts.get(1).vector()).contains("own.jsonl:2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'kind':", "[1,2]", "3", "{} {}", "not json"})
    void aLineThatIsNoObjectStopsTheRunWithFileAndLine(String line) throws IOException {
        Path file = file("{'kind':'fft'}\n" + line + "\n");
        assertThatThrownBy(() -> conformance.run(file, verdict -> {}))
                .isInstanceOf(VectorFormatException.class)
                .hasMessageStartingWith("Cannot read a vector at " + file + ":2: ");
    }

    private Verdict sum(String expect) throws IOException {
        return only("{'kind':'binary','op':'add','a':" + ints(1, 2) + ",'b':" + ints(3, 4) + ",'ulp':0,'expect':"
                + expect + "}");
    }

    private Verdict only(String line) throws IOException {
        List<Verdict> verdicts = new ArrayList<>();
        conformance.run(file(line + "\n"), verdicts::add);
        assertThat(verdicts).hasSize(1);
        return verdicts.get(0);
    }

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("own.jsonl"), text.replace('\'', '"'));
    }

    private static String ints(long first, long second) {
        return "{'dtype':'int64','shape':[2],'stride':[1],'offset':0,'storage':[" + first + "," + second + "]}";
    }
}
