package io.github.broadloom.tools.commands;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.read.StoredSources;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.ArrayFormats;
import io.github.broadloom.format.LocalStore;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.session.Locations;
import io.github.broadloom.tools.session.Sessions;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which indices of the leading dimension go together, for the tools that want to know, and what is made of them. */
final class TimeOptions {
    @Option(
            names = "--by",
            paramLabel = "WHAT",
            defaultValue = "MONTH",
            description = "What times have in common: ${COMPLETION-CANDIDATES} (default: month).")
    private TimeGroups.By by = TimeGroups.By.MONTH;

    @Option(
            names = "--time",
            paramLabel = "KEY",
            description = "The array of times beside FILE's (default: that with the name of the first dimension).")
    private @Nullable String time;

    @Option(
            names = "--period",
            paramLabel = "N",
            description = "In the place of times: every N-th index belongs together, as in 12 months of a year.")
    private @Nullable Integer period;

    /** Whether the coordinate of the last dimension but one, if it has one, ascends, as latitudes that run north do. */
    static boolean isNorthward(String input, Sessions.Session session) throws IOException {
        Address address = Address.of(input);
        if (Address.isPattern(address.path())) {
            return false;
        }
        Store store = store(address, session);
        StoredArray array = ArrayFormats.open(store, address.key());
        int rank = array.shape().rank();
        if (rank < 2 || array.dimensions().size() != rank) {
            return false;
        }
        try {
            StoredArray rows =
                    ArrayFormats.open(store, array.beside(array.dimensions().get(rank - 2)));
            double[] values = rows.reader()
                    .read(Box.whole(rows.shape()))
                    .to(DType.FLOAT64)
                    .contiguous()
                    .toDoubleArray();
            return values.length > 1 && values[0] < values[values.length - 1];
        } catch (TensorFormatException none) {
            return false;
        }
    }

    private static Store store(Address address, Sessions.Session session) throws IOException {
        return Locations.isLocal(address.path())
                ? LocalStore.of(Path.of(address.path()))
                : StoredSources.store(
                        Location.of(address.path(), session.spark().sparkContext()));
    }

    TimeGroups groups(String input, DistributedTensor x, Sessions.Session session) throws IOException {
        if (x.shape().rank() == 0) {
            throw new UserError("Cannot group the times of " + input + ": it is a scalar");
        }
        if (period != null) {
            if (period < 1) {
                throw new UserError("Cannot group by a period of " + period + "; give 1 or more");
            }
            return TimeGroups.ofPeriod(x.shape().size(0), period);
        }
        Address address = Address.of(input);
        if (Address.isPattern(address.path())) {
            throw new UserError(
                    "Cannot tell the times of several files; convert them to one store before, or give --period");
        }
        try {
            return TimeGroups.of(store(address, session), address.key().replaceFirst("\\?decode$", ""), time, by);
        } catch (IllegalArgumentException e) {
            throw new UserError(String.valueOf(e.getMessage()), e);
        }
    }

    /** The mean of each group, without what is NaN; of integers in float64. */
    static DistributedTensor means(DistributedTensor x, TimeGroups groups) {
        return floating(x).groupBy(groups.labels(), groups.groups(), 0).reduce("nanmean");
    }

    /** What there is beyond the mean of its group. */
    static DistributedTensor anomalies(DistributedTensor x, DistributedTensor means, TimeGroups groups) {
        Shape lying = Shape.ones(x.shape().rank()).with(0, groups.labels().numel());
        return floating(x).sub(means.takeAlongDim(groups.labels().view(lying.toArray()), 0));
    }

    private static DistributedTensor floating(DistributedTensor x) {
        return x.dtype().isFloatingPoint() ? x : x.to(DType.FLOAT64);
    }
}
