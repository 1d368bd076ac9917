package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.fluent.NamedTensor;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.named.Coordinate;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What names decide; results of whole programs are held against xarray by {@link NamedFilesTest}. */
class NamedTensorTest {
    /** Days from 2001-01-30; the value of day {@code t} and place {@code p} is {@code 10 t + p}. */
    private static Tensor values() {
        return Tensors.copyOf(new double[] {0, 1, 10, 11, 20, 21, 30, 31, 40, 41, 50, 51, 60, 61}, 7, 2);
    }

    private static NamedTensor<DistributedTensor> x(int chunks) {
        Map<String, Object> units = Map.of("units", "days since 2001-01-30");
        return LocalSpark.broadloom()
                .tensor(values(), chunks)
                .named("time", "place")
                .withCoordinate(Coordinate.of("time", Tensors.arange(7), units))
                .withCoordinate("place", Tensors.of(60f, 30f));
    }

    private static NamedTensor<LazyTensor> local(Tensor tensor, String... dims) {
        return LazyTensor.of(tensor).named(dims);
    }

    private static double[] all(NamedTensor<DistributedTensor> x) {
        return x.tensor().collect().to(DType.FLOAT64).toDoubleArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void operandsMeetByNameInTheOrderOfTheLeftOne(int chunks) {
        NamedTensor<LazyTensor> y =
                local(Tensors.of(100f, 200f, 300f, 400f, 500f, 600f).view(3, 2), "level", "place");
        NamedTensor<DistributedTensor> sum =
                x(chunks).isel("time", Slice.from(5)).add(y);
        assertThat(sum.dims()).containsExactly("time", "place", "level");
        assertThat(all(sum)).containsExactly(150, 350, 550, 251, 451, 651, 160, 360, 560, 261, 461, 661);
        assertThat(sum.coordinates().keySet()).containsExactly("time", "place");
        NamedTensor<DistributedTensor> turned =
                x(chunks).transpose().sub(x(chunks)).mul(2).add(Tensors.scalar(1));
        assertThat(turned.dims()).containsExactly("place", "time");
        assertThat(all(turned)).containsOnly(1).hasSize(14);
        NamedTensor<DistributedTensor> masked =
                x(chunks).gt(30).where(x(chunks), x(chunks).amin());
        assertThat(all(masked.sum("time"))).containsExactly(150, 184);
    }

    @Test
    void whatContradictsItselfIsRefusedByName() {
        NamedTensor<DistributedTensor> x = x(2);
        assertThatThrownBy(() -> x.add(x.isel("time", Slice.to(3))))
                .hasMessage("Cannot align dimension \"time\": its sizes are 7 and 3; select what both have");
        assertThatThrownBy(() -> x.add(local(Tensors.zeros(1), "time")))
                .hasMessage("Cannot align dimension \"time\": its sizes are 7 and 1; squeeze(\"time\") the one");
        assertThatThrownBy(() -> x.add(x.withCoordinate("place", Tensors.of(60f, 31f))))
                .hasMessage(
                        "Cannot align dimension \"place\": its coordinates differ, at index 1 one has 30.0, the other"
                                + " 31.0; select what both have, or dropCoordinate(\"place\") of one");
        assertThat(x.add(x.withCoordinate("place", Tensors.of(60f, 31f)).dropCoordinate("place"))
                        .dims())
                .containsExactly("time", "place");
        assertThatThrownBy(() -> x.mul(Tensors.zeros(2)))
                .hasMessage("Cannot mul [time, place] and [2]: the right one's dimensions have no names; give it some,"
                        + " named(...)");
        assertThatThrownBy(() -> x.tensor().mul(x))
                .hasMessage(
                        "Cannot use an operand with names [time, place] here: name the left one, too, named(...), or"
                                + " give its tensor()");
        assertThatThrownBy(() -> x.sum("lat")).hasMessage("Cannot find dimension \"lat\": there are [time, place]");
        assertThatThrownBy(() -> x.tensor().named("time"))
                .hasMessage("Cannot name the dimensions of shape [7, 2] [time]: give 2 names");
        assertThatThrownBy(() -> x.tensor().named("x", "x")).hasMessageContaining("\"x\" stands twice");
        assertThatThrownBy(() -> x.rename("time", "place")).hasMessageContaining("\"place\" stands twice");
        assertThatThrownBy(() -> x.withCoordinate("place", Tensors.of(1, 2, 3)))
                .hasMessage("Cannot set the coordinate of \"place\": it has 3 values, and the dimension 2 indices");
        assertThatThrownBy(() -> x.transpose("time")).hasMessageContaining("name each dimension once");
        assertThatThrownBy(() -> x.squeeze("time")).hasMessageContaining("its size is 7");
        assertThatThrownBy(() -> x.map(t -> t.select(0, 0))).hasMessageContaining("Cannot keep the names of shape");
        assertThatThrownBy(() -> x.dropCoordinate("time").sel("time", "2001"))
                .hasMessageContaining("Cannot find the coordinate of \"time\"");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void groupsHaveTheirOwnDimensionAndGoBackToTheIndices(int chunks) {
        NamedTensor<DistributedTensor> x = x(chunks);
        NamedTensor<DistributedTensor> means = x.groupBy("time.month").mean();
        assertThat(means.dims()).containsExactly("month", "place");
        assertThat(means.coordinate("month").values().toLongArray()).containsExactly(1, 2);
        assertThat(all(means)).containsExactly(5, 6, 40, 41);
        NamedTensor<DistributedTensor> rest = x.groupBy("time.month").sub(means);
        assertThat(rest.dims()).containsExactly("time", "place");
        assertThat(all(rest.sel("place", 30))).containsExactly(-5, 5, -20, -10, 0, 10, 20);
        Coordinate kinds = Coordinate.of("kind", Tensors.of(7, 3, 7, 3, 7, 3, Double.NaN));
        assertThat(all(x.groupBy("time", kinds).max().sel("kind", 7))).containsExactly(40, 41);
        assertThat(all(x.transpose().groupBy("time", kinds).count())).containsExactly(3, 3, 3, 3);
        assertThatThrownBy(() -> x.groupBy("time.month").sub(means.isel("month", Slice.to(1))))
                .hasMessage(
                        "Cannot find group 2 of \"month\", which index 2 of \"time\" belongs to, in the other operand");
        NamedTensor<DistributedTensor> monthly = x.resample("time", "MS").mean();
        assertThat(monthly.dims()).containsExactly("time", "place");
        assertThat(all(x.resample("time", "MS").sub(monthly))).isEqualTo(all(rest));
        assertThatThrownBy(() -> x.resample("time", "MS").sub(monthly.isel("time", Slice.to(1))))
                .hasMessageMatching("Cannot find group .* of \"time\", which index 2 of \"time\" belongs to, in the"
                        + " other operand");
        assertThatThrownBy(() -> x.groupBy("time", kinds.slice(Slice.to(2))))
                .hasMessage("Cannot group dimension \"time\": it has 7 indices, and \"kind\" 2 labels");
        assertThatThrownBy(() -> x.groupBy("time")).hasMessageContaining("\"time.month\", or give labels");
        assertThatThrownBy(() -> x.groupBy("place.month")).hasMessageContaining("it has no dates");
    }

    @Test
    void shapesChangeByName() {
        NamedTensor<DistributedTensor> x = x(2);
        assertThat(x).hasToString("""
                        NamedTensor (time: 7, place: 2) float64
                        Coordinates:
                          * time (time) int64 2001-01-30 ... 2001-02-05
                          * place (place) float32 60.0 ... 30.0""");
        assertThat(x.expandDims("run").transpose("place", "...").squeeze()).hasToString("""
                        NamedTensor (place: 2, time: 7) float64
                        Coordinates:
                          * place (place) float32 60.0 ... 30.0
                          * time (time) int64 2001-01-30 ... 2001-02-05""");
        assertThat(x.rename("place", "lat").isel("time", -1).dropCoordinate("lat"))
                .hasToString("NamedTensor (lat: 2) float64\nDimensions without coordinates: lat");
        assertThat(x.tensor().named("time", "place").tensor()).isSameAs(x.tensor());
        assertThat(x.rename("place", "lat").coordinate("lat").name()).isEqualTo("lat");
        assertThat(all(x.isel("time", Slice.every(3)).diff("time").sel("time", "2001-02-02", null)))
                .containsExactly(30, 30, 30, 30);
        assertThat(x.argmax().dims()).isEmpty();
        assertThat(all(x.reduce(Reduction.ARGMAX, "time"))).containsExactly(6, 6);
    }
}
