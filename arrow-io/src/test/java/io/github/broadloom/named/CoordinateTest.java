package io.github.broadloom.named;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which indices values name, as xarray's {@code sel} and pandas' indexes have it; where these take nothing, or something else than was meant, a sentence. */
class CoordinateTest {
    private final Coordinate lat = Coordinate.of("lat", Tensors.of(60.5f, 50.1f, 40f, 30f));

    /** Every six hours from 2001-01-30: three days. */
    private final Coordinate time =
            Coordinate.of("time", Tensors.arange(0, 72, 6), Map.of("units", "hours since 2001-01-30"));

    @Test
    void anExactValueIsFoundInItsOwnPrecision() {
        assertThat(lat.index(50.1)).isEqualTo(1);
        assertThat(lat.index(40)).isEqualTo(2);
        assertThatThrownBy(() -> lat.index(45.2))
                .hasMessage("Cannot select 45.2 from \"lat\": the nearest is 50.1, at index 1, which selNearest takes");
        assertThatThrownBy(() -> lat.index("north")).hasMessage("Cannot select north from \"lat\": it has numbers");
    }

    @Test
    void theNearestIsFoundAndOfTwoTheGreater() {
        assertThat(lat.nearest(41)).isEqualTo(2);
        assertThat(lat.nearest(35)).isEqualTo(2);
        assertThat(lat.nearest(-90)).isEqualTo(3);
        assertThat(Coordinate.of("x", Tensors.of(Double.NaN, 1, 3)).nearest(2)).isEqualTo(2);
        assertThatThrownBy(() -> Coordinate.of("x", Tensors.of(Double.NaN)).nearest(2))
                .hasMessage("Cannot select 2 from \"x\": no index has a number");
    }

    @Test
    void aRangeHasBothEndsWhicheverWayValuesGo() {
        assertThat(lat.range(30, 50)).isEqualTo(Slice.of(2, 4));
        assertThat(lat.range(50.1, 30)).isEqualTo(Slice.of(1, 4));
        assertThat(lat.range(null, 40)).isEqualTo(Slice.of(2, 4));
        assertThat(lat.range(40, null)).isEqualTo(Slice.of(0, 3));
        assertThatThrownBy(() -> lat.range(61, 70))
                .hasMessage("Cannot select 61:70 from \"lat\": it has values from 60.5 to 30.0");
        assertThatThrownBy(() -> Coordinate.of("x", Tensors.of(1, 5, 2)).range(1, 2))
                .hasMessageContaining("neither ascend nor descend");
    }

    @Test
    void aTextNamesTheOnlyTimeInItOrBoundsARange() {
        assertThat(time.index("2001-01-31 06:00")).isEqualTo(5);
        assertThat(time.index("2001-01-31T06")).isEqualTo(5);
        assertThat(time.index(30)).isEqualTo(5);
        assertThat(time.range("2001-01-31", "2001-01")).isEqualTo(Slice.of(4, 8));
        assertThat(time.range(LocalDate.of(2001, 2, 1), null)).isEqualTo(Slice.of(8, 12));
        assertThat(time.nearest("2001-01-31T04")).isEqualTo(5);
        assertThatThrownBy(() -> time.index("2001-02"))
                .hasMessage("Cannot select 2001-02 from \"time\": 4 indices have it, the first 2001-02-01 and the last"
                        + " 2001-02-01 18:00; select a range, sel(\"time\", first, last)");
        assertThatThrownBy(() -> time.index("2003"))
                .hasMessageContaining("the nearest is 2001-02-01 18:00, at index 11");
        assertThatThrownBy(() -> time.index("2001-02-30")).hasMessageContaining("there is no such date");
        assertThatThrownBy(() -> time.index("yesterday")).hasMessageContaining("write it as 2001, 2001-07");
    }

    @Test
    void timesAreThoseOfTheirCalendarAndEqualInWhateverUnits() {
        Map<String, Object> days = Map.of("units", "days since 2001-01-30");
        Coordinate same = Coordinate.of("time", Tensors.arange(0, 3, 0.25), days);
        assertThat(time.difference(same)).isEmpty();
        Coordinate later = Coordinate.of("time", Tensors.arange(0, 72, 6), Map.of("units", "hours since 2001-01-31"));
        assertThat(time.difference(later)).contains("at index 0 one has 2001-01-30, the other 2001-01-31");
        Map<String, Object> thirty = Map.of("units", "hours since 2001-01-30", "calendar", "360_day");
        Coordinate model = Coordinate.of("time", Tensors.arange(0, 72, 6), thirty);
        assertThat(time.difference(model)).contains("they are dates of different calendars");
        assertThat(model.index("2001-02-01T00")).isEqualTo(4);
        assertThat(time.difference(Coordinate.of("time", Tensors.arange(0, 72, 6))))
                .isEmpty();
    }

    @Test
    void partsOfDatesAreLabels() {
        assertThat(time.dt("month").values().toLongArray()).containsExactly(1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2);
        assertThat(time.dt("dayofyear").distinct().values().toLongArray()).containsExactly(30, 31, 32);
        assertThat(time.dt("hour").placesIn(time.dt("hour").distinct())).startsWith(0, 1, 2, 3, 0);
        Coordinate season = time.dt("season").distinct();
        assertThat(season.label(0)).isEqualTo("DJF");
        assertThat(season.index("DJF")).isZero();
        assertThatThrownBy(() -> season.index("spring"))
                .hasMessage("Cannot select spring from \"season\": it has [DJF, MAM, JJA, SON]");
        assertThatThrownBy(() -> time.dt("moon")).hasMessageContaining("dates have year, month, day, hour");
        assertThatThrownBy(() -> lat.dt("month")).hasMessageContaining("they need units such as");
        Coordinate months = Coordinate.of("time", Tensors.of(1), Map.of("units", "months since 2001-01-01"));
        assertThatThrownBy(() -> months.dt("month")).hasMessageContaining("the unit is none of");
        assertThat(months.index(1)).isZero();
    }

    private static long[] placesAmong(Coordinate times, String every) {
        Coordinate starts = times.starts(every);
        return times.floor(starts).placesIn(starts);
    }

    @Test
    void stretchesOfTimeFollowEachOther() {
        assertThat(time.starts("1D")).hasToString("* time (time) int64 2001-01-30 ... 2001-02-01");
        assertThat(placesAmong(time, "D")).containsExactly(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2);
        assertThat(time.starts("MS").values().toLongArray()).containsExactly(-29 * 24, 2 * 24);
        assertThat(placesAmong(time, "MS")).containsExactly(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
        assertThat(time.starts("YS").label(0)).isEqualTo("2001-01-01");
        assertThat(time.slice(Slice.from(3)).starts("12h"))
                .hasToString("* time (time) int64 2001-01-30 12:00 ... 2001-02-01 12:00");
        Map<String, Object> thirty = Map.of("units", "days since 2000-12-30", "calendar", "360_day");
        Coordinate model = Coordinate.of("time", Tensors.of(0, 1, 61, 400), thirty);
        assertThat(placesAmong(model, "MS")).containsExactly(0, 1, 3, 14);
        assertThat(model.starts("3MS").label(1)).isEqualTo("2001-03-01");
        assertThat(time.slice(Slice.to(0)).starts("D").size()).isZero();
        assertThatThrownBy(() -> time.starts("month"))
                .hasMessage(
                        "Cannot cut times every \"month\": write 30min, 6h, 1D, 7D, MS for months, 3MS or YS for years");
        assertThatThrownBy(() -> time.starts("0h")).hasMessageContaining("write 30min");
        assertThatThrownBy(() -> lat.starts("D")).hasMessageContaining("it has no dates");
    }

    @Test
    void distinctValuesAscendWithoutNaN() {
        Tensor labels = Tensors.of(3, Double.NaN, -1, 3, 0.0, -0.0).to(DType.FLOAT32);
        Coordinate distinct = Coordinate.of("k", labels).distinct();
        assertThat(distinct.values().toFloatArray()).containsExactly(-1, 0, 3);
        assertThat(Coordinate.of("k", labels).placesIn(distinct)).containsExactly(2, -1, 0, 2, 1, 1);
    }

    @Test
    void itSaysWhatItHas() {
        assertThat(time).hasToString("* time (time) int64 2001-01-30 ... 2001-02-01 18:00");
        assertThat(lat.slice(Slice.to(1))).hasToString("* lat (lat) float32 60.5");
        Coordinate flags = Coordinate.of(
                "kind", Tensors.of(2, 1), Map.of("flag_values", List.of(1, 2), "flag_meanings", "sea land"));
        assertThat(flags).hasToString("* kind (kind) int64 land ... sea");
        assertThatThrownBy(() -> Coordinate.of("lat", Tensors.zeros(2, 2)))
                .hasMessage(
                        "Cannot make coordinate \"lat\" of shape [2, 2]: give a vector, with a number for each index");
    }
}
