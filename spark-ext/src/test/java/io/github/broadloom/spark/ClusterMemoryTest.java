package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.tensor.MemoryFigures;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterMemoryTest {
    private static final long MIB = 1 << 20;

    @Test
    void itPrintsALineForEachJvmAndTheirSum() {
        ClusterMemory memory = new ClusterMemory(Map.of(
                "driver", new MemoryFigures(MIB, 2 * MIB, 0, 1024 * MIB, 512 * MIB, 3, 1, 2 * MIB, 0),
                "1", new MemoryFigures(100 * MIB, 200 * MIB, 50 * MIB, 4096 * MIB, 512 * MIB, 30, 9, 250 * MIB, 1)));
        assertThat(memory.toString().lines())
                .containsExactly(
                        "                held     at most      pooled       limit     reused    fresh       fresh",
                        "1          100.0 MiB   200.0 MiB    50.0 MiB  4096.0 MiB         30        9   250.0 MiB",
                        "driver       1.0 MiB     2.0 MiB     0.0 MiB  1024.0 MiB          3        1     2.0 MiB",
                        "total      101.0 MiB   202.0 MiB    50.0 MiB  5120.0 MiB         33       10   252.0 MiB");
    }
}
