package io.github.broadloom.spark;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.testkit.random.RandomExprs;
import io.github.broadloom.testkit.random.RandomTensors;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.apache.spark.storage.StorageLevel;

/** The program of a seed: a random expression, over operands that lie, are cut and are kept in random ways, and what is done with its value. */
final class ChaosProgram {
    private static final List<StorageLevel> LEVELS = List.of(
            StorageLevel.DISK_ONLY(),
            StorageLevel.DISK_ONLY_2(),
            StorageLevel.MEMORY_ONLY(),
            StorageLevel.MEMORY_AND_DISK(),
            StorageLevel.MEMORY_ONLY_SER(),
            StorageLevel.MEMORY_AND_DISK_2());
    /** The first ones are on disk. */
    private static final int LEVELS_ON_DISK = 2;

    private static final int MOST_CHUNKS = 9;

    /** What is done with the value. */
    enum Action {
        COLLECT,
        COLLECT_TWICE,
        MATERIALIZE,
        CHECKPOINT,
        LOCAL_CHECKPOINT,
        WRITE_NPY,
        WRITE_NPY_PARTS,
        WRITE_ARROW_PARTS,
        TABLE
    }

    private final Broadloom broadloom;
    private final Path folder;
    private final boolean onDisk;
    private final RandomTensors choices;
    private final Expr hidden;
    private final Action action;
    private final List<DistributedTensor> kept = new ArrayList<>();
    private int files;

    /**
     * @param broadloom of the cluster
     * @param folder for inputs and outputs, which does not exist yet
     * @param onDisk whether executors keep on disk whatever they keep
     */
    ChaosProgram(long seed, Broadloom broadloom, Path folder, boolean onDisk) throws IOException {
        this.onDisk = onDisk;
        this.folder = Files.createDirectory(folder);
        Files.createDirectory(outputs());
        choices = Chaos.choices(seed, 0);
        hidden = RandomExprs.large(seed).next();
        action = action();
        this.broadloom = broadloom
                .withChunkBytes(1L << 15 + choices.below(4))
                .withReplicateBytes(choices.below(3) == 0 ? 1 << 20 : 1 << 14)
                .withPieceBytes(1L << 14 + choices.below(3));
    }

    private Action action() {
        Action chosen = Action.values()[choices.below(Action.values().length)];
        boolean rows = hidden.shape().rank() > 0 && hidden.shape().numel() > 0;
        return rows ? chosen : Action.COLLECT;
    }

    Path outputs() {
        return folder.resolve("outputs");
    }

    /** The value as this machine computes it without Spark. */
    Tensor expected() {
        return Bits.local(RandomExprs.reveal(hidden, Input::of));
    }

    /**
     * The value as the cluster computes it.
     *
     * @param pause called where chunks or files were left that are read next
     */
    Tensor run(Runnable pause) throws IOException {
        DistributedTensor value = broadloom.of(RandomExprs.reveal(hidden, this::placed), null);
        pause.run();
        DistributedTensor left = left(value);
        pause.run();
        return left.collect().to(value.dtype()).view(value.shape().toArray());
    }

    private DistributedTensor left(DistributedTensor value) throws IOException {
        return switch (action) {
            case COLLECT -> value;
            case COLLECT_TWICE -> {
                kept(value).cache(level()).collect();
                yield value;
            }
            case MATERIALIZE -> kept(value).materialize();
            case CHECKPOINT -> kept(value).checkpoint();
            case LOCAL_CHECKPOINT -> kept(value).localCheckpoint();
            case WRITE_NPY -> {
                inFileType(value).writeNpy(output("y.npy"), WriteMode.CREATE);
                yield broadloom.readNpy(output("y.npy"));
            }
            case WRITE_NPY_PARTS -> {
                inFileType(value).writeNpy(output("y"), WriteMode.CREATE);
                yield broadloom.readNpy(output("y"));
            }
            case WRITE_ARROW_PARTS -> {
                inFileType(value).writeArrow(output("y"), WriteMode.CREATE);
                yield broadloom.readArrow(output("y"));
            }
            case TABLE -> broadloom.fromDataFrame(value.toDataFrame("i", "y"), "y", "i");
        };
    }

    /** A dtype that files do not have goes there as the wider one that holds its values. */
    static DistributedTensor inFileType(DistributedTensor tensor) {
        return tensor.dtype().numpyCode().isPresent()
                ? tensor
                : tensor.to(tensor.dtype().widened());
    }

    private DistributedTensor kept(DistributedTensor tensor) {
        kept.add(tensor);
        return tensor;
    }

    private String output(String name) {
        return "remote://" + outputs().resolve(name);
    }

    private StorageLevel level() {
        return LEVELS.get(choices.below(onDisk ? LEVELS_ON_DISK : LEVELS.size()));
    }

    /** An operand: on disk, where that is asked for, or anywhere; but then the first one is always a file, which is where tasks fail and hang. */
    private Expr placed(Tensor operand) {
        int choice = onDisk ? 1 + choices.below(5) : choices.below(9);
        if (choice == 0 || files == 0 && !onDisk) {
            return file(operand).expr();
        }
        int chunks = 1 + choices.below(MOST_CHUNKS);
        if (choice < 3 && operand.rank() > 1) {
            int last = operand.rank() - 1; // what is cut along the last dimension is shuffled
            DistributedTensor turned = broadloom.tensor(operand.transpose(0, last), chunks);
            return kept(turned).cache(level()).materialize().transpose(0, last).expr();
        }
        DistributedTensor local = broadloom.tensor(operand, chunks);
        return switch (choice) {
            case 3 -> kept(local).cache(level()).expr();
            case 4, 5 -> kept(local).cache(level()).materialize().expr();
            case 6 -> kept(local).checkpoint().expr();
            case 7 -> kept(local).localCheckpoint().expr();
            default -> local.expr();
        };
    }

    private DistributedTensor file(Tensor operand) {
        Path path = folder.resolve("x" + files++ + ".npy");
        try {
            DType dtype = operand.dtype();
            Npy.write(dtype.numpyCode().isPresent() ? operand : operand.to(dtype.widened()), path, WriteMode.CREATE);
            return broadloom.readNpy(Faults.path(path)).to(dtype);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets go of what is kept, and of all files. */
    void end() throws IOException {
        kept.forEach(DistributedTensor::unpersist);
        FileUtils.deleteDirectory(folder.toFile());
    }

    @Override
    public String toString() {
        return action + " of " + hidden.dtype() + hidden.shape();
    }
}
