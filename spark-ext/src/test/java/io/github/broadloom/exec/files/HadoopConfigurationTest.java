package io.github.broadloom.exec.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.spark.LocalSpark;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

class HadoopConfigurationTest {
    private static final String KEY = "fs.broadloom.test";

    /** Or every later action would miss the same piece. */
    @Test
    void itIsSentAgainWhenItChangedOrItsPiecesAreLost() {
        SparkContext context = LocalSpark.session().sparkContext();
        HadoopConfiguration first = HadoopConfiguration.of(context);
        assertThat(HadoopConfiguration.of(context)).isSameAs(first);
        context.hadoopConfiguration().set(KEY, "1");
        HadoopConfiguration changed = HadoopConfiguration.of(context);
        assertThat(changed).isNotSameAs(first);
        assertThat(changed.value().get(KEY)).isEqualTo("1");
        context.hadoopConfiguration().unset(KEY);
        HadoopConfiguration last = HadoopConfiguration.of(context);
        BlockManager blocks = SparkEnv.get().blockManager();
        for (BlockId block : CollectionConverters.asJava(blocks.getMatchingBlockIds(new Broadcasts()))) {
            blocks.removeBlock(block, true);
        }
        HadoopConfiguration again = HadoopConfiguration.of(context);
        assertThat(again).isNotSameAs(last);
        assertThat(HadoopConfiguration.of(context)).isSameAs(again);
    }

    private static final class Broadcasts extends scala.runtime.AbstractFunction1<BlockId, Object> {
        @Override
        public Object apply(BlockId block) {
            return block.isBroadcast();
        }
    }
}
