package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.FoldForm.Leaf;
import io.github.broadloom.cuda.code.FoldKernelText.Target;
import io.github.broadloom.cuda.code.FoldSource.Place;
import io.github.broadloom.cuda.code.FoldSource.Program;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.KernelSpec;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The launches of reductions that are computed {@linkplain FoldType#together together}, as they are found: fold after fold, and each in as many
 * launches as it takes. What lies between two launches is in scratch memory.
 */
final class FoldLaunches {
    /** Addresses of nodes suit packets of any size. */
    private static final int NODE_ALIGNMENT = 16;

    private static final long REGION_BYTES = 256;

    private final KernelSpec spec;
    final FoldType type;
    private final List<Address> results;
    private final int operandCount;
    private final List<CudaLaunch> launches = new ArrayList<>();
    private long scratchBytes;

    /** What the next fold folds: its shape, where it is, how an accumulator is made of it, and how many values each has. */
    private Shape shape;

    private List<Place> places;
    private Program program;
    private long inEach = 1;

    /** As {@link ReductionLaunches#of}, of reductions that are computed together. */
    FoldLaunches(KernelSpec spec, List<Reduce> reductions, List<Layout> operands, int[] alignments) {
        this(
                spec,
                reductions,
                IntStream.range(0, reductions.size())
                        .mapToObj(r -> result(spec, r))
                        .toList(),
                operands,
                alignments,
                0);
    }

    /** As {@link ReductionLaunches#of}; the results go there, and so much of the scratch memory is others'. */
    FoldLaunches(
            KernelSpec spec,
            List<Reduce> reductions,
            List<Address> results,
            List<Layout> operands,
            int[] alignments,
            long scratchBytes) {
        this.spec = spec;
        this.scratchBytes = scratchBytes;
        this.type = FoldType.of(reductions);
        this.results = results;
        this.operandCount = spec.operands().size();
        this.shape = reductions.get(0).operand().shape();
        this.program = type.lifting(spec);
        this.places = new ArrayList<>();
        for (int k = 0; k < operandCount; k++) {
            DType dtype = spec.operands().get(k).dtype();
            places.add(new Place(dtype, new Address(k, 0), alignments[k], operands.get(k)));
        }
    }

    List<CudaLaunch> launches() {
        return launches;
    }

    long scratchBytes() {
        return scratchBytes;
    }

    LaunchPlan plan() {
        return LaunchPlan.of(launches, scratchBytes, operandCount);
    }

    void fold(FoldOrder.Fold fold) {
        FoldSource source = source(fold);
        List<Address> nodes = fold(source, fold.leaf(), Target.NODE);
        shape = fold.rest(shape);
        places = nodes(nodes, shape);
        inEach *= source.length();
        program = type::fromFold;
    }

    /** The last fold: its accumulators become the result. */
    void finish(FoldOrder.Fold fold) {
        fold(source(fold), fold.leaf(), Target.RESULT);
    }

    /** Whether a fold has a kernel of its own, in tiles of results, for a single kind of accumulators. */
    boolean isTiled(FoldOrder.Fold fold) {
        return TileFold.of(source(fold), type, fold.leaf()).isPresent();
    }

    FoldSource source(FoldOrder.Fold fold) {
        return FoldSource.of(
                shape, fold.dims(), places, fold.leaf() == Leaf.MOMENTS ? FoldType.elements(spec) : program);
    }

    /** One fold in as many launches as it takes; where the nodes are, unless they are results. */
    private List<Address> fold(FoldSource source, Leaf leaf, Target target) {
        Optional<TileFold> tiles = TileFold.of(source, type, leaf);
        if (tiles.isPresent() && target == Target.RESULT) {
            launch(tiles.get());
            return List.of();
        }
        LineStage stage = LineStage.of(source, type, form(source, leaf), 0, 0);
        while (stage.isSplit()) {
            List<Address> nodes = launch(stage, Target.NODE);
            boolean across = stage.form().direction() == FoldForm.Direction.ACROSS;
            long columns = across ? stage.source().innermost(false) : 1;
            Shape left = Shape.of(stage.source().lines() / columns, stage.leaves(), columns);
            FoldSource next =
                    FoldSource.of(left, new boolean[] {false, true, false}, nodes(nodes, left), type::fromNodes);
            stage = LineStage.of(next, type, form(next, Leaf.VALUE), stage.nextTail(), stage.nextShift());
        }
        return launch(stage, target);
    }

    private FoldForm form(FoldSource source, Leaf leaf) {
        return FoldForm.of(source, type, leaf, Long.highestOneBit(Long.MAX_VALUE));
    }

    private List<Place> nodes(List<Address> addresses, Shape shape) {
        List<Place> found = new ArrayList<>();
        for (int c = 0; c < addresses.size(); c++) {
            found.add(new Place(type.nodeTypes().get(c), addresses.get(c), NODE_ALIGNMENT, Layout.contiguous(shape)));
        }
        return found;
    }

    Address region(long numbers) {
        Address region = new Address(operandCount + 2, scratchBytes);
        scratchBytes += (numbers * Long.BYTES + REGION_BYTES - 1) / REGION_BYTES * REGION_BYTES;
        return region;
    }

    /** Adds a launch; where its nodes are: an array for each component. */
    private List<Address> launch(LineStage stage, Target target) {
        Target own = stage.isSplit() ? Target.NODE : target;
        List<Address> nodes = new ArrayList<>();
        for (int c = 0; c < type.components() && own == Target.NODE; c++) {
            nodes.add(region(stage.source().lines() * stage.leaves()));
        }
        launch(stage, own, nodes);
        return nodes;
    }

    /** Adds a launch; the offset in scratch memory of its nodes, one after the other, each an array for each component. */
    long launch(BlockStage stage) {
        Address region = region(stage.blocks().count() * stage.nodeNumbers());
        launch(stage, Target.NODE, inNode(region, stage.source().lines()));
        return region.byteOffset();
    }

    private List<Address> inNode(Address node, long lines) {
        return IntStream.range(0, type.components())
                .mapToObj(c -> new Address(node.slot(), node.byteOffset() + c * lines * Long.BYTES))
                .toList();
    }

    /** The whole nodes that a launch left, to be joined. */
    FoldSource wholeNodes(BlockStage stage, long offset) {
        long lines = stage.source().lines();
        Shape left = Shape.of(stage.blocks().whole(), lines);
        Layout layout = Layout.of(left, new long[] {stage.nodeNumbers(), 1}, 0);
        List<Place> nodes = new ArrayList<>();
        List<Address> addresses = inNode(new Address(operandCount + 2, offset), lines);
        for (int c = 0; c < addresses.size(); c++) {
            int alignment = c == 0 && stage.nodeNumbers() % 2 == 0 ? NODE_ALIGNMENT : Long.BYTES;
            nodes.add(new Place(type.nodeTypes().get(c), addresses.get(c), alignment, layout));
        }
        return FoldSource.of(left, new boolean[] {true, false}, nodes, type::fromNodes);
    }

    private void launch(FoldStage stage, Target target, List<Address> nodes) {
        FoldKernelText kernel = FoldKernelText.of(stage, target);
        long threads = stage.jobs() * stage.form().lanes();
        KernelParameters parameters = parameters(stage.source(), threads);
        kernel.declare(parameters, results, nodes, Math.scalb((double) inEach, stage.shift()));
        parameters.pointer("u32", "error", new Address(operandCount + 1, 0));
        parameters.stride("in_each", inEach);
        launches.add(parameters.launch(FoldKernelText.ENTRY, kernel.text(), threads, FoldKernelText.THREADS));
    }

    /** Adds a launch whose prefixes go there. */
    void launch(ScanKernelText kernel, Address result) {
        KernelParameters parameters = parameters(kernel.source(), kernel.threads());
        kernel.declare(parameters, result);
        parameters.pointer("u32", "error", new Address(operandCount + 1, 0));
        launches.add(parameters.launch(ScanKernelText.ENTRY, kernel.text(), kernel.threads(), ScanKernelText.THREADS));
    }

    private void launch(TileFold tiles) {
        KernelParameters parameters = parameters(tiles.source(), 0);
        TileFoldText kernel = new TileFoldText(tiles);
        kernel.declare(parameters, results);
        long threads = tiles.matrices() * tiles.rowTiles() * tiles.columnTiles() * TileFoldText.THREADS;
        launches.add(parameters.launch(FoldKernelText.ENTRY, kernel.text(), threads, TileFoldText.THREADS));
    }

    private KernelParameters parameters(FoldSource source, long threads) {
        long elements = source.lines() * Math.max(1, source.length());
        KernelParameters parameters = new KernelParameters(Math.max(threads, elements));
        parameters.given(spec, 0);
        return parameters;
    }

    /** Where the results of a reduction go, by its number: those of the first before the error flag, others behind the scratch memory. */
    static Address result(KernelSpec spec, int reduction) {
        int operands = spec.operands().size();
        return new Address(reduction == 0 ? operands : operands + 2 + reduction, 0);
    }
}
