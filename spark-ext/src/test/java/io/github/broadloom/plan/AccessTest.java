package io.github.broadloom.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.expr.ViewOp;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which block of a source a chunk of its moved elements comes from. */
class AccessTest {
    static LongStream seeds() {
        return LongStream.range(0, 400);
    }

    /** A chunk of what the view ops make of everything is what they make of the block that the access names. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aChunkIsMadeOfItsBlockAlone(long seed) {
        Random random = new Random(seed);
        Shape shape = shape(random);
        Tensor source = Tensors.arange(shape.numel()).reshape(shape.toArray());
        List<ViewOp> viewOps = new ArrayList<>();
        Tensor whole = source;
        for (int i = random.nextInt(5); i > 0; i--) {
            ViewOp viewOp = move(whole.shape(), random);
            viewOps.add(viewOp);
            whole = viewOp.apply(whole);
        }
        int[] cutDims = random.ints(0, Math.max(1, whole.rank()))
                .distinct()
                .limit(Math.min(whole.rank(), 1 + random.nextInt(2)))
                .toArray();
        Optional<Access> access =
                Access.of(shape, viewOps, Alignment.own(whole.rank(), whole.rank() == 0 ? new int[0] : cutDims));
        if (access.isEmpty()) {
            assertThat(viewOps).hasAtLeastOneElementOfType(ViewOp.Reshape.class);
            return;
        }
        Box stage = Box.whole(whole.shape());
        for (int dim : cutDims) {
            if (whole.rank() > 0) {
                long size = whole.shape().size(dim); // no chunk is empty but that of an empty tensor
                long start = size == 0 ? 0 : random.nextLong(size);
                stage = stage.with(dim, start, size == 0 ? 0 : start + 1 + random.nextLong(size - start));
            }
        }
        Box block = access.get().box(stage);
        Tensor moved = access.get().moved(block.of(source).copy(), stage);
        assertThat(moved.shape())
                .isEqualTo(stage.shape())
                .isEqualTo(access.get().shape(stage));
        assertThat(moved.values()).isEqualTo(stage.of(whole).values());
        Shape most = access.get().most(stage.shape());
        for (int d = 0; d < block.rank(); d++) {
            assertThat(block.size(d)).isLessThanOrEqualTo(most.size(d));
        }
    }

    private static Shape shape(Random random) {
        return Shape.of(random.longs(random.nextInt(4), 0, 5).toArray());
    }

    private static ViewOp move(Shape shape, Random random) {
        int rank = shape.rank();
        int dim = rank == 0 ? 0 : random.nextInt(rank);
        return switch (rank == 0 ? 4 : random.nextInt(6)) {
            case 0 -> new ViewOp.Permute(permutation(rank, random));
            case 1 -> new ViewOp.Flip(new int[] {dim});
            case 2 -> {
                long start = random.nextLong(shape.size(dim) + 1);
                long stop = start + random.nextLong(shape.size(dim) - start + 1);
                yield new ViewOp.Crop(dim, start, stop, 1 + random.nextInt(3));
            }
            case 3 -> shape.size(dim) == 1 ? new ViewOp.Squeeze(dim) : new ViewOp.Unsqueeze(dim);
            case 4 -> new ViewOp.Unsqueeze(random.nextInt(rank + 1));
            default -> reshape(shape, random);
        };
    }

    private static int[] permutation(int rank, Random random) {
        List<Integer> dims = new ArrayList<>();
        for (int d = 0; d < rank; d++) {
            dims.add(random.nextInt(d + 1), d);
        }
        return dims.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Everything, or all but the leading dimension, in one; or a size in two. */
    private static ViewOp reshape(Shape shape, Random random) {
        int kept = random.nextInt(Math.min(2, shape.rank()) + 1);
        long rest = 1;
        for (int d = kept; d < shape.rank(); d++) {
            rest *= shape.size(d);
        }
        return rest % 2 == 0 && random.nextBoolean()
                ? new ViewOp.Reshape(kept, new long[] {rest / 2, 2})
                : new ViewOp.Reshape(kept, new long[] {rest});
    }

    @Test
    void rowsOfAnotherShapeLieInTheRowsThatHaveTheirElements() {
        Access access = Access.of(
                        Shape.of(10, 6), List.of(new ViewOp.Reshape(0, new long[] {15, 4})), Alignment.own(2, 0))
                .orElseThrow();
        Box stage = Box.whole(Shape.of(15, 4)).with(0, 4, 7); // elements 16 to 28: rows 2 to 4 of six
        assertThat(access.box(stage)).isEqualTo(Box.whole(Shape.of(10, 6)).with(0, 2, 5));
    }

    @Test
    void aFlippedChunkIsReadAtTheOtherEnd() {
        Access access = Access.of(Shape.of(10, 2), List.of(new ViewOp.Flip(new int[] {0})), Alignment.own(2, 0))
                .orElseThrow();
        assertThat(access.box(Box.whole(Shape.of(10, 2)).with(0, 1, 4)))
                .isEqualTo(Box.whole(Shape.of(10, 2)).with(0, 6, 9));
    }
}
