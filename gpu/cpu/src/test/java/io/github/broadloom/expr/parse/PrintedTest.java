package io.github.broadloom.expr.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Filter;
import io.github.broadloom.expr.Input;
import io.github.broadloom.expr.MaskOps;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PrintedTest {
    private static final Map<String, Expr> INPUTS = Map.of(
            "x", Input.of("x", DType.FLOAT32, Shape.of(2, 3)),
            "y", Input.of("y", DType.FLOAT32, Shape.of(3, 4)));

    private static Expr read(String text) {
        return ExprParser.parse(text, INPUTS);
    }

    private static List<Object> values(Expr expr) {
        Expr bound = expr.mapInputs(
                input -> Input.of(Tensors.arange(-2.0, input.shape().numel() - 2, 1.0)
                        .reshape(input.shape().toArray())));
        return Devices.backend(Device.CPU).evaluate(bound).values();
    }

    static Stream<String> oneOfEachKind() {
        return Stream.of(
                "x",
                "(-2.5)",
                "where((x > 0), sqrt(x), (-x))",
                "float16((x + 1))",
                "std(x, dim=[0, 1], keepdim=True, correction=0.0)",
                "quantile(x, 0.5, dim=1, interpolation='lower')",
                "norm(x, 'nuc')",
                "topk(x, 2, dim=0)",
                "topk(x, 2, 1, largest=False).indices",
                "sort(x, 0).values[0]",
                "argsort(x, descending=True)",
                "kthvalue(x, 2, 0, keepdim=True).indices[:, 1]",
                "median(x, 1).indices",
                "median(x, 0).values[1]",
                "sum(x, dim=0).unsqueeze(1)",
                "cumsum(y, dim=0)[1:3:2].permute((1, 0)).flip((0)).reshape((2, 2))",
                "cat((x, exp(x),), 0)",
                "(x @ y)",
                "y.unfold(0, 2, 1)",
                "take_along_dim(x, argsort(x, 1), dim=1)",
                "x[argsort(x[:, 0]), argsort(x[0])[:2]]",
                "isin(x, cat((" + "y, ".repeat(6) + "), 0))",
                "bucketize(x, sort(cat((" + "y, ".repeat(6) + "), 0).reshape(72), 0), right=True)",
                "searchsorted(sort(cat((" + "y, ".repeat(17) + "), 1), 1), y)",
                "groupby_reduce(x, int64((x > 0)), 2, dim=1, func='max')",
                "groupby_reduce(x, int64((x > 0)), 2, dim=0, func='quantile', q=0.25)");
    }

    @ParameterizedTest
    @MethodSource("oneOfEachKind")
    void everyKindOfNodeIsPrintedAsWhatReadsBack(String text) {
        Expr expr = read(text);
        Expr again = read(Printed.of(expr));
        assertThat(again.dtype()).isEqualTo(expr.dtype());
        assertThat(values(again)).isEqualTo(values(expr));
    }

    @ParameterizedTest
    @MethodSource("oneOfEachKind")
    void everyKindOfNodeTravels(String text) throws IOException, ClassNotFoundException {
        Expr expr = read(text);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(expr);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(Printed.of((Expr) in.readObject())).isEqualTo(Printed.of(expr));
        }
    }

    @Test
    void noKindOfNodeIsLeftOut() {
        Set<Class<?>> seen = oneOfEachKind()
                .flatMap(text -> read(text).postOrder().stream())
                .map(Object::getClass)
                .collect(Collectors.toSet());
        seen.add(Filter.class); // which no text alone is: how many rows it has was counted
        assertThat(seen).containsExactlyInAnyOrderElementsOf(kinds(Expr.class).toList());
    }

    @Test
    void whatAMaskPicksIsPrintedAsIndexing() {
        Expr mask = read("x[:, 0] > 0");
        Expr picked = MaskOps.rows(read("x"), mask, count -> Tensors.scalar(1L));
        assertThat(Printed.of(picked)).isEqualTo("x[" + Printed.of(mask) + "]");
        assertThat(picked.shape().size(0)).isEqualTo(1);
    }

    private static Stream<Class<?>> kinds(Class<?> type) {
        return type.isSealed() ? Stream.of(type.getPermittedSubclasses()).flatMap(PrintedTest::kinds) : Stream.of(type);
    }
}
