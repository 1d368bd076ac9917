package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.Strategy;
import io.github.broadloom.tensor.Memory;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Operands that every task needs, and that are larger than what the driver should hold. */
@Tag("full")
class LargeOperandsTest {
    private static final int ROWS = 8;
    private static final int COLUMNS = 1 << 18;
    private static final long BYTES = 4L * ROWS * COLUMNS;
    private static final long PIECE_BYTES = BYTES / ROWS;

    @TempDir
    static Path folder;

    private static Cluster cluster;
    private static Tensor weights;

    @BeforeAll
    static void start() throws IOException {
        cluster = new Cluster(folder);
        weights = Tensors.arange((long) ROWS * COLUMNS).to(DType.FLOAT32).view(ROWS, COLUMNS);
        Npy.write(weights, folder.resolve("w.npy"), WriteMode.CREATE);
    }

    @AfterAll
    static void stop() {
        cluster.close();
        weights.release();
        cluster = null;
    }

    private static Broadloom broadloom() {
        return cluster.broadloom().withChunkBytes(PIECE_BYTES).withPieceBytes(PIECE_BYTES);
    }

    private static DistributedTensor file() {
        try {
            return broadloom().readNpy(folder.resolve("w.npy").toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Where an operand lies.
     *
     * @param most times its bytes that the driver may hold
     */
    record Place(String name, Supplier<DistributedTensor> operand, double most) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Place> places() {
        double piecewise = 2.0 / ROWS; // a piece, and the block that comes after it
        double once = 1 + 1.0 / ROWS; // and a piece, in its own order
        return Stream.of(
                new Place("a file", LargeOperandsTest::file, piecewise),
                new Place("a file, of which a part is needed", () -> file().narrow(0, 0, ROWS - 1), once),
                new Place("chunks on the cluster", () -> file().mul(1).materialize(), piecewise),
                new Place(
                        "chunks on the cluster, in another order",
                        () -> file().t().materialize().t(),
                        once));
    }

    @ParameterizedTest
    @MethodSource("places")
    @Tag("full")
    void theDriverHoldsOnePieceAtATime(Place place) {
        DistributedTensor w = place.operand().get();
        DistributedTensor y = highest(broadloom(), w);
        assertThat(y.explain()).contains(Strategy.REPLICATE.toString());
        long before = Memory.allocatedBytes();
        Highest highest = Highest.during(y::collect);
        assertThat(highest.bytes() - before).isLessThanOrEqualTo((long) (place.most() * BYTES) + (1 << 20));
        assertHighest(highest.value(), (int) w.shape().size(0));
        w.unpersist();
    }

    /** For each of 16 numbers the highest element of each row of the number and all of the operand: every task needs that. */
    private static DistributedTensor highest(Broadloom broadloom, DistributedTensor w) {
        Tensor x = Tensors.arange(16).to(DType.FLOAT32).view(16, 1, 1);
        return broadloom.tensor(x, 16).add(w).amax(2);
    }

    private static void assertHighest(Tensor got, int rows) {
        assertThat(got.shape().toArray()).containsExactly(16, rows);
        for (int i = 0; i < 16; i++) {
            for (int row = 0; row < rows; row++) {
                float last = (float) ((row + 1L) * COLUMNS - 1) + i;
                assertThat(got.getDouble(i, row)).isEqualTo(last);
            }
        }
    }

    /** What travels to every executor is used by the task alone whose chunk the part is in. */
    @ParameterizedTest
    @MethodSource("places")
    @Tag("full")
    void theChunksOfAStackHaveOnePartEach(Place place) {
        DistributedTensor w = place.operand().get();
        DistributedTensor highest = w.stack(0, w.neg()).amax(2);
        assertThat(highest.chunks()).isEqualTo(2);
        Tensor got = highest.collect();
        assertThat(got.shape().toArray()).containsExactly(2, w.shape().size(0));
        for (int row = 0; row < w.shape().size(0); row++) {
            assertThat(got.getDouble(0, row)).isEqualTo((row + 1.0) * COLUMNS - 1);
            assertThat(got.getDouble(1, row)).isEqualTo(-(double) row * COLUMNS);
        }
        w.unpersist();
    }

    @Test
    void aLocalOperandTravelsInPiecesThatAreViewsOfIt() {
        DistributedTensor y =
                highest(broadloom().withPieceBytes(PIECE_BYTES / 3), broadloom().tensor(weights));
        long before = Memory.allocatedBytes();
        Highest highest = Highest.during(y::collect);
        assertThat(highest.bytes() - before).isLessThanOrEqualTo(1 << 20);
        assertHighest(highest.value(), ROWS);
    }

    /** The most off-heap memory that this JVM holds while something is computed. */
    private record Highest(long bytes, Tensor value) {
        static Highest during(Supplier<Tensor> action) {
            AtomicBoolean over = new AtomicBoolean();
            AtomicLong most = new AtomicLong();
            Thread watch = new Thread(() -> {
                while (!over.get()) {
                    most.accumulateAndGet(Memory.allocatedBytes(), Math::max);
                    LockSupport.parkNanos(20_000);
                }
            });
            watch.start();
            try {
                Tensor value = action.get();
                return new Highest(most.get(), value);
            } finally {
                over.set(true);
            }
        }
    }
}
