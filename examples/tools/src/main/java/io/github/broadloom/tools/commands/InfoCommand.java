package io.github.broadloom.tools.commands;

import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.read.StoredSources;
import io.github.broadloom.format.Address;
import io.github.broadloom.format.ArrayFormat;
import io.github.broadloom.format.ArrayFormats;
import io.github.broadloom.format.LocalStore;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.TensorFormatException;
import io.github.broadloom.plan.Figures;
import io.github.broadloom.tools.console.ByteSize;
import io.github.broadloom.tools.console.OutputFile;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.picture.ContactSheet;
import io.github.broadloom.tools.session.Locations;
import io.github.broadloom.tools.session.OutputFolder;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.session.SparkOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "info",
        header = "Tells what is in a file or store: arrays, chunks, encodings, attributes, and a picture.",
        description = {
            "Knows npy, npz, Zarr, NetCDF, HDF5, TIFF, PNG, JPEG, folders of pictures and safetensors, by what lies there."
                    + " Reads what describes the arrays, and of the elements no more than the first plane of one: of the array"
                    + " that FILE:KEY names, else of the largest one of two or more dimensions.",
            "What lies on this machine is looked at without Spark."
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} info examples/data/jacksboro_fault_dem.npz",
            "  ${ROOT-COMMAND-NAME} info era5.zarr:temperature --out out/temperature",
            "",
            "Exit codes: 0 done, 1 the work failed, 2 something to mend in the command or the files."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class InfoCommand extends Tool {
    private static final String PICTURE = "first-plane.png";
    private static final int PICTURE_SIDE = 720;
    private static final int LONGEST_VALUE = 100;
    /** Of more files nobody waits for the lengths. */
    private static final int MOST_FILES = 100_000;

    @Parameters(paramLabel = "FILE", description = "A file, a folder or a store, or FILE:KEY for one array of it.")
    private String file;

    @Option(names = "--no-picture", description = "Read no elements, and draw nothing.")
    private boolean withoutPicture;

    @Mixin
    private OutputFolder out;

    @Mixin
    private SparkOptions spark;

    @Override
    public Integer call() throws IOException {
        Address address = Address.of(file);
        Locations.checkInput(file);
        if (!withoutPicture) {
            out.check(List.of(PICTURE));
        }
        if (Locations.isLocal(address.path())) {
            tell(LocalStore.of(Path.of(address.path())), address.key());
            return 0;
        }
        try (Sessions.Session session = spark.start(this)) {
            Location location = Location.of(address.path(), session.spark().sparkContext());
            location.checkExists();
            tell(StoredSources.store(location), address.key());
        }
        return 0;
    }

    private void tell(Store store, String key) throws IOException {
        ArrayFormat format = ArrayFormats.known(store);
        List<String> keys = key.isEmpty() ? format.keys(store) : List.of(key);
        List<StoredArray> arrays = new ArrayList<>();
        console().say("%s: %s, %s, %s", store.name(), format.name(), Figures.count(keys.size(), "array"), size(store));
        for (String each : keys) {
            try {
                StoredArray array = format.open(store, each);
                arrays.add(array);
                console().say("%s", described(array));
            } catch (TensorFormatException refused) { // one that cannot be read says so, and the others follow
                if (keys.size() == 1) {
                    throw refused;
                }
                console().say("  %s: %s", each, String.valueOf(refused.getMessage()));
            }
        }
        if (!withoutPicture) {
            draw(store, arrays);
        }
    }

    private static String described(StoredArray array) {
        StringBuilder text = new StringBuilder("  ");
        text.append(array.key().isEmpty() ? "" : array.key() + "  ")
                .append(array.dtype())
                .append(' ')
                .append(array.shape());
        if (!array.dimensions().isEmpty()) {
            text.append(" (").append(String.join(", ", array.dimensions())).append(')');
        }
        text.append(", ")
                .append(ByteSize.inWords(array.dtype().sizeBytes(array.shape().numel())));
        if (!array.readsAnyBox()) {
            text.append(", chunks ").append(array.chunk());
        }
        text.append(", ").append(array.encoding());
        for (Map.Entry<String, Object> attribute : array.attributes().entrySet()) {
            String value = String.valueOf(attribute.getValue()).replaceAll("\\s+", " ");
            text.append("%n      %s: ".formatted(attribute.getKey()))
                    .append(value.length() > LONGEST_VALUE ? value.substring(0, LONGEST_VALUE) + "…" : value);
        }
        return text.toString();
    }

    /** All that lies there. */
    private static String size(Store store) throws IOException {
        if (!store.isFolder("")) {
            try (var file = store.open("")) {
                return ByteSize.inWords(file.size());
            }
        }
        long bytes = 0;
        int files = 0;
        Deque<String> folders = new ArrayDeque<>(List.of(""));
        while (!folders.isEmpty() && files < MOST_FILES) {
            String folder = folders.pop();
            for (Store.Entry entry : store.list(folder)) {
                if (entry.folder()) {
                    folders.push(folder.isEmpty() ? entry.name() : folder + "/" + entry.name());
                } else {
                    bytes += entry.bytes();
                    files++;
                }
            }
        }
        return (folders.isEmpty() ? "" : "more than ") + ByteSize.inWords(bytes) + " in "
                + Figures.count(files, "file");
    }

    private void draw(Store store, List<StoredArray> arrays) throws IOException {
        @Nullable StoredArray largest = null;
        for (StoredArray array : arrays) {
            boolean larger =
                    largest == null || array.shape().numel() > largest.shape().numel();
            if (FirstPlane.isDrawable(array) && larger) {
                largest = array;
            }
        }
        if (largest == null) {
            return;
        }
        FirstPlane plane = FirstPlane.read(largest);
        String file = store.name().replaceAll("/+$", "").replaceAll(".*/", "");
        String name = largest.key().isEmpty() ? file : largest.key(); // both would not fit above a small picture
        ContactSheet sheet =
                new ContactSheet(name, plane.described(), List.of(plane.picture(PICTURE_SIDE)), List.of(plane.range()));
        out.create();
        Path picture = out.file(PICTURE);
        OutputFile.write(picture, stream -> sheet.writePng(stream));
        console().wrote(picture, plane.described());
    }
}
