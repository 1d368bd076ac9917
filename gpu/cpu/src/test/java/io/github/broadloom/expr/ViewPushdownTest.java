package io.github.broadloom.expr;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ViewOp.Crop;
import io.github.broadloom.expr.ViewOp.Flip;
import io.github.broadloom.expr.ViewOp.Permute;
import io.github.broadloom.expr.ViewOp.Reshape;
import io.github.broadloom.expr.ViewOp.Squeeze;
import io.github.broadloom.expr.ViewOp.Unsqueeze;
import io.github.broadloom.expr.ops.Ops;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.expr.rewrite.Simplifier;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How far a rearrangement is carried down, and what is left of it. */
class ViewPushdownTest {
    private final Tensor x = Tensors.arange(0, 24, 1, DType.FLOAT32).view(2, 3, 4);
    private final Tensor row = Tensors.of(1f, 2f, 3f, 4f);

    private static Expr source(long... sizes) {
        return Input.of("source", DType.FLOAT32, Shape.of(sizes));
    }

    private static long count(Expr expr, Class<? extends Expr> kind) {
        return expr.postOrder().stream().filter(kind::isInstance).count();
    }

    private static List<ViewOp> moves(Expr expr) {
        return expr.postOrder().stream()
                .filter(Rearrange.class::isInstance)
                .map(node -> ((Rearrange) node).viewOp())
                .toList();
    }

    private static Tensor evaluate(Expr expr) {
        return Devices.backend(Device.CPU).evaluate(expr);
    }

    @Test
    void aMoveOfALocalTensorIsItsView() {
        Expr moved = ViewOps.slice(ViewOps.permute(Input.of(x), 2, 0, 1), 1, Slice.from(1));
        assertThat(moved).isInstanceOf(Input.class);
        Tensor view = (Tensor) ((Input) moved).source();
        assertThat(view.storage()).isSameAs(x.storage());
        assertThat(view.layout())
                .isEqualTo(x.permute(2, 0, 1).slice(1, Slice.from(1)).layout());
    }

    @Test
    void whatNoViewCanHaveStaysANode() {
        assertThat(moves(ViewOps.flip(Input.of(x), 0, -1))).containsExactly(new Flip(new int[] {0, 2}));
        assertThat(moves(ViewOps.reshape(Input.of(x.transpose(1, 2)), -1)))
                .containsExactly(new Reshape(0, new long[] {24}));
        assertThat(moves(ViewOps.reshape(Input.of(x.transpose(1, 2)), 2, 4, 1, 3)))
                .isEmpty();
        assertThat(moves(ViewOps.reshape(source(10, 6, 4), 10, -1, 12)))
                .containsExactly(new Reshape(1, new long[] {2, 12}));
    }

    @Test
    void aMovePassesPointwiseOperationsAndOperandsThatBroadcastTakeWhatConcernsThem() {
        Expr sum = Expr.apply(Ops.ADD, Expr.cast(source(2, 3, 4), DType.FLOAT64), Input.of(row));
        Expr permuted = ViewOps.permute(sum, 2, 1, 0);
        assertThat(permuted).isInstanceOf(Apply.class);
        assertThat(permuted.shape()).isEqualTo(Shape.of(4, 3, 2));
        assertThat(permuted.children().get(1).shape()).isEqualTo(Shape.of(4, 1, 1));
        assertThat(moves(permuted)).containsExactly(new Permute(new int[] {2, 1, 0}));

        assertThat(ViewOps.permute(sum, 1, 0, 2).children().get(1))
                .isSameAs(sum.children().get(1));
        assertThat(ViewOps.unsqueeze(sum, 0).children().get(1))
                .isSameAs(sum.children().get(1));
        assertThat(ViewOps.select(sum, 1, 2).children().get(1))
                .isSameAs(sum.children().get(1));
        assertThat(ViewOps.flip(sum, 0, 1).children().get(1))
                .isSameAs(sum.children().get(1));
        assertThat(ViewOps.unsqueeze(sum, 3).children().get(1).shape()).isEqualTo(Shape.of(4, 1));
        assertThat(ViewOps.slice(sum, 2, Slice.of(1, 3)).children().get(1).shape())
                .isEqualTo(Shape.of(2));
    }

    @Test
    void aPlainNumberKeepsItsWeight() {
        Expr halved = Expr.apply(Ops.MUL, Input.of(x.to(DType.FLOAT16)), Expr.literal(0.5));
        Expr moved = ViewOps.unsqueeze(ViewOps.select(halved, 0, 1), 0);
        assertThat(moved.dtype()).isEqualTo(DType.FLOAT16);
        assertThat(moved.children().get(1)).isInstanceOf(Literal.class);
        assertThat(moves(moved)).isEmpty();
    }

    @Test
    void sharedNodesStayShared() {
        Expr shared = Expr.apply(Ops.EXP, Input.of(x));
        Expr sum = Expr.apply(Ops.ADD, shared, Expr.apply(Ops.MUL, shared, shared));
        Expr moved = ViewOps.transpose(sum, 0, 2);
        assertThat(moved.postOrder()).hasSize(sum.postOrder().size());
        assertThat(moved.inputs()).hasSize(1);
    }

    @Test
    void aValueThatIsFoldedIsMovedAfterwards() {
        Expr fold = Expr.reduce(Reduction.SUM, Input.of(x), KeepDim.DROP, 0);
        assertThat(moves(ViewOps.t(fold))).containsExactly(new Permute(new int[] {1, 0}));
        assertThat(moves(Expr.apply(Ops.NEG, ViewOps.reshape(Expr.apply(Ops.NEG, source(4, 6)), 24))))
                .containsExactly(new Reshape(0, new long[] {24}));
    }

    /** Of the places 0 to 9 in parts of 2, 5 and 3, whatever is sliced. */
    @Test
    void aSliceOfWhatIsJoinedIsThatOfItsParts() {
        Tensor all = Tensors.arange(0, 10, 1, DType.FLOAT32);
        Expr joined = Expr.concat(
                List.of(Input.of(all.narrow(0, 0, 2)), Input.of(all.narrow(0, 2, 5)), Input.of(all.narrow(0, 7, 3))),
                0);
        for (int step = 1; step < 8; step++) {
            for (int start = 0; start <= 10; start++) {
                for (int stop = start; stop <= 10; stop++) {
                    Slice slice = Slice.of(start, stop, step);
                    Expr sliced = ViewOps.slice(joined, 0, slice);
                    assertThat(evaluate(sliced).values())
                            .isEqualTo(all.slice(0, slice).values());
                    assertThat(moves(sliced)).hasSizeLessThanOrEqualTo(start == stop ? 1 : 0);
                }
            }
        }
        Expr matrices = Expr.concat(List.of(source(2, 3), source(4, 3)), 0);
        assertThat(moves(ViewOps.slice(matrices, 1, Slice.from(1))))
                .containsOnly(new Crop(1, 1, 3, 1))
                .hasSize(2);
        assertThat(ViewOps.slice(matrices, 0, Slice.of(0, 2))).isInstanceOf(Concat.class); // a copy still
    }

    @Test
    void anOperationThatWouldPromoteOtherwiseAsScalarsIsMovedAfterwards() {
        Expr wide = Input.of(Tensors.scalar(0.1, DType.FLOAT64));
        Expr product = Expr.apply(Ops.MUL, Input.of(row), wide); // float32: a zero-dim tensor weighs less
        Expr element = ViewOps.select(product, 0, 2);
        assertThat(element.dtype()).isEqualTo(DType.FLOAT32);
        assertThat(moves(element)).containsExactly(new Squeeze(0));
        assertThat(evaluate(element).item()).isEqualTo((double) (3f * 0.1f));
    }

    @Test
    void aLargeExpressionIsMovedAfterwards() {
        Expr sum = Input.of(x);
        for (int i = 0; i < ViewPushdown.MOST_NODES; i++) {
            sum = Expr.apply(Ops.ADD, sum, Expr.literal(1));
        }
        assertThat(moves(ViewOps.transpose(sum, 0, 1))).hasSizeLessThan(2);
        Expr larger = Expr.apply(Ops.ADD, sum, Expr.literal(1));
        assertThat(moves(ViewOps.transpose(sum, 0, 1))).isEmpty();
        assertThat(moves(ViewOps.transpose(larger, 0, 1))).hasSize(1);
    }

    @Test
    void graphsThatAreMovedAndJoinedAgainAndAgainStaySmall() {
        Expr smooth = Input.of(Tensors.arange(0, 200, 1, DType.FLOAT64));
        for (int i = 0; i < 60; i++) {
            Expr both = Expr.apply(
                    Ops.ADD, ViewOps.slice(smooth, 0, Slice.from(1)), ViewOps.slice(smooth, 0, Slice.of(0, -1)));
            smooth = Expr.apply(Ops.MUL, both, Expr.literal(0.5));
        }
        assertThat(smooth.postOrder().size()).isLessThan(60 * 4 * ViewPushdown.MOST_NODES);
        assertThat(evaluate(smooth).get(7)).isEqualTo(37.0); // means of neighbours: half a step further each time
    }

    @Test
    void movesThatUndoEachOtherVanishAndOthersBecomeOne() {
        Expr base = source(4, 6, 5);
        assertThat(ViewOps.permute(ViewOps.permute(base, 2, 0, 1), 1, 2, 0)).isSameAs(base);
        assertThat(ViewOps.flip(ViewOps.flip(base, 1), -2)).isSameAs(base);
        assertThat(ViewOps.squeeze(ViewOps.unsqueeze(base, 1), 1)).isSameAs(base);
        assertThat(ViewOps.reshape(ViewOps.reshape(base, 24, 5), 4, 6, 5)).isSameAs(base);
        assertThat(ViewOps.permute(base, 0, 1, 2)).isSameAs(base);
        assertThat(ViewOps.slice(base, 1, Slice.all())).isSameAs(base);
        assertThat(moves(ViewOps.transpose(ViewOps.permute(base, 2, 0, 1), 0, 1)))
                .containsExactly(new Permute(new int[] {0, 2, 1}));
        assertThat(moves(ViewOps.slice(ViewOps.slice(base, 1, Slice.of(1, 6, 2)), 1, Slice.from(1))))
                .containsExactly(new Crop(1, 3, 6, 2));
        assertThat(moves(ViewOps.flip(ViewOps.flip(base, 0, 1), 1, 2))).containsExactly(new Flip(new int[] {0, 2}));
        assertThat(moves(ViewOps.unsqueeze(ViewOps.reshape(base, 24, 5), 1)))
                .containsExactly(new Reshape(0, new long[] {24, 1, 5}));
    }

    @Test
    void aNodeOverFewerRowsHasTheShapeOfThose() {
        Expr chunk = Input.of("chunk", DType.FLOAT32, Shape.of(3, 6));
        assertThat(over(ViewOps.reshape(source(10, 6), 10, 2, 3), chunk)).isEqualTo(Shape.of(3, 2, 3));
        assertThat(over(ViewOps.unsqueeze(source(10, 6), 1), chunk)).isEqualTo(Shape.of(3, 1, 6));
        assertThat(over(ViewOps.t(source(10, 6)), chunk)).isEqualTo(Shape.of(6, 3));
        assertThat(over(ViewOps.flip(source(10, 6), 1), chunk)).isEqualTo(Shape.of(3, 6));
        assertThat(over(ViewOps.slice(source(10, 6), 1, Slice.of(1, 5)), chunk)).isEqualTo(Shape.of(3, 4));
        assertThat(over(ViewOps.slice(source(10, 6), 0, Slice.of(1, 9)), chunk)).isEqualTo(Shape.of(2, 6));
        Expr joined = Expr.concat(List.of(source(10, 2), source(10, 4)), 1);
        assertThat(joined.withChildren(List.of(chunk, chunk)).shape()).isEqualTo(Shape.of(3, 12));
    }

    private static Shape over(Expr node, Expr child) {
        return node.withChildren(List.of(child)).shape();
    }

    @Test
    void anExpansionIsMovedWithoutItsModel() {
        Expr expanded = Expr.expand(Expr.apply(Ops.NEG, source(4)), 5, 3, 4);
        Expr moved = ViewOps.flip(ViewOps.permute(expanded, 2, 0, 1), 0, 1);
        assertThat(moved.shape()).isEqualTo(Shape.of(4, 5, 3));
        assertThat(moves(moved)).contains(new Flip(new int[] {0}));
        assertThat(moves(moved)).doesNotContain(new Flip(new int[] {0, 1}));
    }

    @Test
    void nodesTravel() throws IOException, ClassNotFoundException {
        Expr expr = ViewOps.t(ViewOps.reshape(Expr.concat(List.of(source(2, 3), source(4, 3)), 0), 9, 2));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(expr);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Expr read = (Expr) in.readObject();
            assertThat(read.shape()).isEqualTo(Shape.of(2, 9));
            assertThat(moves(read)).containsExactlyElementsOf(moves(expr));
            assertThat(count(read, Concat.class)).isEqualTo(1);
        }
    }

    @Test
    void theDepthOfAGraphDoesNotMatter() {
        Expr deep = Input.of(x);
        for (int i = 0; i < 20_000; i++) {
            deep = Expr.apply(Ops.NEG, deep);
        }
        assertThat(evaluate(ViewOps.select(deep, 0, 1)).values())
                .isEqualTo(x.select(0, 1).values());
        Expr mixed = Input.of(x.view(4, 6));
        for (int i = 0; i < 3_000; i++) {
            mixed = ViewOps.reshape(ViewOps.t(mixed), 4, 6);
        }
        assertThat(mixed.postOrder()).hasSizeGreaterThan(5_000);
        Tensor expected = x.view(4, 6);
        for (int i = 0; i < 3_000; i++) {
            expected = expected.t().reshape(4, 6);
        }
        assertThat(evaluate(mixed).values()).isEqualTo(expected.values());
    }

    @Test
    void viewsOfOneTensorThatAreEqualAreReadOnce() {
        Expr sum = Expr.apply(Ops.ADD, ViewOps.t(Input.of(x.select(0, 0))), ViewOps.t(Input.of(x.select(0, 0))));
        assertThat(sum.inputs()).hasSize(2);
        assertThat(Simplifier.simplify(sum).inputs()).hasSize(1);
    }

    @Test
    void dimensionsOfSizeOneComeAndGoByThemselves() {
        assertThat(moves(ViewOps.reshape(source(4, 1, 3), 4, 3, 1))).containsExactly(new Squeeze(1), new Unsqueeze(2));
        assertThat(moves(ViewOps.reshape(source(1, 1), 1))).containsExactly(new Squeeze(1));
        assertThat(moves(ViewOps.flatten(source(), 0, -1))).containsExactly(new Unsqueeze(0));
        assertThat(moves(ViewOps.reshape(source(0, 3), 0, 5))).containsExactly(new Reshape(1, new long[] {5}));
    }
}
