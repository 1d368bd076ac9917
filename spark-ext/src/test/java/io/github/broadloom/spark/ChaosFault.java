package io.github.broadloom.spark;

import io.github.broadloom.random.Property;
import io.github.broadloom.random.RandomTensors;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
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
        void strike(Chaos chaos, RandomTensors choices, BooleanSupplier over) {
            Cluster cluster = chaos.cluster();
            for (int i = choices.below(3) / 2; i >= 0; i--) {
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
        void strike(Chaos chaos, RandomTensors choices, BooleanSupplier over) throws IOException {
            Chaos.sleep(100 + choices.below(1000));
            chaos.faults().goOn();
        }
    },
    /** Blocks are gone: pieces of broadcast variables, cached chunks, local checkpoints. */
    BLOCKS {
        @Override
        void strike(Chaos chaos, RandomTensors choices, BooleanSupplier over) {
            BlockManager driver = SparkEnv.get().blockManager();
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
                }
                Chaos.sleep(choices.below(30));
            }
        }
    },
    /** Files of executors have other bits, or end early, or are gone: shuffles, cached chunks, whatever Spark keeps on disk. */
    FILES {
        @Override
        void strike(Chaos chaos, RandomTensors choices, BooleanSupplier over) throws IOException {
            Set<Path> seen = new HashSet<>();
            for (int left = 1 + choices.below(3); left > 0 && !over.getAsBoolean(); Chaos.sleep(2)) {
                for (Path file : chaos.blockFiles()) {
                    if (left > 0 && seen.add(file) && choices.below(3) > 0) {
                        damage(file, choices);
                        left--;
                    }
                }
            }
        }
    },
    /** The program is told to stop: its thread is interrupted, or its jobs are cancelled. */
    CANCELLED {
        @Override
        void strike(Chaos chaos, RandomTensors choices, BooleanSupplier over) {
            SparkContext context = chaos.cluster().context();
            switch (choices.below(4)) {
                case 0, 1 -> chaos.driver().interrupt();
                case 2 -> context.cancelJobGroup(Chaos.GROUP);
                default -> context.cancelAllJobs();
            }
        }
    };

    /** So many seeds of this fault, in batches, or the one that is to be run again, if it is of this fault. */
    List<long[]> seeds(int count, int batch) {
        long[] all = Property.seeds(count * values().length)
                .filter(seed -> Math.floorMod(seed, values().length) == ordinal())
                .toArray();
        return IntStream.range(0, (all.length + batch - 1) / batch)
                .mapToObj(i -> Arrays.copyOfRange(all, i * batch, Math.min(all.length, (i + 1) * batch)))
                .toList();
    }

    /** Before the program begins. */
    void order(Faults faults, RandomTensors choices) {}

    /**
     * At some moment of the program.
     *
     * @param over whether the program has ended
     */
    abstract void strike(Chaos chaos, RandomTensors choices, BooleanSupplier over) throws IOException;

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
