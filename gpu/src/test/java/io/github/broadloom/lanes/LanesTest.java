package io.github.broadloom.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LanesTest {
    private static final int N = 515;

    /** Printed by a JVM without the Vector API. */
    public static void main(String[] args) {
        System.out.println(Lanes.isVectorized() + " " + Arrays.hashCode(results()));
    }

    private static float[] results() {
        float[] values = new float[N];
        for (int i = 0; i < N; i++) {
            values[i] = (i - 200) * 0.37f;
        }
        float[] results = values.clone();
        Lanes.tanh(results, results, N);
        float[] other = new float[N];
        Lanes.sin(values, other, N);
        byte[] truths = new byte[N];
        Lanes.lt(results, other, truths, N);
        Lanes.where(truths, results, other, results, N);
        return results;
    }

    @Test
    void resultsAreTheSameBeforeAndAfterTheCompilerHasSeenThem() {
        float[] first = results();
        for (int i = 0; i < 10_000; i++) {
            assertThat(Arrays.equals(results(), first)).isTrue();
        }
    }

    @Test
    void withoutTheModuleTheResultsAreTheSameAndAWarningSaysSo() throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process process = new ProcessBuilder(
                        java, "-cp", System.getProperty("java.class.path"), LanesTest.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(output).contains("false " + Arrays.hashCode(results()));
        assertThat(output).containsOnlyOnce("without --add-modules=jdk.incubator.vector");
    }

    @Test
    void elementsBehindTheLastStayAsTheyAre() {
        float[] out = {1, 2, 3, 4};
        Lanes.exp(new float[4], out, 2);
        assertThat(out).containsExactly(1, 1, 3, 4);
    }
}
