package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.FoldSource.Lifted;
import io.github.broadloom.cuda.code.FoldSource.Program;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.KernelSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a kernel's {@code acc} is: the accumulators of one result of each of some reductions, which have an operand and dimensions in common.
 * Where there is more than one, each stands in a namespace of its own; of several reductions with the same accumulators, as {@code sum} and
 * {@code mean}, there is one. All are joined in the same tree, which has the order that each needs, if any does.
 *
 * <p>Nodes in memory, which one launch leaves for the next, are {@code double}s or {@code long long}s, an array for each component.
 *
 * @param accumulators each once
 */
record FoldType(List<Reduce> reductions, List<FoldAccumulator> accumulators) {
    /** What a warp joins together: with more, a multiprocessor does not hold a thousand threads. */
    private static final int MOST_COMPONENTS = 6;

    /** Of columns, where each lane has a whole stack. */
    private static final int MOST_OF_COLUMNS = 3;

    /** @param reductions at least one; of those of one operand what {@link #together} puts together */
    static FoldType of(List<Reduce> reductions) {
        List<FoldAccumulator> accumulators = new ArrayList<>();
        for (Reduce reduce : reductions) {
            if (accumulators.stream().noneMatch(known -> known.serves(reduce))) {
                accumulators.add(FoldAccumulator.of(reduce));
            }
        }
        return new FoldType(List.copyOf(reductions), accumulators);
    }

    /** Reductions of one operand, those together that one kernel computes. */
    static List<List<Reduce>> together(List<Reduce> reductions) {
        List<List<Reduce>> groups = new ArrayList<>();
        for (Reduce reduce : reductions) {
            groups.stream()
                    .filter(group -> Arrays.equals(group.get(0).dims(), reduce.dims()) && fits(group, reduce))
                    .findFirst()
                    .orElseGet(() -> {
                        groups.add(new ArrayList<>());
                        return groups.get(groups.size() - 1);
                    })
                    .add(reduce);
        }
        return groups;
    }

    private static boolean fits(List<Reduce> group, Reduce another) {
        List<Reduce> all = new ArrayList<>(group);
        all.add(another);
        int last = another.operand().shape().rank() - 1;
        boolean columns = Arrays.stream(another.dims()).noneMatch(dim -> dim == last);
        return of(all).components() <= (columns ? MOST_OF_COLUMNS : MOST_COMPONENTS);
    }

    boolean hasOneAccumulator() {
        return accumulators.size() == 1;
    }

    FoldType alone(FoldAccumulator accumulator) {
        return of(reductions.stream().filter(accumulator::serves).limit(1).toList());
    }

    String valueType() {
        return operand().valueType().cudaName();
    }

    int valueBytes() {
        return operand() == DType.FLOAT64 || operand() == DType.INT64 ? Long.BYTES : Integer.BYTES;
    }

    private DType operand() {
        return reductions.get(0).operand().dtype();
    }

    boolean isExact() {
        return accumulators.stream().allMatch(FoldAccumulator::isExact);
    }

    boolean isMoments() {
        return accumulators.stream().anyMatch(FoldAccumulator::isMoments);
    }

    int components() {
        return accumulators.stream().mapToInt(FoldAccumulator::components).sum();
    }

    int firstComponent(Reduce reduce) {
        return accumulators.stream()
                .takeWhile(accumulator -> !accumulator.serves(reduce))
                .mapToInt(FoldAccumulator::components)
                .sum();
    }

    List<DType> nodeTypes() {
        return accumulators.stream()
                .flatMap(accumulator -> accumulator.nodeTypes().stream())
                .toList();
    }

    String declaration() {
        if (hasOneAccumulator()) {
            return accumulators.get(0).declaration();
        }
        StringBuilder text = new StringBuilder();
        for (FoldAccumulator each : accumulators) {
            text.append("namespace %s {\n%s}\n\n".formatted(namespace(each), each.declaration()));
        }
        text.append("struct acc {\n");
        accumulators.forEach(each -> text.append(
                "  %s::acc %s;\n".formatted(namespace(each), part("", each).substring(1))));
        text.append("};\n");
        for (String counted : isMoments() ? List.of(", double n, double m", ", double n") : List.of("")) {
            text.append("\nBL_DEVICE acc join(acc a, acc b%s) {\n  return %s;\n}\n"
                    .formatted(
                            counted,
                            ofEach(each -> "%s::join(%s, %s%s)"
                                    .formatted(
                                            namespace(each),
                                            part("a", each),
                                            part("b", each),
                                            each.isMoments() ? counted.replace("double ", "") : ""))));
        }
        return text.toString();
    }

    String namespace(FoldAccumulator accumulator) {
        return "as_" + accumulator.name();
    }

    private String part(String acc, FoldAccumulator accumulator) {
        return hasOneAccumulator() ? acc : acc + ".of_" + accumulator.name();
    }

    /** An initialiser of an {@code acc} from one of each kind. */
    String ofEach(Function<FoldAccumulator, String> initialiser) {
        List<String> found = accumulators.stream().map(initialiser).toList();
        return found.size() == 1 ? found.get(0) : "{" + String.join(", ", found) + "}";
    }

    String identity() {
        return ofEach(FoldAccumulator::identity);
    }

    String lift(String value, String place) {
        return ofEach(each -> each.lift(value, place));
    }

    /** @param placesBefore what is added to the places in it; empty for nothing */
    private Lifted fromNode(IntFunction<String> elements, String placesBefore) {
        Iterator<String> left =
                IntStream.range(0, components()).mapToObj(elements).iterator();
        String one = ofEach(each -> each.fromNode(
                Stream.generate(left::next).limit(each.components()).toList(), placesBefore));
        return new Lifted(List.of(), one);
    }

    static Program elements(KernelSpec spec) {
        return (elements, place) -> {
            CudaProgramText text = CudaProgramText.of(spec, elements);
            return new Lifted(text.lines(), text.rounded());
        };
    }

    Program lifting(KernelSpec spec) {
        return (elements, place) -> {
            Lifted value = elements(spec).over(elements, place);
            return new Lifted(value.statements(), lift(value.one(), place));
        };
    }

    /** Makes accumulators of nodes in memory, from the elements of an array for each component. */
    Lifted fromNodes(IntFunction<String> elements, String place) {
        return fromNode(elements, "");
    }

    /** As {@link #fromNodes}; of what the fold before left, the places are those among all values. */
    Lifted fromFold(IntFunction<String> elements, String place) {
        return fromNode(elements, " + (long long) (%s) * p.in_each".formatted(place));
    }

    List<String> components(String acc) {
        return accumulators.stream()
                .flatMap(each -> each.components(part(acc, each)).stream())
                .toList();
    }

    String each(String acc, UnaryOperator<String> component) {
        return ofEach(each -> each.each(part(acc, each), component));
    }

    /** The element of a result that an accumulator ends as; means and deviations are divided by the divisor. */
    String result(Reduce reduce, String acc, String divisor) {
        FoldAccumulator own = accumulators.stream()
                .filter(each -> each.serves(reduce))
                .findFirst()
                .orElseThrow();
        return own.result(reduce, part(acc, own), divisor);
    }
}
