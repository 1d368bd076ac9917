package io.github.broadloom.exec.cache;

import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.DamagedException;
import io.github.broadloom.exec.Scala;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockManagerMaster;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;

/**
 * The elements of an RDD that Spark may keep, in its cache or in files, as it gives them back. What is damaged there Spark is told to drop, so that the next attempt of the task computes it
 * again, where it can be.
 */
public final class StoredRDD extends RDD<Block> {
    private static final long serialVersionUID = 1L;

    private StoredRDD(RDD<Block> stored) {
        super(stored.context(), Scala.seq(List.of(new OneToOneDependency<>(stored))), Scala.tag(Block.class));
    }

    /** The RDD itself, where Spark keeps nothing of it. */
    public static RDD<Block> of(RDD<Block> rdd) {
        return isStored(rdd) ? new StoredRDD(rdd) : rdd;
    }

    private static boolean isStored(RDD<Block> rdd) {
        return !rdd.getStorageLevel().equals(StorageLevel.NONE()) || rdd.isCheckpointed();
    }

    private RDD<Block> stored() {
        return firstParent(Scala.tag(Block.class));
    }

    @Override
    public Partition[] getPartitions() {
        return stored().partitions();
    }

    @Override
    public Iterator<Block> compute(Partition split, TaskContext context) {
        return read(stored(), split, context);
    }

    /** @throws UncheckedIOException with a {@link DamagedException}, from the iterator as well; to ask it for an element that is not there is an error */
    static Iterator<Block> read(RDD<Block> rdd, Partition split, TaskContext context) {
        return isStored(rdd) ? new Reading(rdd, split, context) : rdd.iterator(split, context);
    }

    private static final class Reading extends AbstractIterator<Block> {
        private final RDD<Block> rdd;
        private final Partition split;
        private final Iterator<Block> elements;

        Reading(RDD<Block> rdd, Partition split, TaskContext context) {
            this.rdd = rdd;
            this.split = split;
            this.elements = checked(() -> rdd.iterator(split, context));
        }

        private <T> T checked(Supplier<T> reading) {
            try {
                return reading.get();
            } catch (Exception e) {
                dropDamaged(rdd, split, e);
                throw e;
            }
        }

        @Override
        public boolean hasNext() {
            return checked(elements::hasNext);
        }

        /** Spark takes bytes that end early for the end of the elements. */
        @Override
        public Block next() {
            return checked(() -> {
                try {
                    return elements.next();
                } catch (NoSuchElementException e) {
                    throw missing(rdd, split);
                }
            });
        }
    }

    /** What is thrown where there are fewer elements than there should be; Spark drops what it has. */
    static UncheckedIOException missing(RDD<Block> rdd, Partition split) {
        master().removeBlock(id(rdd, split));
        DamagedException missing = DamagedException.missing(name(rdd, split));
        return new UncheckedIOException(missing.getMessage(), missing);
    }

    /** @throws UncheckedIOException where the failure says that what is stored is damaged; Spark drops that */
    private static void dropDamaged(RDD<Block> rdd, Partition split, Exception failure) {
        boolean stored =
                !isSparks(failure) && !master().getLocations(id(rdd, split)).isEmpty();
        DamagedException damage = DamagedException.in(failure, name(rdd, split), stored);
        if (damage != null) {
            master().removeBlock(id(rdd, split));
            throw new UncheckedIOException(damage.getMessage(), damage);
        }
    }

    private static BlockManagerMaster master() {
        return SparkEnv.get().blockManager().master();
    }

    private static RDDBlockId id(RDD<Block> rdd, Partition split) {
        return new RDDBlockId(rdd.id(), split.index());
    }

    /** Failures that Spark tells itself by. */
    private static boolean isSparks(Exception failure) {
        return failure instanceof SparkException
                || failure instanceof TaskKilledException
                || failure instanceof InterruptedException;
    }

    private static String name(RDD<Block> rdd, Partition split) {
        return "chunk " + split.index() + " of " + rdd.name();
    }
}
