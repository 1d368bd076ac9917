package io.github.broadloom.cpu.simd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimdTest {
    private static final int N = 515;

    /** What another JVM prints. */
    public static void main(String[] args) {
        System.out.println(Simd.isVectorized() + " " + Arrays.hashCode(results()));
    }

    private static float[] results() {
        float[] values = new float[N];
        for (int i = 0; i < N; i++) {
            values[i] = (i - 200) * 0.37f;
        }
        float[] results = values.clone();
        Simd.tanh(results, results, N);
        float[] other = new float[N];
        Simd.sin(values, other, N);
        byte[] truths = new byte[N];
        Simd.lt(results, other, truths, N);
        Simd.where(truths, results, other, results, N);
        return results;
    }

    @Test
    void resultsAreTheSameBeforeAndAfterTheCompilerHasSeenThem() {
        float[] first = results();
        for (int i = 0; i < 10_000; i++) {
            assertThat(Arrays.equals(results(), first)).isTrue();
        }
    }

    private static final String ADD_MODULE = "--add-modules=jdk.incubator.vector";

    @Test
    void withoutTheModuleTheResultsAreTheSameAndAWarningSaysSo() throws IOException, InterruptedException {
        String output = otherJvm();
        assertThat(output).contains("false " + Arrays.hashCode(results()));
        assertThat(output).containsOnlyOnce("without " + ADD_MODULE);
    }

    /** There each vector would be an object. */
    @ParameterizedTest
    @ValueSource(strings = {"-XX:TieredStopAtLevel=1", "-Xint"})
    void withoutTheSecondCompilerLoopsArePlainAndTheResultsTheSame(String option)
            throws IOException, InterruptedException {
        assertThat(otherJvm(ADD_MODULE, option))
                .contains("false " + Arrays.hashCode(results()))
                .doesNotContain("without");
    }

    @Test
    void withTheModuleAndAllCompilersLoopsAreVectorsAndTheResultsTheSame() throws IOException, InterruptedException {
        assertThat(otherJvm(ADD_MODULE)).contains("true " + Arrays.hashCode(results()));
    }

    private static String otherJvm(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), SimdTest.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return output;
    }

    @Test
    void elementsBehindTheLastStayAsTheyAre() {
        float[] out = {1, 2, 3, 4};
        Simd.exp(new float[4], out, 2);
        assertThat(out).containsExactly(1, 1, 3, 4);
    }
}
