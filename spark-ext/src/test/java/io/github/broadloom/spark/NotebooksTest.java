package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import jupyter.Displayers;
import org.junit.jupiter.api.Test;

class NotebooksTest {
    @Test
    void aKernelThatAsksJvmReprShowsTensorsByItself() {
        DistributedTensor y =
                LocalSpark.broadloom().tensor(Tensors.ones(6, 2), 3).mul(2);
        Map<String, String> shown = Displayers.display(y);
        assertThat(shown).containsOnlyKeys("text/plain", "text/html");
        assertThat(shown.get("text/plain")).isEqualTo(y.toString());
        assertThat(shown.get("text/html"))
                .isEqualTo(y.toHtml())
                .startsWith("<div")
                .contains("3 of up to [2, 2]");
    }

    @Test
    void whatCannotBeComputedIsShownWithTheReason() {
        Broadloom broadloom = LocalSpark.broadloom().withChunkBytes(4);
        DistributedTensor y = broadloom.tensor(Tensors.ones(1_100_000)).mul(2);
        assertThat(y.toHtml()).contains("[1100000]", "1100000 tasks, and a job has at most 1000000");
    }

    @Test
    void aPictureStartsNoJob() throws Exception {
        try (Jobs jobs = Jobs.listen()) {
            DistributedTensor y = LocalSpark.broadloom().tensor(Tensors.ones(600, 200), 3);
            assertThat(y.sub(y.mean(0)).toSvg()).startsWith("<svg").endsWith("</svg>");
            assertThat(jobs.descriptions()).isEmpty();
        }
    }
}
