package io.github.broadloom.spark;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.formats.FileFormats;
import io.github.broadloom.exec.read.StoredSources;
import io.github.broadloom.exec.write.ZarrGroup;
import io.github.broadloom.expr.fluent.NamedTensor;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.ArrayFormat;
import io.github.broadloom.format.ArrayFormats;
import io.github.broadloom.format.FlatFile;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.named.Coordinate;
import io.github.broadloom.netcdf.CfDecoding;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tensors with names in the files that keep them. */
final class NamedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(NamedFiles.class);

    private NamedFiles() {}

    static NamedTensor<DistributedTensor> read(Broadloom broadloom, String address) throws IOException {
        Address found = Address.of(address);
        String remedy = "; read(...) it, and give it names with named(...)";
        if (Address.isPattern(found.path())) {
            throw TensorFormatException.cannotRead(address, "names are those of one file" + remedy);
        }
        Location location = Location.of(found.path(), broadloom.context());
        location.checkExists();
        Store store = StoredSources.store(location);
        ArrayFormat format = ArrayFormats.known(store);
        StoredArray array = ArrayFormats.open(format, store, found.key());
        List<String> dims = array.dimensions();
        if (dims.size() != array.shape().rank()) {
            throw TensorFormatException.cannotRead(address, "its dimensions have no names" + remedy);
        }
        DistributedTensor tensor = broadloom.of(StoredSources.of(location.fileName(), array, broadloom.settings()));
        NamedTensor<DistributedTensor> named = tensor.named(dims.toArray(String[]::new));
        List<String> keys = format.keys(store);
        for (int d = 0; d < dims.size(); d++) {
            String key = array.beside(dims.get(d));
            Optional<StoredArray> beside = keys.contains(key) ? numbers(format, store, key) : Optional.empty();
            if (beside.isPresent() && beside.get().shape().equals(array.shape().dims(d, d + 1))) {
                named = named.withCoordinate(coordinate(dims.get(d), beside.get()));
            }
        }
        return named;
    }

    /** Empty for texts and what else there is no dtype for: indices are found by numbers. */
    private static Optional<StoredArray> numbers(ArrayFormat format, Store store, String key) throws IOException {
        try {
            return Optional.of(CfDecoding.decode(format.open(store, key)));
        } catch (TensorFormatException e) {
            LOG.info("Left a coordinate out: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private static Coordinate coordinate(String dim, StoredArray array) throws IOException {
        return Coordinate.of(dim, array.reader().read(Box.whole(array.shape())), array.attributes());
    }

    static void write(NamedTensor<DistributedTensor> x, String address, WriteMode mode, ZarrOptions options)
            throws IOException {
        Address target = Address.of(address);
        if (!FileFormats.ofNew(address).name().equals("zarr")) {
            throw TensorFormatException.cannotWrite(
                    address, "names are written to Zarr alone; name it .zarr, or write tensor()");
        }
        ZarrOptions named = options.withDimensions(x.dims());
        ZarrGroup group =
                new ZarrGroup(target.keyOr(FlatFile.NAME), x.coordinates().values(), named);
        x.tensor().writeZarr(target.path(), mode, named, group);
    }
}
