package io.github.broadloom.tools.commands;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.ArrayFormat;
import io.github.broadloom.format.ArrayFormats;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.netcdf.CfTime;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.console.UserError;
import java.io.IOException;
import java.time.Month;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The indices of the leading dimension of an array, in groups of times.
 *
 * @param labels int64, the group of each index
 * @param names of the groups
 */
record TimeGroups(Tensor labels, List<String> names) {
    /** What times have in common. */
    enum By {
        MONTH,
        SEASON,
        DAYOFYEAR,
        HOUR,
        YEAR
    }

    /** Every {@code period}-th index. */
    static TimeGroups ofPeriod(long indices, int period) {
        long[] labels = new long[Math.toIntExact(indices)];
        Arrays.setAll(labels, i -> i % period);
        return new TimeGroups(
                Tensors.of(labels),
                IntStream.range(0, period).mapToObj(String::valueOf).toList());
    }

    /**
     * The groups that the coordinate of the leading dimension tells.
     *
     * @param coordinate its key; null for the name of the dimension
     * @throws UserError where there is none, or it counts no times
     */
    static TimeGroups of(Store store, String key, @Nullable String coordinate, By by) throws IOException {
        ArrayFormat format = ArrayFormats.known(store);
        StoredArray array = ArrayFormats.open(format, store, key);
        Address address = new Address(store.name(), key);
        StoredArray times = format.open(store, key(address, array, coordinate));
        Object units = times.attributes().get("units");
        if (times.shape().rank() != 1 || !times.shape().equals(array.shape().dims(0, 1)) || units == null) {
            throw new UserError("Cannot tell the times of " + address + ": its coordinate " + times.key() + " "
                    + times.shape() + " has " + (units == null ? "no units" : "another size")
                    + "; name the right one with --time, or give --period");
        }
        Object calendar = times.attributes().getOrDefault("calendar", "standard");
        CfTime time = CfTime.of(units.toString(), calendar.toString());
        Tensor values = times.reader().read(Box.whole(times.shape())).to(DType.FLOAT64);
        List<CfTime.Date> dates = new ArrayList<>();
        for (double value : values.contiguous().toDoubleArray()) {
            dates.add(time.at(value));
        }
        return of(dates, by);
    }

    private static String key(Address address, StoredArray array, @Nullable String coordinate) {
        if (coordinate != null) {
            return coordinate;
        }
        if (array.dimensions().isEmpty()) {
            throw new UserError("Cannot tell the times of " + address
                    + ": its dimensions have no names; name the array of times with --time, or give --period");
        }
        return array.beside(array.dimensions().get(0));
    }

    private static TimeGroups of(List<CfTime.Date> dates, By by) {
        List<String> names = switch (by) {
            case MONTH ->
                IntStream.rangeClosed(1, 12)
                        .mapToObj(month -> Month.of(month).getDisplayName(TextStyle.SHORT, Locale.ROOT))
                        .toList();
            case SEASON -> CfTime.SEASONS;
            case DAYOFYEAR ->
                IntStream.rangeClosed(1, 366).mapToObj(day -> "day " + day).toList();
            case HOUR -> IntStream.range(0, 24).mapToObj("%02d:00"::formatted).toList();
            case YEAR ->
                dates.stream()
                        .map(CfTime.Date::year)
                        .distinct()
                        .sorted()
                        .map(String::valueOf)
                        .toList();
        };
        long[] labels = dates.stream()
                .mapToLong(date -> switch (by) {
                    case MONTH -> date.month() - 1L;
                    case SEASON -> date.season();
                    case DAYOFYEAR -> date.dayOfYear() - 1L;
                    case HOUR -> date.hour();
                    case YEAR -> names.indexOf(String.valueOf(date.year()));
                })
                .toArray();
        return new TimeGroups(Tensors.of(labels), names);
    }

    long groups() {
        return names.size();
    }
}
