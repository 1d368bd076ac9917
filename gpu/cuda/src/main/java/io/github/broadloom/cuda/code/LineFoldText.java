package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.FoldForm.Direction;
import io.github.broadloom.cuda.code.FoldForm.Leaf;
import io.github.broadloom.cuda.code.FoldKernelText.Target;
import io.github.broadloom.cuda.code.FoldSource.Memory;
import io.github.broadloom.cuda.code.FoldSource.Place;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.shape.Shape;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The functions that fold a line which is near its {@linkplain LineTeam team}, and the statements that call them. A warp folds it by itself; of
 * several warps each leaves the nodes of its range in shared memory, and then every warp joins them.
 */
final class LineFoldText {
    /** Numbers that the ranges of a line leave for each component, at most: a node, and of the last range one for each binary digit. */
    static final int MOST_NODES = 24;

    private static final FoldForm OF_NODES = new FoldForm(Direction.ALONG, Leaf.VALUE, FoldForm.WARP, 1, 1);

    final String name;
    final FoldType type;
    private final LineTeam team;
    private final LineStage stage;
    private final FoldKernelText kernel;

    LineFoldText(String name, FoldSource source, FoldType type, Leaf leaf, LineTeam team) {
        this.name = name;
        this.type = type;
        this.team = team;
        FoldForm form = FoldForm.near(source, type, leaf, team.lanes());
        this.stage = isWhole()
                ? LineStage.whole(source, type, form, 0, 0)
                : LineStage.among(team.warps(), source, type, form);
        this.kernel = FoldKernelText.of(stage, isWhole() ? Target.RETURNED : Target.SHARED);
    }

    boolean mayFail() {
        return kernel.line.mayFail();
    }

    private boolean isWhole() {
        return team.warps() == 1;
    }

    int sharedBytes() {
        return isWhole() ? 0 : type.components() * numbers() * Long.BYTES;
    }

    private int numbers() {
        return team.inBlock() * MOST_NODES;
    }

    /** The functions, in namespaces. What they need is added to the kernel's parameters. */
    String functions(KernelParameters parameters) {
        String own = namespace(name, parameters, kernel, arrays() + kernel.folding());
        parameters.index("warps", stage.ranges());
        return isWhole() ? own : own + nodes(parameters);
    }

    private String arrays() {
        return isWhole()
                ? ""
                : IntStream.range(0, type.components())
                        .mapToObj(c -> "__shared__ %s node%d[%d];\n"
                                .formatted(type.nodeTypes().get(c).cudaName(), c, numbers()))
                        .collect(Collectors.joining("", "", "\n"));
    }

    private String nodes(KernelParameters parameters) {
        Layout left = Layout.contiguous(Shape.of(stage.leaves()));
        List<Place> places = type.nodeTypes().stream()
                .map(node -> new Place(node, Memory.SHARED, new Address(0, 0), Long.BYTES, left))
                .toList();
        FoldSource source = FoldSource.of(left.shape(), new boolean[] {true}, places, type::fromNodes);
        LineStage next = LineStage.whole(source, type, OF_NODES, stage.nextTail(), stage.nextShift());
        FoldKernelText joining = FoldKernelText.of(next, Target.RETURNED);
        return namespace(name + "_nodes", parameters, joining, joining.folding());
    }

    private static String namespace(String name, KernelParameters parameters, FoldKernelText kernel, String text) {
        parameters.prefix(name + "_");
        kernel.declare(parameters, List.of(), List.of(), Math.scalb(1.0, kernel.stage.shift()));
        return within(name, text);
    }

    /** Functions in a namespace, whose fields of the kernel's parameters begin with its name. */
    static String within(String name, String text) {
        return "namespace %s {\n%s}\n\n".formatted(name, text.replaceAll("\\bp\\.", "p." + name + "_"));
    }

    /** The statements that fold a line, a call of {@code line_at}: then {@code <name>_total} has the accumulator, in each thread of the team. */
    String call(String line) {
        String error = kernel.line.errorArgument();
        if (isWhole()) {
            return "const NAME::acc NAME_total = NAME::fold(p, LINE, laneERROR);\n"
                    .replace("NAME", name)
                    .replace("LINE", line)
                    .replace("ERROR", error);
        }
        String nodes = IntStream.range(0, type.components())
                .mapToObj(c -> ", " + name + "::node" + c + " + team * " + MOST_NODES + "u")
                .collect(Collectors.joining());
        return """
            if (lane / 32u < p.NAME_warps) {
              NAME::leave(p, LINE, lane % 32u, team, lane / 32u);
            }
            __syncthreads();
            const NAME_nodes::acc NAME_total = NAME_nodes::fold(p, NAME_nodes::line_at(p, 0uNODES), lane % 32u);
            """.replace("lane / 32u);", "lane / 32u" + error + ");")
                .replace("NAME", name)
                .replace("LINE", line)
                .replace("NODES", nodes);
    }
}
