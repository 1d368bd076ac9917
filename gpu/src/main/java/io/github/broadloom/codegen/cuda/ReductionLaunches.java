package io.github.broadloom.codegen.cuda;

import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.cuda.CudaArgument.Address;
import io.github.broadloom.codegen.cuda.FoldForm.Leaf;
import io.github.broadloom.codegen.cuda.FoldKernelText.Target;
import io.github.broadloom.codegen.cuda.FoldSource.Lifted;
import io.github.broadloom.codegen.cuda.FoldSource.Place;
import io.github.broadloom.codegen.cuda.FoldSource.Program;
import io.github.broadloom.codegen.cuda.KernelParameters.Index;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The launches that compute a pointwise program and fold its values, storing nothing but the results. They are made to give the bits
 * of the CPU: the same accumulators, joined in the same dyadic trees.
 *
 * <p>A fold takes the dimensions of one {@linkplain FoldOrder stretch}; each launch folds lines, or ranges of lines whose nodes the next
 * launch joins. What lies between two launches is in scratch memory.
 *
 * @param scratchBytes how much scratch memory the launches need, at an address that 256 divides; 0 for none
 * @param launches to be run one after the other; none where the result has no elements
 */
public record ReductionLaunches(long scratchBytes, List<CudaLaunch> launches) {

    public ReductionLaunches {
        launches = List.copyOf(launches);
    }

    /**
     * The launches of a reduction.
     *
     * @param spec the program that computes the values that are reduced
     * @param reduce its operand's dtype is that of the program, and its shape the shape of the values
     * @param operands the layouts of the program's operands, each of which broadcasts to that shape; their offsets do not count
     * @param alignments for each operand a power of two up to 16 that divides the address of its first element
     */
    public static ReductionLaunches of(KernelSpec spec, Reduce reduce, List<Layout> operands, int[] alignments) {
        if (reduce.shape().numel() == 0) {
            return new ReductionLaunches(0, List.of());
        }
        return new Builder(spec, reduce).build(operands, alignments);
    }

    private static final class Builder {
        /** Addresses of nodes suit packets of any size. */
        private static final int NODE_ALIGNMENT = 16;

        private static final long REGION_BYTES = 256;

        private final KernelSpec spec;
        private final Reduce reduce;
        private final FoldType type;
        private final int operandCount;
        private final List<CudaLaunch> launches = new ArrayList<>();
        private long scratchBytes;

        Builder(KernelSpec spec, Reduce reduce) {
            this.spec = spec;
            this.reduce = reduce;
            this.type = FoldType.of(reduce);
            this.operandCount = spec.operands().size();
        }

        ReductionLaunches build(List<Layout> operands, int[] alignments) {
            List<Place> places = new ArrayList<>();
            for (int k = 0; k < operandCount; k++) {
                DType dtype = spec.operands().get(k).dtype();
                places.add(new Place(
                        CudaProgramText.storedType(dtype),
                        dtype.bytes(),
                        new Address(k, 0),
                        alignments[k],
                        operands.get(k)));
            }
            Program program = this::lifted;
            Shape shape = reduce.operand().shape();
            List<FoldOrder.Fold> folds = FoldOrder.of(reduce, type);
            double weight = 1;
            for (int i = 0; i < folds.size(); i++) {
                FoldOrder.Fold fold = folds.get(i);
                FoldSource source = FoldSource.of(shape, fold.dims(), places, program);
                Target target = i == folds.size() - 1 ? Target.RESULT : Target.NODE;
                List<Address> nodes = fold(source, fold.leaf(), target, weight);
                weight *= source.length();
                shape = fold.rest(shape);
                places = nodes(nodes, shape);
                program = this::fromNodes;
            }
            return new ReductionLaunches(scratchBytes, launches);
        }

        /** One fold in as many launches as it takes; where the nodes are, unless they are results. */
        private List<Address> fold(FoldSource source, Leaf leaf, Target target, double weight) {
            Optional<TileFold> tiles = TileFold.of(source, type, leaf);
            if (tiles.isPresent() && target == Target.RESULT) {
                launch(tiles.get());
                return List.of();
            }
            FoldStage stage = FoldStage.of(source, type, FoldForm.of(source, type, leaf), 0, 0);
            while (stage.isSplit()) {
                List<Address> nodes = launch(stage, Target.NODE, weight);
                boolean across = stage.form().direction() == FoldForm.Direction.ACROSS;
                long columns = across ? stage.source().innermostKept() : 1;
                Shape shape = Shape.of(stage.source().lines() / columns, stage.leaves(), columns);
                FoldSource next =
                        FoldSource.of(shape, new boolean[] {false, true, false}, nodes(nodes, shape), this::fromNodes);
                stage = FoldStage.of(
                        next, type, FoldForm.of(next, type, Leaf.VALUE), stage.nextTail(), stage.nextShift());
            }
            return launch(stage, target, weight);
        }

        private Lifted lifted(IntFunction<String> elements, String place) {
            CudaProgramText text = CudaProgramText.of(spec, elements);
            return new Lifted(text.lines(), type.lift(text.rounded(), place));
        }

        private Lifted fromNodes(IntFunction<String> elements, String place) {
            return new Lifted(
                    List.of(),
                    type.fromNode(IntStream.range(0, type.components())
                            .mapToObj(elements)
                            .toList()));
        }

        private List<Place> nodes(List<Address> addresses, Shape shape) {
            List<Place> places = new ArrayList<>();
            for (int c = 0; c < addresses.size(); c++) {
                places.add(new Place(
                        type.nodeTypes().get(c),
                        Long.BYTES,
                        addresses.get(c),
                        NODE_ALIGNMENT,
                        Layout.contiguous(shape)));
            }
            return places;
        }

        /** Adds a launch; where its nodes are. */
        private List<Address> launch(FoldStage stage, Target target, double weight) {
            List<Address> nodes = new ArrayList<>();
            for (int c = 0; c < type.components() && (stage.isSplit() || target == Target.NODE); c++) {
                nodes.add(new Address(operandCount + 2, scratchBytes));
                long bytes = stage.source().lines() * stage.leaves() * Long.BYTES;
                scratchBytes += (bytes + REGION_BYTES - 1) / REGION_BYTES * REGION_BYTES;
            }
            FoldKernelText kernel = FoldKernelText.of(stage, target);
            long threads = stage.jobs() * stage.form().lanes();
            KernelParameters parameters = parameters(stage.source(), threads);
            double weightOfEach = Math.scalb(weight, stage.shift());
            kernel.declare(parameters, result(), nodes, divisor(), weightOfEach);
            parameters.pointer("u32", "error", new Address(operandCount + 1, 0));
            add(kernel.text(), parameters, ceilDiv(threads, FoldKernelText.THREADS), FoldKernelText.THREADS);
            return nodes;
        }

        private void launch(TileFold tiles) {
            KernelParameters parameters = parameters(tiles.source(), 0);
            TileFoldText kernel = new TileFoldText(tiles);
            kernel.declare(parameters, result(), divisor());
            long blocks = tiles.matrices() * tiles.rowTiles() * tiles.columnTiles();
            add(kernel.text(), parameters, blocks, TileFoldText.THREADS);
        }

        private KernelParameters parameters(FoldSource source, long threads) {
            long elements = source.lines() * Math.max(1, source.length());
            return new KernelParameters(Index.of(Math.max(threads, elements)));
        }

        private Address result() {
            return new Address(operandCount, 0);
        }

        private double divisor() {
            return type.divisor(reduce.reducedCount());
        }

        private void add(String functions, KernelParameters parameters, long blocks, int threads) {
            String text = Prelude.before(parameters.declaration(functions) + "\n" + functions);
            CudaSource source = new CudaSource(FoldKernelText.ENTRY, text);
            launches.add(new CudaLaunch(source, Math.toIntExact(blocks), threads, parameters.arguments(functions)));
        }

        private static long ceilDiv(long count, int size) {
            return (count + size - 1) / size;
        }
    }
}
