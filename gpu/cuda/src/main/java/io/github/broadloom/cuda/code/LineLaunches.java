package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.FoldForm.Leaf;
import io.github.broadloom.cuda.code.FoldSource.Lifted;
import io.github.broadloom.cuda.code.FoldSource.Memory;
import io.github.broadloom.cuda.code.FoldSource.Place;
import io.github.broadloom.cuda.code.FoldSource.Program;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.LineProgram;
import io.github.broadloom.kernels.PointwiseProgram;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A {@link LineProgram} as one kernel. A {@linkplain LineTeam team} of threads copies its line into shared memory, folds it from there as often
 * as there are folds, in the trees of {@link ReductionLaunches}, and writes the line of the result: what is large is read once.
 */
public final class LineLaunches {
    private static final Address NOWHERE = new Address(0, 0);

    /** Of shared memory; less leaves no room for another block. */
    private static final int LEAST_BYTES = 4 << 10;

    private final LineProgram lines;
    private final Shape shape;
    private final long length;
    private final List<Layout> layouts;
    private final int[] alignments;
    private final List<Reduce> reductions;
    /** The leaves that are copied, in the order in which they lie in shared memory. */
    private final List<Integer> near;

    private LineLaunches(LineProgram lines, List<Layout> layouts, int[] alignments) {
        this.lines = lines;
        this.shape = lines.shape();
        this.length = shape.size(shape.rank() - 1);
        this.layouts = layouts.stream().map(layout -> layout.expand(shape)).toList();
        this.alignments = alignments;
        this.reductions = lines.reductions();
        this.near = IntStream.range(0, layouts.size())
                .filter(this::isReadAgain)
                .boxed()
                .toList();
    }

    /**
     * The launch; empty where lines are too long for shared memory, or their elements do not lie one behind the other.
     *
     * @param layouts of the program's leaves, each of which broadcasts to its shape; their offsets do not count
     * @param alignments for each leaf, and behind them the contiguous result, a power of two up to 16 that divides the address of its
     *     first element
     */
    public static Optional<CudaLaunch> of(LineProgram lines, List<Layout> layouts, int[] alignments) {
        LineLaunches launches = new LineLaunches(lines, layouts, alignments);
        long bytes = launches.near.stream().mapToLong(launches::nearBytes).sum();
        boolean fits =
                bytes > 0 && bytes <= LineTeam.SHARED_BYTES && layouts.stream().allMatch(launches::isDense);
        return fits ? launches.launch(LineTeam.of(launches.length, bytes), bytes) : Optional.empty();
    }

    private boolean isDense(Layout layout) {
        long step = layout.expand(shape).stride(shape.rank() - 1);
        return length == 1 || step == 0 || step == 1;
    }

    /** Whether several programs read a leaf of which no element is another's. */
    private boolean isReadAgain(int leaf) {
        boolean all = IntStream.range(0, shape.rank())
                .allMatch(dim -> shape.size(dim) == 1 || layouts.get(leaf).stride(dim) != 0);
        long readers = lines.programs().stream()
                .filter(program -> lines.operands(program).contains(leaf))
                .count();
        return length > 1 && all && readers > 1;
    }

    private long nearBytes(int leaf) {
        long bytes = dtype(leaf).sizeBytes(length);
        return CudaLaunch.ceilDiv(bytes, PointwiseLaunches.PACKET_BYTES) * PointwiseLaunches.PACKET_BYTES;
    }

    private DType dtype(int leaf) {
        return lines.leaves().get(leaf).dtype();
    }

    private Optional<CudaLaunch> launch(LineTeam team, long bytes) {
        List<LineFoldText> folds = new ArrayList<>();
        List<PointwiseProgram> programs = new ArrayList<>();
        for (LineProgram.Fold fold : lines.folds()) {
            for (List<Reduce> together : FoldType.together(fold.reductions())) {
                folds.add(fold("fold" + folds.size(), FoldType.of(together), fold.program(), team));
                programs.add(fold.program());
            }
        }
        int memory = Math.max(LEAST_BYTES, Integer.highestOneBit((int) bytes * team.inBlock() * 2 - 1));
        int nodes = folds.stream().mapToInt(LineFoldText::sharedBytes).sum();
        if (memory > LineTeam.SHARED_BYTES || memory + nodes > TransposePlan.SHARED_BYTES) {
            return Optional.empty();
        }
        long count = shape.numel() / length;
        long threads = CudaLaunch.ceilDiv(count, team.inBlock()) * LineTeam.THREADS;
        KernelParameters parameters = new KernelParameters(Math.max(shape.numel(), threads));
        LineKernelText kernel = new LineKernelText(team, parameters);
        kernel.index("lines", count);
        kernel.index("count", length);
        kernel.index("packets", bytes / PointwiseLaunches.PACKET_BYTES);
        long begin = 0;
        for (int leaf : near) {
            kernel.copy(leaf, dtype(leaf), copy(leaf, team), begin / PointwiseLaunches.PACKET_BYTES);
            begin += nearBytes(leaf);
        }
        kernel.meet();
        for (int f = 0; f < folds.size(); f++) {
            kernel.fold(folds.get(f), arguments(programs.get(f)), reductions);
            given(parameters, folds.get(f).name, programs.get(f));
        }
        Address result = new Address(layouts.size(), 0);
        kernel.result(dtype(lines.root()), result(team), arguments(lines.root()), result);
        given(parameters, "result", lines.root());
        parameters.prefix("");
        parameters.pointer("u32", "error", new Address(layouts.size() + 1, 0));
        String text = kernel.text(memory / PointwiseLaunches.PACKET_BYTES);
        return Optional.of(parameters.launch(LineKernelText.ENTRY, text, threads, LineTeam.THREADS));
    }

    private LineFoldText fold(String name, FoldType type, PointwiseProgram program, LineTeam team) {
        Leaf leaf = FoldOrder.of(type).get(0).leaf(); // along one dimension there is one fold
        Program lifting = leaf == Leaf.MOMENTS ? FoldType.elements(program.spec()) : type.lifting(program.spec());
        return new LineFoldText(name, source(program, lifting), type, leaf, team);
    }

    private LineWriteText copy(int leaf, LineTeam team) {
        FoldSource source =
                source(List.of(inMemory(leaf)), (elements, place) -> new Lifted(List.of(), elements.apply(0)));
        return write(source, team, dtype(leaf), PointwiseLaunches.PACKET_BYTES, true);
    }

    private LineWriteText result(LineTeam team) {
        DType dtype = dtype(lines.root());
        FoldSource source = source(lines.root(), (elements, place) -> {
            CudaProgramText text = CudaProgramText.of(lines.root().spec(), elements);
            return new Lifted(text.lines(), text.stored());
        });
        long between = shape.numel() == length ? PointwiseLaunches.PACKET_BYTES : dtype.sizeBytes(length);
        long aligned = Math.min(alignments[layouts.size()], Long.lowestOneBit(between));
        return write(source, team, dtype, (int) Math.min(PointwiseLaunches.PACKET_BYTES, aligned), false);
    }

    private static LineWriteText write(FoldSource source, LineTeam team, DType dtype, int packetBytes, boolean near) {
        int width = Math.max(1, packetBytes / dtype.bytes());
        FoldForm form = FoldForm.written(source, team.threads(), dtype.bytes(), width);
        return new LineWriteText(source, form, dtype.cudaName(), near);
    }

    private static DType dtype(PointwiseProgram program) {
        return program.spec().dtype();
    }

    private FoldSource source(PointwiseProgram program, Program text) {
        return source(lines.operands(program).stream().map(this::place).toList(), text);
    }

    private FoldSource source(List<Place> places, Program text) {
        boolean[] along = new boolean[shape.rank()];
        along[along.length - 1] = true;
        return FoldSource.of(shape, along, places, text);
    }

    /** Where a program reads an operand: a leaf, or a reduction. */
    private Place place(int operand) {
        if (operand >= layouts.size()) {
            return place(reductions.get(operand - layouts.size()).dtype(), Memory.REGISTER, Shape.of());
        }
        return near.contains(operand) ? place(dtype(operand), Memory.SHARED, Shape.of(length)) : inMemory(operand);
    }

    private static Place place(DType dtype, Memory memory, Shape shape) {
        return new Place(dtype, memory, NOWHERE, PointwiseLaunches.PACKET_BYTES, Layout.contiguous(shape));
    }

    private Place inMemory(int leaf) {
        return new Place(dtype(leaf), new Address(leaf, 0), alignments[leaf], layouts.get(leaf));
    }

    /** What {@code line_at} of a program takes beside the line. */
    private List<String> arguments(PointwiseProgram program) {
        return lines.operands(program).stream()
                .filter(operand -> operand >= layouts.size() || near.contains(operand))
                .map(operand -> operand < layouts.size() ? "near" + operand : "folded" + (operand - layouts.size()))
                .toList();
    }

    private void given(KernelParameters parameters, String name, PointwiseProgram program) {
        int first = lines.programs().stream()
                .takeWhile(before -> !before.equals(program))
                .mapToInt(before -> before.numbers().size())
                .sum();
        parameters.prefix(name + "_");
        parameters.given(program.spec(), first);
    }
}
