package io.github.broadloom.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.tensor.RawMemory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import org.junit.jupiter.api.Test;

class BlockTest {

    @Test
    void aBlockThatOwnsItsMemoryGivesItBackWhenSparkDropsIt() {
        Tensor tensor = Tensors.ones(2, 3);
        Block block = Block.owning(tensor, 0);
        block.close();
        assertThat(tensor.storage().isReleased()).isTrue();
        block.close();
    }

    @Test
    void whatATaskHoldsStaysUntilItLetsGo() {
        Tensor tensor = Tensors.ones(2, 3);
        Block block = Block.owning(tensor, 0);
        block.hold();
        block.hold();
        block.close();
        block.letGo();
        block.close(); // not counted twice
        assertThat(RawMemory.getFloat(tensor.address())).isEqualTo(1);
        block.letGo();
        assertThatThrownBy(tensor::address).hasMessageContaining("24 bytes were released");
    }

    @Test
    void aDroppedBlockIsNotReadAnyMore() {
        Block block = Block.owning(Tensors.ones(2, 3), 4);
        block.close();
        assertThatThrownBy(block::hold)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot read block of float32 [2, 3] from row 4: Spark dropped it meanwhile");
    }

    @Test
    void aBlockThatSharesItsMemoryLeavesItAlone() {
        Tensor tensor = Tensors.ones(2, 3);
        Block block = new Block(tensor, 0);
        block.hold();
        block.letGo();
        block.close();
        assertThat(tensor.storage().isReleased()).isFalse();
        tensor.release();
    }
}
