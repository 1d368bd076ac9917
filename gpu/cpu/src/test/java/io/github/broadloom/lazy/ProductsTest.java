package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.Products;
import io.github.broadloom.expr.rewrite.Simplifier;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Products of matrices and vectors; texts are PyTorch 2.13's. */
class ProductsTest {
    private static LazyTensor range(long... sizes) {
        Shape shape = Shape.of(sizes);
        return LazyTensor.of(Tensors.arange(shape.numel()).to(DType.FLOAT32).view(sizes));
    }

    private static Shape shape(String sizes) {
        return Shape.of(Arrays.stream(sizes.trim().split(" "))
                .filter(size -> !size.isEmpty())
                .mapToLong(Long::parseLong)
                .toArray());
    }

    private static LazyTensor of(String dtype, String sizes) {
        return LazyTensor.of(Tensors.zeros(shape(sizes), DType.of(dtype)));
    }

    /** [[0, 1, 2], [3, 4, 5]] times [[0, 1], [2, 3], [4, 5]]. */
    @Test
    void matricesAreMultiplied() {
        LazyTensor product = range(2, 3).matmul(range(3, 2));
        assertThat(product.shape()).isEqualTo(Shape.of(2, 2));
        assertThat(product.compute().values()).containsExactly(10.0, 13.0, 28.0, 40.0);
        assertThat(range(2, 3).mm(range(3, 2)).compute().values()).containsExactly(10.0, 13.0, 28.0, 40.0);
    }

    @Test
    void vectorsStandOnEitherSide() {
        assertThat(range(3).matmul(range(3)).compute().item()).isEqualTo(5.0);
        assertThat(range(3).dot(range(3)).shape()).isEqualTo(Shape.SCALAR);
        assertThat(range(2, 3).matmul(range(3)).compute().values()).containsExactly(5.0, 14.0);
        assertThat(range(2, 3).mv(range(3)).compute().values()).containsExactly(5.0, 14.0);
        assertThat(range(3).matmul(range(3, 2)).compute().values()).containsExactly(10.0, 13.0);
        assertThat(range(2, 2, 3).matmul(range(3)).compute().values()).containsExactly(5.0, 14.0, 23.0, 32.0);
        assertThat(range(3).matmul(range(2, 3, 2)).compute().values()).containsExactly(10.0, 13.0, 28.0, 31.0);
    }

    @ParameterizedTest
    @CsvSource({
        "2 3 4, 4 5, 2 3 5",
        "2 3, 7 3 4, 7 2 4",
        "5 1 2 3, 4 3 2, 5 4 2 2",
        "1 2 3, 6 3 2, 6 2 2",
        "3, 5 2 3 4, 5 2 4",
        "5 2 3 4, 4, 5 2 3",
        "0 3, 3 2, 0 2",
        "2 0, 0 3, 2 3",
        "2 0 3 4, 4 5, 2 0 3 5"
    })
    void batchesBroadcast(String left, String right, String result) {
        LazyTensor product = of("float64", left).matmul(of("float64", right));
        assertThat(product.shape()).isEqualTo(shape(result));
        assertThat(product.compute().values())
                .hasSize((int) shape(result).numel())
                .allMatch(value -> value.equals(0.0));
    }

    /** The second matrix of each operand by itself is the second of the product. */
    @Test
    void everyBatchIsAProductOfItsOwn() {
        Tensor products = range(2, 3, 4).bmm(range(2, 4, 5)).compute();
        Tensor second =
                range(2, 3, 4).select(0, 1).mm(range(2, 4, 5).select(0, 1)).compute();
        assertThat(products.select(0, 1).values()).isEqualTo(second.values());
    }

    @Test
    void operandsMayBeViewsAndExpressionsAndResultsMayGoOn() {
        LazyTensor x = range(3, 2);
        Tensor expected = range(3, 2).compute();
        assertThat(x.t().matmul(x).compute().values()).containsExactly(20.0, 26.0, 26.0, 35.0);
        assertThat(x.t().add(1).matmul(x.mul(2)).sub(1).compute().values()).containsExactly(51.0, 69.0, 63.0, 87.0);
        assertThat(x.matmul(x.t()).sum(0).compute().values()).containsExactly(9.0, 39.0, 69.0);
        assertThat(x.sum(0).matmul(x.t()).compute().values()).containsExactly(9.0, 39.0, 69.0);
        assertThat(x.matmul(x.t()).t().slice(0, Slice.of(1, 2)).compute().values())
                .containsExactly(3.0, 13.0, 23.0);
        assertThat(x.compute().values()).isEqualTo(expected.values());
    }

    @Test
    void integersWrap() {
        LazyTensor bytes = LazyTensor.of(Tensors.of(120, 120).to(DType.INT8));
        assertThat(bytes.dot(LazyTensor.of(Tensors.of(2, 3).to(DType.INT8)))
                        .compute()
                        .item())
                .isEqualTo(88L);
        LazyTensor unsigned = LazyTensor.of(Tensors.of(200, 100).to(DType.UINT8));
        assertThat(unsigned.dot(unsigned).compute().item()).isEqualTo(50000L % 256);
        LazyTensor longs = LazyTensor.of(Tensors.of(1L << 62, 3L));
        assertThat(longs.dot(LazyTensor.of(Tensors.of(4L, 5L))).compute().item())
                .isEqualTo(15L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "float32| |float32|2|both arguments to matmul need to be at least 1D, but they are 0D and 1D",
                "float32|2|float32|3|inconsistent tensor size, expected tensor [2] and src [3] to have the same number"
                        + " of elements, but got 2 and 3 elements respectively",
                "float32|2 3|float32|2|size mismatch, got input (2), mat (2x3), vec (2)",
                "float32|2|float32|3 4|mat1 and mat2 shapes cannot be multiplied (1x2 and 3x4)",
                "float32|2 3|float32|4 5|mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)",
                "float32|3 2 4|float32|5|size mismatch, got input (6), mat (6x4), vec (5)",
                "float32|3 2 4|float32|5 6|mat1 and mat2 shapes cannot be multiplied (6x4 and 5x6)",
                "float32|0 2 3|float32|4 5|mat1 and mat2 shapes cannot be multiplied (0x3 and 4x5)",
                "float32|4|float32|3 5 6|Expected size for first two dimensions of batch2 tensor to be: [3, 4] but"
                        + " got: [3, 5].",
                "float32|2 4|float32|3 5 6|Expected size for first two dimensions of batch2 tensor to be: [3, 4] but"
                        + " got: [3, 5].",
                "float32|5 2 3 4|float32|2 3 4|Expected size for first two dimensions of batch2 tensor to be: [10, 4]"
                        + " but got: [10, 3].",
                "float32|5 2 3 4|float32|3 4 6|The size of tensor a (2) must match the size of tensor b (3) at"
                        + " non-singleton dimension 1",
                "float16|3|float32|3|dot : expected both vectors to have same dtype, but found Half and Float",
                "bool|3|bool|3|\"dot\" not implemented for 'Bool'",
                "int32|2 3|int64|3|addmv input tensors must have the same dtype, but got Long, Int, and Long",
                "bool|2 3|bool|3|\"addmv_impl_cpu\" not implemented for 'Bool'",
                "float16|2 3|float64|3 2|expected m1 and m2 to have the same dtype, but got: c10::Half != double",
                "uint8|3|int16|3 2|expected m1 and m2 to have the same dtype, but got: unsigned char != short int",
                "int8|2 2 3|int64|3 2|expected m1 and m2 to have the same dtype, but got: signed char != long int",
                "bool|2 3|bool|3 2|\"addmm_impl_cpu_\" not implemented for 'Bool'",
                "float32|2 2 3|float64|2 3 2|expected scalar type Float but found Double",
                "float32|20 20 20|float64|20 20 20|expected scalar type Double but found Float",
                "float32|20 20 20|bool|20 20 20|expected m1 and m2 to have the same dtype, but got: float != bool",
                "bool|3|float32|2 3 2|\"bmm\" not implemented for 'Bool'",
                "bool|20 20 20|bool|20 20 20|\"addmm_impl_cpu_\" not implemented for 'Bool'"
            })
    void whatDoesNotGoTogetherIsRefusedInPyTorchsWords(
            String dtype, String left, String other, String right, String message) {
        LazyTensor a = of(dtype, left == null ? "" : left);
        assertThatThrownBy(() -> a.matmul(of(other, right)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void theStricterProductsSayWhatTheyWant() {
        assertThatThrownBy(() -> range(3).mm(range(3))).hasMessage("self must be a matrix");
        assertThatThrownBy(() -> range(2, 3).mm(range(3))).hasMessage("mat2 must be a matrix");
        assertThatThrownBy(() -> range(2, 3).bmm(range(3))).hasMessage("batch1 must be a 3D tensor");
        assertThatThrownBy(() -> range(1, 2, 3).bmm(range(3))).hasMessage("batch2 must be a 3D tensor");
        assertThatThrownBy(() -> range(1, 2, 3).bmm(range(2, 3, 4)))
                .hasMessage("Expected size for first two dimensions of batch2 tensor to be: [1, 3] but got: [2, 3].");
        assertThatThrownBy(() -> range(3).mv(range(3))).hasMessage("vector + matrix @ vector expected, got 1, 1, 1");
        assertThatThrownBy(() -> range(2, 3).dot(range(3)))
                .hasMessage("1D tensors expected, but got 2D and 1D tensors");
        assertThatThrownBy(() -> range().mv(range(3)))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("Dimension specified as 0 but tensor has no dimensions");
    }

    /** The batches of a transposed operand are no further rows of one matrix, and the error says so. */
    @Test
    void theErrorDependsOnTheLayoutAsInPyTorch() {
        LazyTensor transposed = range(2, 4, 3).transpose(1, 2);
        assertThatThrownBy(() -> transposed.matmul(range(5, 2)))
                .hasMessage("Expected size for first two dimensions of batch2 tensor to be: [2, 4] but got: [2, 5].");
    }

    @Test
    void ofNoElementsEveryDtypeIsTakenAsInPyTorch() {
        LazyTensor none = of("bool", "2 0").matmul(of("bool", "0 3"));
        assertThat(none.dtype()).isEqualTo(DType.BOOL);
        assertThat(none.compute().values()).containsOnly(false).hasSize(6);
        assertThat(of("float32", "2 2 0").matmul(of("int16", "2 0 3")).dtype()).isEqualTo(DType.INT16);
        assertThatThrownBy(() -> of("float32", "2 0").matmul(of("int16", "0 3")))
                .hasMessage("expected m1 and m2 to have the same dtype, but got: float != short int");
    }

    @Test
    void theNodeCanBeCutSharedAndSent() throws Exception {
        LazyTensor x = range(4, 3);
        LazyTensor y = range(3, 2);
        Contraction whole = (Contraction) Products.matmul(x.expr(), y.expr());
        assertThat(whole.dims()).containsExactly(1);
        Contraction firstRows = (Contraction)
                whole.withChildren(List.of(x.narrow(0, 0, 1).unsqueeze(2).expr(), whole.right()));
        assertThat(firstRows.shape()).isEqualTo(Shape.of(1, 2));
        Expr twice = x.matmul(y).add(x.matmul(y)).expr();
        assertThat(Simplifier.simplify(twice).children().get(0))
                .isSameAs(Simplifier.simplify(twice).children().get(1));
        Expr named = Products.matmul(Input.of("x", DType.INT8, Shape.of(2, 3)), Input.of("y", DType.INT8, Shape.of(3)));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(named);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Contraction back = (Contraction) in.readObject();
            assertThat(back.shape()).isEqualTo(Shape.of(2));
            assertThat(back.dims()).containsExactly(1);
        }
    }

    @Test
    void textHasTheOperatorAndTheFunctions() {
        Map<String, Tensor> names =
                Map.of("a", range(2, 3).compute(), "b", range(3, 2).compute(), "v", range(3).compute());
        assertThat(LazyTensor.eval("a @ b", names).compute().values()).containsExactly(10.0, 13.0, 28.0, 40.0);
        assertThat(LazyTensor.eval("1 + 2 * a @ b", names).compute().values()).containsExactly(21.0, 27.0, 57.0, 81.0);
        assertThat(LazyTensor.eval("a @ b @ a.mv(v)", names).compute().values())
                .containsExactly(10 * 5.0 + 13 * 14, 28 * 5.0 + 40 * 14);
        assertThat(LazyTensor.eval("matmul(a, b) - a.mm(mat2=b)", names)
                        .compute()
                        .values())
                .containsOnly(0.0);
        assertThat(LazyTensor.eval("dot(v, v) + bmm(a[None], b[None])", names)
                        .compute()
                        .shape())
                .isEqualTo(Shape.of(1, 2, 2));
        assertThatThrownBy(() -> LazyTensor.eval("1 + a @ a", names))
                .hasMessageStartingWith("mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)")
                .hasMessageMatching("(?s).*\n *1 \\+ a @ a\n +\\^");
        assertThatThrownBy(() -> LazyTensor.eval("matmul(a, 2)", names))
                .hasMessageContaining("both arguments to matmul need to be at least 1D, but they are 2D and 0D");
    }

    @Test
    void explainSaysWhatIsMultiplied() {
        assertThat(range(2, 3).add(1).matmul(range(3, 2)).explain())
                .contains("contract over [1] float32[2, 2]")
                .contains("contract(…, …, dim=[1]) of float32[2, 3, 1] and float32[1, 3, 2]: products of matrices, 3"
                        + " terms each");
    }
}
