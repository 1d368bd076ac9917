package io.github.broadloom.tools.commands;

import io.github.broadloom.format.Address;
import io.github.broadloom.io.Npz;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.session.Locations;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An elevation grid: metres, rows running south and columns running east.
 *
 * @param metres [H,W], any dtype
 * @param cellMetres the distance of neighbours, where the file tells it
 */
record Elevation(Tensor metres, String name, Optional<Double> cellMetres) {
    /** The default input, carried on the class path: see the README beside it. */
    private static final String CARRIED = "/data/jacksboro_fault_dem.npz";

    private static final String DEFAULT_KEY = "elevation";
    private static final double METRES_PER_DEGREE = 111_320;

    /** The Jacksboro fault, Tennessee: int16 [344, 403], 3 seconds of arc. */
    static Elevation jacksboro() throws IOException {
        Reader reader = key -> {
            try (InputStream stream = Elevation.class.getResourceAsStream(CARRIED)) {
                if (stream == null) {
                    throw new IOException("Cannot find " + CARRIED + " on the class path; give --input FILE");
                }
                return Npz.read(stream, key, "jacksboro_fault_dem.npz");
            }
        };
        return new Elevation(reader.read(DEFAULT_KEY), "Jacksboro fault, Tennessee", Optional.of(cellMetres(reader)));
    }

    /** Reads {@code FILE.npy}, {@code FILE.npz:KEY}, or the array {@code elevation} or the only one of {@code FILE.npz}. */
    static Elevation read(String input) throws IOException {
        Locations.checkPresent(input);
        Address address = Address.of(input);
        if (!address.path().endsWith(".npz")) {
            return new Elevation(address.read(), input, Optional.empty());
        }
        Path file = Path.of(address.path());
        List<String> keys = Npz.keys(file);
        String key = address.key().isEmpty() ? chosen(file, keys) : address.key();
        Reader reader = name -> Npz.read(file, name);
        boolean geographic = keys.containsAll(Set.of("dx", "dy", "ymin", "ymax"));
        return new Elevation(
                reader.read(key),
                file.getFileName() + " (" + key + ")",
                geographic ? Optional.of(cellMetres(reader)) : Optional.empty());
    }

    /** One array of the file by its key. */
    private interface Reader {
        Tensor read(String key) throws IOException;

        default double number(String key) throws IOException {
            return ((Number) read(key).item()).doubleValue();
        }
    }

    private static String chosen(Path file, List<String> keys) {
        if (keys.contains(DEFAULT_KEY)) {
            return DEFAULT_KEY;
        }
        if (keys.size() == 1) {
            return keys.get(0);
        }
        throw new UserError("Cannot choose an array of " + file + ": it holds " + String.join(", ", keys)
                + "; name one as " + file + ":KEY");
    }

    /**
     * A degree of longitude shrinks with the latitude, a degree of latitude does not; the formula knows one cell size,
     * so it gets the side of the square that covers as much ground.
     */
    private static double cellMetres(Reader reader) throws IOException {
        double latitude = Math.toRadians((reader.number("ymin") + reader.number("ymax")) / 2);
        double width = reader.number("dx") * METRES_PER_DEGREE * Math.cos(latitude);
        double height = reader.number("dy") * METRES_PER_DEGREE;
        return Math.sqrt(Math.abs(width * height));
    }
}
