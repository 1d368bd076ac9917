package io.github.broadloom.cpu.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.device.Backend;
import io.github.broadloom.device.Devices;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Input;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sums of parts of products, in any order, come to the product of the whole. */
class ContractionFoldTest {
    private static final Backend CPU = Devices.backend(Device.CPU);

    private static Contraction product(Tensor left, Tensor right, int... dims) {
        return (Contraction) Expr.contract(Input.of(left), Input.of(right), dims);
    }

    private static Tensor random(long seed, long... sizes) {
        float[] values = new float[(int) Shape.of(sizes).numel()];
        Random random = new Random(seed);
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextFloat() - 0.5f;
        }
        return Tensors.copyOf(values, sizes);
    }

    @ParameterizedTest
    @CsvSource({"3000, 256", "3000, 512", "3000, 768", "3000, 2560", "2048, 256", "255, 256", "257, 256"})
    void theCutsAndTheOrderDoNotMatter(int places, int step) {
        Tensor left = random(1, places, 4, 1);
        Tensor right = random(2, places, 1, 3);
        Contraction whole = product(left, right, 0);
        List<FoldNode> nodes = new ArrayList<>();
        for (int first = 0; first < places; first += step) {
            int length = Math.min(step, places - first);
            Contraction part = product(left.narrow(0, first, length), right.narrow(0, first, length), 0);
            nodes.addAll(ContractionFold.partials(CPU, part, first));
        }
        Collections.shuffle(nodes, new Random(places + step));
        ContractionFold fold = new ContractionFold(whole);
        nodes.forEach(fold::push);
        assertThat(fold.finish().toFloatArray()).isEqualTo(CPU.evaluate(whole).toFloatArray());
    }

    @Test
    void indicesOfSeveralProductsEachBeginAPanelWhereTheySay() {
        assertThat(ContractionFold.alignment(product(random(1, 900, 3, 2), random(2, 900, 3, 2), 0, 1)))
                .isEqualTo(256);
        assertThat(ContractionFold.alignment(product(random(1, 900, 4, 2), random(2, 900, 4, 2), 0, 1)))
                .isEqualTo(64);
        assertThat(ContractionFold.alignment(product(random(1, 9, 512, 2), random(2, 9, 512, 2), 0, 1)))
                .isEqualTo(1);
    }

    @Test
    void aMissingPanelIsNamed() {
        Tensor x = random(1, 600, 2);
        ContractionFold fold = new ContractionFold(product(x, x, 0));
        ContractionFold.partials(CPU, product(x.narrow(0, 0, 256), x.narrow(0, 0, 256), 0), 0)
                .forEach(fold::push);
        assertThatThrownBy(fold::finish)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Cannot finish reduction: panel 1 of 3 is missing; push every chunk");
    }

    @Test
    void noProductsAreZero() {
        Tensor empty = Tensors.empty(DType.INT8, Shape.of(0, 2));
        assertThat(new ContractionFold(product(empty, empty, 0)).finish().toByteArray())
                .containsExactly(0, 0);
    }
}
