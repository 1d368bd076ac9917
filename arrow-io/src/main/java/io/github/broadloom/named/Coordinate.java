package io.github.broadloom.named;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.netcdf.CfTime;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Device;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that stand along a dimension, one for each index: degrees, metres, labels of groups. By the CF conventions they are times, where the attribute {@code units} says {@code
 * hours since 1900-01-01}, and mean words, where {@code flag_values} and {@code flag_meanings} say which.
 *
 * <p>A value: small, of this machine, and never changed.
 */
public final class Coordinate {
    private static final Map<String, ToIntFunction<CfTime.Date>> PARTS = new LinkedHashMap<>();

    static {
        PARTS.put("year", CfTime.Date::year);
        PARTS.put("month", CfTime.Date::month);
        PARTS.put("day", CfTime.Date::day);
        PARTS.put("hour", CfTime.Date::hour);
        PARTS.put("dayofyear", CfTime.Date::dayOfYear);
        PARTS.put("season", CfTime.Date::season);
    }

    private final String name;
    private final Tensor values;
    private final Map<String, Object> attributes;
    private final @Nullable CfTime time;
    /** What tells indices apart: the numbers, or of times their milliseconds, so that rounding and units do not matter. */
    private final double[] keys;

    private Coordinate(String name, Tensor values, Map<String, Object> attributes) {
        this.name = name;
        this.values = values;
        this.attributes = attributes;
        this.keys = values.to(DType.FLOAT64).toDoubleArray();
        CfTime times = null;
        try {
            times = isTime() ? time() : null;
        } catch (IllegalArgumentException e) {
            // They stay numbers; who asks for dates is told why.
        }
        this.time = times;
        if (times != null) {
            CfTime known = times;
            Arrays.setAll(keys, i -> Double.isFinite(keys[i]) ? known.millis(keys[i]) : Double.NaN);
        }
    }

    /**
     * Numbers that stand along a dimension.
     *
     * @param name of the dimension
     * @param values of any dtype, a vector; it is copied
     * @param attributes numbers, texts and lists of these, by name
     * @throws IllegalArgumentException where values are no vector
     */
    public static Coordinate of(String name, Tensor values, Map<String, Object> attributes) {
        if (values.rank() != 1) {
            throw new IllegalArgumentException("Cannot make coordinate \"" + name + "\" of shape " + values.shape()
                    + ": give a vector, with a number for each index");
        }
        return new Coordinate(
                name, values.to(Device.CPU).copy(), Collections.unmodifiableMap(new LinkedHashMap<>(attributes)));
    }

    /** Numbers without attributes. */
    public static Coordinate of(String name, Tensor values) {
        return of(name, values, Map.of());
    }

    private String units() {
        return String.valueOf(attributes.get("units"));
    }

    private boolean isTime() {
        return units().contains(" since ");
    }

    private CfTime time() {
        return CfTime.of(units(), String.valueOf(attributes.getOrDefault("calendar", "standard")));
    }

    public String name() {
        return name;
    }

    public int size() {
        return keys.length;
    }

    /** A vector, to be read, not written. */
    public Tensor values() {
        return values;
    }

    public Map<String, Object> attributes() {
        return attributes;
    }

    /** The same under another name. */
    public Coordinate renamed(String other) {
        return new Coordinate(other, values, attributes);
    }

    /** What a slice takes of it. */
    public Coordinate slice(Slice slice) {
        return new Coordinate(
                name, values.slice(0, slice.start(), slice.stop(), slice.step()).copy(), attributes);
    }

    /**
     * The index of a value.
     *
     * @param value a Number; of times also a text or one of {@code java.time}, which names the only time in it, {@code 2001-07-31}; of flags also their meaning
     * @throws IllegalArgumentException where no index has it, naming the nearest one that has, or several have
     */
    public int index(Object value) {
        Span span = span(value);
        int[] found = indices(span);
        if (found.length > 1) {
            throw new IllegalArgumentException(cannotSelect(value) + found.length + " indices have it, the first "
                    + label(found[0]) + " and the last " + label(found[found.length - 1])
                    + "; select a range, sel(\"" + name + "\", first, last)");
        }
        if (found.length == 0) {
            int nearest = nearest(value);
            throw new IllegalArgumentException(cannotSelect(value) + "the nearest is " + label(nearest) + ", at index "
                    + nearest + ", which selNearest takes");
        }
        return found[0];
    }

    /**
     * The index of the value that is nearest to another; of two the greater one, as pandas has it.
     *
     * @param value as {@link #index} takes it; of a stretch of time its beginning
     * @throws IllegalArgumentException where there are no numbers
     */
    public int nearest(Object value) {
        double wanted = span(value).first();
        int best = -1;
        for (int i = 0; i < keys.length; i++) {
            double distance = Math.abs(keys[i] - wanted);
            double least = best < 0 ? Double.POSITIVE_INFINITY : Math.abs(keys[best] - wanted);
            if (distance < least || best >= 0 && distance == least && keys[i] > keys[best]) {
                best = i;
            }
        }
        if (best < 0) {
            throw new IllegalArgumentException(cannotSelect(value) + "no index has a number");
        }
        return best;
    }

    /**
     * The indices of the values from one to another, both included, whether values ascend or descend.
     *
     * @param from as {@link #index} takes it; null for no bound
     * @param to of a stretch of time its end is meant; null for no bound
     * @throws IllegalArgumentException where no index has such a value, or others lie between those that have
     */
    public Slice range(@Nullable Object from, @Nullable Object to) {
        Span all = new Span(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
        Span first = from == null ? all : span(from);
        Span last = to == null ? all : span(to);
        boolean turned = from != null && to != null && first.first() > last.last();
        Span between = turned ? new Span(last.first(), first.last()) : new Span(first.first(), last.last());
        int[] found = indices(between);
        String what = (from == null ? "" : from) + ":" + (to == null ? "" : to);
        if (found.length == 0) {
            String range = keys.length == 0 ? "it has no index" : "it has values from " + ends(" to ");
            throw new IllegalArgumentException(cannotSelect(what) + range);
        }
        int end = found[found.length - 1] + 1;
        if (end - found[0] != found.length) {
            throw new IllegalArgumentException(
                    cannotSelect(what) + "its values neither ascend nor descend, and others lie between");
        }
        return Slice.of(found[0], end);
    }

    /** What is looked for: keys from one to another. */
    private record Span(double first, double last) {}

    private int[] indices(Span span) {
        return IntStream.range(0, keys.length)
                .filter(i -> keys[i] >= span.first() && keys[i] <= span.last())
                .toArray();
    }

    private String cannotSelect(Object value) {
        return "Cannot select " + value + " from \"" + name + "\": ";
    }

    private Span span(Object value) {
        if (value instanceof Number number) {
            // 45.2 means the float that is written so.
            double rounded =
                    isFloating() ? Tensors.scalar(number, values.dtype()).getDouble() : number.doubleValue();
            double key = time == null ? rounded : time.millis(rounded);
            return new Span(key, key);
        }
        String text = value.toString();
        if (time != null) {
            CfTime.Period period = time.period(text);
            return new Span(period.first(), period.last());
        }
        int flag = meanings().indexOf(text);
        if (flag < 0) {
            throw new IllegalArgumentException(
                    cannotSelect(text) + (meanings().isEmpty() ? "it has numbers" : "it has " + meanings()));
        }
        double key = flagValues().get(flag);
        return new Span(key, key);
    }

    private boolean isFloating() {
        return values.dtype().isFloatingPoint();
    }

    private List<String> meanings() {
        Object meanings = attributes.get("flag_meanings");
        List<String> words = meanings == null
                ? List.of()
                : List.of(meanings.toString().strip().split("\\s+"));
        return words.size() == flagValues().size() ? words : List.of();
    }

    private List<Double> flagValues() {
        return attributes.get("flag_values") instanceof List<?> list
                        && list.stream().allMatch(Number.class::isInstance)
                ? list.stream().map(value -> ((Number) value).doubleValue()).toList()
                : List.of();
    }

    /** The value at an index, for people: a number, a date or a word. */
    public String label(int index) {
        if (time != null) {
            return Double.isNaN(keys[index])
                    ? "NaT"
                    : time.date((long) keys[index]).toString();
        }
        int flag = flagValues().indexOf(keys[index]);
        if (flag >= 0 && !meanings().isEmpty()) {
            return meanings().get(flag);
        }
        boolean narrow = isFloating() && values.dtype() != DType.FLOAT64;
        return narrow ? Float.toString((float) keys[index]) : String.valueOf(values.get(index));
    }

    private String ends(String between) {
        return keys.length == 1 ? label(0) : label(0) + between + label(keys.length - 1);
    }

    /**
     * A part of the date at each index, int64: {@code year}, {@code month}, {@code day}, {@code hour}, {@code dayofyear}, counted as in dates, or {@code season}, whose flags are {@link
     * CfTime#SEASONS}. It is named as the part.
     *
     * @throws IllegalArgumentException where these are no times, one of them is none, or there is no such part
     */
    public Coordinate dt(String part) {
        ToIntFunction<CfTime.Date> of = PARTS.get(part);
        String cannot = "Cannot take \"" + part + "\" of \"" + name + "\": ";
        if (of == null) {
            throw new IllegalArgumentException(cannot + "dates have " + String.join(", ", PARTS.keySet()));
        }
        CfTime dates = dates(cannot);
        long[] parts = Arrays.stream(keys)
                .mapToLong(key -> of.applyAsInt(dates.date((long) key)))
                .toArray();
        Map<String, Object> flags = part.equals("season")
                ? Map.of("flag_values", List.of(0, 1, 2, 3), "flag_meanings", String.join(" ", CfTime.SEASONS))
                : Map.of();
        return new Coordinate(part, Tensors.copyOf(parts, parts.length), flags);
    }

    /** How all of them are times. */
    private CfTime dates(String cannot) {
        if (!isTime()) {
            throw new IllegalArgumentException(
                    cannot + "it has no dates; they need units such as 'hours since 1900-01-01'");
        }
        CfTime dates = time();
        for (int i = 0; i < keys.length; i++) {
            if (Double.isNaN(keys[i])) {
                throw new IllegalArgumentException(cannot + "at index " + i + " there is no time");
            }
        }
        return dates;
    }

    /**
     * Where stretches of time begin that follow each other from the earliest of these times to the latest, also those in which there is none: ascending, under this name and in these units.
     *
     * @param every how long they are: {@code 6h}, {@code 1D}, {@code MS} for months, as {@link CfTime#starts} has it
     * @throws IllegalArgumentException where these are no times, one of them is none, or that is no length of time
     */
    public Coordinate starts(String every) {
        CfTime dates = dates("Cannot cut \"" + name + "\" every \"" + every + "\": ");
        long first = (long) Arrays.stream(keys).min().orElse(0);
        long last = (long) Arrays.stream(keys).max().orElse(-1);
        double[] starts = Arrays.stream(dates.starts(every, first, last))
                .mapToDouble(dates::value)
                .toArray();
        Tensor numbers = Tensors.copyOf(starts, starts.length);
        boolean whole = Arrays.stream(starts).allMatch(start -> start == Math.rint(start));
        return new Coordinate(name, whole ? numbers.to(DType.INT64) : numbers, attributes);
    }

    /**
     * For each value the greatest of others that is no greater.
     *
     * @param starts which ascend, the first no greater than any value
     */
    public Coordinate floor(Coordinate starts) {
        Tensor floors = Tensors.empty(starts.values.dtype(), values.shape());
        for (int i = 0; i < keys.length; i++) {
            int at = Arrays.binarySearch(starts.keys, keys[i]);
            floors.set(starts.values.get(at >= 0 ? at : -at - 2), i);
        }
        return new Coordinate(name, floors, starts.attributes);
    }

    /** The values that there are, ascending, each once; NaN is none. */
    public Coordinate distinct() {
        int[] first = IntStream.range(0, keys.length)
                .filter(i -> !Double.isNaN(keys[i]))
                .boxed()
                .sorted((i, j) -> Double.compare(keys[i] + 0.0, keys[j] + 0.0))
                .mapToInt(Integer::intValue)
                .toArray();
        Tensor picked = Tensors.empty(values.dtype(), values.shape().with(0, first.length));
        int count = 0;
        for (int i = 0; i < first.length; i++) {
            if (i == 0 || keys[first[i]] != keys[first[i - 1]]) {
                picked.set(values.get(first[i]), count++);
            }
        }
        return new Coordinate(name, picked.narrow(0, 0, count).copy(), attributes);
    }

    /** Where each value stands in another coordinate, which has each once; -1 where it does not. */
    public long[] placesIn(Coordinate other) {
        Map<Double, Integer> places = new HashMap<>();
        for (int i = 0; i < other.keys.length; i++) {
            places.put(other.keys[i] + 0.0, i); // of -0.0, too
        }
        places.remove(Double.NaN);
        return Arrays.stream(keys)
                .mapToLong(key -> places.getOrDefault(key + 0.0, -1))
                .toArray();
    }

    /** Where this and another coordinate of as many indices differ first, as half a sentence; empty where they are equal, in whatever units. */
    public Optional<String> difference(Coordinate other) {
        boolean times = time != null && other.time != null;
        if (time != null && other.time != null && !time.calendar().equals(other.time.calendar())) {
            return Optional.of("they are dates of different calendars");
        }
        double[] here = times ? keys : values.to(DType.FLOAT64).toDoubleArray();
        double[] there = times ? other.keys : other.values.to(DType.FLOAT64).toDoubleArray();
        return IntStream.range(0, keys.length)
                .filter(i -> Double.compare(here[i] + 0.0, there[i] + 0.0) != 0)
                .mapToObj(i -> "at index " + i + " one has " + label(i) + ", the other " + other.label(i))
                .findFirst();
    }

    /** Its name, dtype, and first and last value, in the words of xarray. */
    @Override
    public String toString() {
        return "* " + name + " (" + name + ") " + values.dtype() + (keys.length == 0 ? "" : " " + ends(" ... "));
    }
}
