package io.github.broadloom.spark;

import io.github.broadloom.testkit.random.Property;
import io.github.broadloom.testkit.random.RandomTensors;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/** What goes wrong while a program runs on a cluster. */
enum ChaosFault {
    /** One or two executors die, of SIGKILL or because Spark was asked to end them. */
    EXECUTORS {
        @Override
        int strike(Chaos chaos, RandomTensors choices, BooleanSupplier over) {
            Cluster cluster = chaos.cluster();
            int count = 1 + choices.below(3) / 2;
            for (int i = 0; i < count; i++) {
                List<Cluster.Executor> all = chaos.executors();
                Cluster.Executor victim = all.get(choices.below(all.size()));
                if (choices.below(4) == 0) {
                    cluster.context().killExecutor(victim.id());
                    cluster.context().requestTotalExecutors(Cluster.EXECUTORS, 0, Map$.MODULE$.empty());
                } else {
                    ProcessHandle.of(victim.pid()).ifPresent(ProcessHandle::destroyForcibly);
                }
                Cluster.await("the end of an executor", () -> !cluster.hasExecutor(victim.id()));
            }
            return count;
        }
    },
    /** Tasks fail, up to as often as Spark tries them, and one hangs until a duplicate has done its work. */
    TASKS {
        @Override
        void order(Faults faults, RandomTensors choices) {
            int times = choices.below(6);
            if (times == 0) {
                faults.loseShuffleFiles();
            } else if (times < 5) {
                faults.fail(times);
            }
            if (times > 3) {
                faults.hang();
            }
        }

        @Override
        int strike(Chaos chaos, RandomTensors choices, BooleanSupplier over) throws IOException {
            Chaos.sleep(100 + choices.below(1000));
            boolean happened = chaos.faults().happened();
            chaos.faults().goOn();
            return happened ? 1 : 0;
        }
    },
    /** Blocks are gone: pieces of broadcast variables, cached chunks, local checkpoints. */
    BLOCKS {
        @Override
        int strike(Chaos chaos, RandomTensors choices, BooleanSupplier over) {
            BlockManager driver = SparkEnv.get().blockManager();
            int lost = 0;
            for (int i = choices.below(4); i >= 0 && !over.getAsBoolean(); i--) {
                List<BlockId> blocks =
                        CollectionConverters.asJava(driver.master().getMatchingBlockIds(new AnyBlock(), true));
                if (!blocks.isEmpty()) {
                    BlockId block = blocks.get(choices.below(blocks.size()));
                    if (choices.below(3) == 0) {
                        driver.removeBlock(block, true);
                    } else {
                        driver.master().removeBlock(block);
                    }
                    lost++;
                }
                Chaos.sleep(choices.below(30));
            }
            return lost;
        }
    },
    /** Files of executors have other bits, or end early, or are gone: shuffles, cached chunks, whatever Spark keeps on disk. */
    FILES {
        @Override
        int strike(Chaos chaos, RandomTensors choices, BooleanSupplier over) throws IOException {
            Set<Path> seen = new HashSet<>();
            int most = 1 + choices.below(3);
            int damaged = 0;
            while (damaged < most && !over.getAsBoolean()) {
                for (Path file : chaos.blockFiles()) {
                    if (damaged < most && wasReadBack(file) && seen.add(file) && choices.below(3) > 0) {
                        damage(file, choices);
                        damaged++;
                    }
                }
                Chaos.sleep(2);
            }
            return damaged;
        }

        /**
         * Of a chunk in Spark's cache. Where its file is damaged between its writing and its first reading, by one task, Spark waits for itself for ever:
         * {@code BlockManager.getOrElseUpdate} has locked the block for reading when {@code getLocalValues} wants to remove it.
         */
        private boolean wasReadBack(Path file) throws IOException {
            try {
                return !file.getFileName().toString().startsWith("rdd_")
                        || System.currentTimeMillis()
                                        - Files.getLastModifiedTime(file).toMillis()
                                > READ_BACK_MILLIS;
            } catch (NoSuchFileException gone) {
                return false;
            }
        }
    },
    /** The disk of all executors, and of the driver, has no room, or little, until there is some again. */
    DISK {
        @Override
        int strike(Chaos chaos, RandomTensors choices, BooleanSupplier over) throws IOException {
            chaos.disk().fill(choices.below(2) * (long) choices.below(200_000));
            if (choices.below(2) == 0) {
                Chaos.sleep(choices.below(500));
                chaos.disk().empty();
            }
            return over.getAsBoolean() ? 0 : 1;
        }
    },
    /** The program is told to stop: its thread is interrupted, or its jobs are cancelled. */
    CANCELLED {
        @Override
        int strike(Chaos chaos, RandomTensors choices, BooleanSupplier over) {
            SparkContext context = chaos.cluster().context();
            switch (choices.below(4)) {
                case 0, 1 -> chaos.driver().interrupt();
                case 2 -> context.cancelJobGroup(Chaos.GROUP);
                default -> context.cancelAllJobs();
            }
            return over.getAsBoolean() ? 0 : 1;
        }
    };

    /** Programs before one looks for what they left. */
    private static final int BATCH = 6;

    /**
     * Seeds of this fault, in batches, four times as many where no executor has to be replaced, or the one that is to be run again, if it is of this fault.
     */
    List<long[]> batches(int count) {
        long[] all = seeds(count).toArray();
        return IntStream.range(0, (all.length + BATCH - 1) / BATCH)
                .mapToObj(i -> Arrays.copyOfRange(all, i * BATCH, Math.min(all.length, (i + 1) * BATCH)))
                .toList();
    }

    private LongStream seeds(int count) {
        int own = this == EXECUTORS ? count : 4 * count;
        return Property.seeds(own * values().length).filter(seed -> Math.floorMod(seed, values().length) == ordinal());
    }

    /** Whether it strikes what is on the disks of executors. */
    boolean isOfDisks() {
        return this == FILES || this == DISK;
    }

    /** Whether tasks carry it out, at moments of their own: what hangs would wait for ever for a moment of the program. */
    boolean isOrdered() {
        return this == TASKS;
    }

    /** Before the program begins. */
    void order(Faults faults, RandomTensors choices) {}

    /** So long after a file was written the task that wrote it has read it. */
    private static final int READ_BACK_MILLIS = 100;

    /**
     * At some moment of the program.
     *
     * @param over whether the program has ended
     * @return how often it struck
     */
    abstract int strike(Chaos chaos, RandomTensors choices, BooleanSupplier over) throws IOException;

    private static void damage(Path path, RandomTensors choices) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            long length = file.length();
            switch (length == 0 ? 5 : choices.below(6)) {
                case 0, 1, 2 -> {
                    long at = (long) (length * (choices.below(1000) / 1000.0));
                    file.seek(at);
                    int flipped = file.read() ^ 1 << choices.below(8);
                    file.seek(at);
                    file.write(flipped);
                }
                case 3 -> {
                    file.seek(length / 2);
                    file.write(new byte[(int) Math.min(4096, length - length / 2)]);
                }
                case 4 -> file.setLength(length * choices.below(10) / 10);
                default -> Files.deleteIfExists(path);
            }
        } catch (java.io.FileNotFoundException | NoSuchFileException gone) {
            // Spark was faster
        }
    }

    /** Every block. */
    static final class AnyBlock extends AbstractFunction1<BlockId, Object> implements Serializable {
        private static final long serialVersionUID = 1L;

        @Override
        public Object apply(BlockId block) {
            return true;
        }
    }
}
