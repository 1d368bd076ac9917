package io.github.broadloom.tools.commands;

import io.github.broadloom.io.Npy;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.OutputFile;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.console.UserError;
import io.github.broadloom.tools.picture.AnimatedGif;
import io.github.broadloom.tools.picture.ContactSheet;
import io.github.broadloom.tools.picture.GrayImage;
import io.github.broadloom.tools.picture.Palette;
import io.github.broadloom.tools.session.OutputFolder;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.session.SparkOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "hillshade",
        header = "Shades an elevation grid from many directions at once: an array and pictures.",
        description =
                "Broadcasts N light directions [N,1,1] with the slopes [H-2,W-2] of the terrain, distributed over N, and"
                        + " writes hillshade.npy (float32 [N,H-2,W-2]), the contact sheet hillshade.png and the animation"
                        + " hillshade.gif.",
        footer = {
            "  ${ROOT-COMMAND-NAME} hillshade",
            "  ${ROOT-COMMAND-NAME} hillshade --azimuths 36 --altitude 25 --out out/low-sun",
            "  ${ROOT-COMMAND-NAME} hillshade --input dem.npz:elevation --cell 30 --out out/dem",
            "",
            "Exit codes: 0 done, 1 the work failed, 2 something to mend in the command or the files."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class HillshadeCommand extends Tool {
    private static final double DEFAULT_CELL_METRES = 30;
    private static final int MOST_AZIMUTHS = 3600;
    private static final int SHEET_SIDE_PIXELS = 1680;
    private static final int LARGEST_PICTURE_PIXELS = 420;
    private static final int SMALLEST_PICTURE_PIXELS = 64;
    private static final int GIF_SIDE_PIXELS = 480;
    private static final int ROUND_MILLIS = 2400;
    private static final List<String> FILES = List.of("hillshade.npy", "hillshade.png", "hillshade.gif");

    @Option(
            names = "--input",
            paramLabel = "FILE[:KEY]",
            description = "Elevation in metres [H,W], rows running south: a .npy, or an array of a .npz (default: the"
                    + " Jacksboro fault, Tennessee, which is carried along).")
    private @Nullable String input;

    @Option(
            names = "--cell",
            paramLabel = "METRES",
            description = "The distance of neighbouring cells (default: what dx, dy, ymin and ymax in degrees say where"
                    + " the npz has them, else 30).")
    private @Nullable Double cell;

    @Option(
            names = "--azimuths",
            paramLabel = "N",
            defaultValue = "16",
            description = "How many directions, evenly over 360 degrees from north (default: ${DEFAULT-VALUE}).")
    private int azimuths;

    @Option(
            names = "--altitude",
            paramLabel = "DEGREES",
            defaultValue = "45",
            description = "The height of the light above the horizon (default: ${DEFAULT-VALUE}).")
    private double altitude;

    @Mixin
    private OutputFolder out;

    @Mixin
    private SparkOptions spark;

    @Override
    public Integer call() throws IOException {
        check();
        Console console = console();
        Elevation elevation = input == null ? Elevation.jacksboro() : Elevation.read(input);
        double metres = cell != null ? cell : elevation.cellMetres().orElse(DEFAULT_CELL_METRES);
        Hillshade hillshade = Hillshade.of(elevation.metres(), metres);
        console.say(
                "%s: %s %s, cell %.1f m, %d azimuths, light %s degrees high",
                elevation.name(),
                elevation.metres().dtype(),
                elevation.metres().shape(),
                metres,
                azimuths,
                plain(altitude));
        out.create();
        Path array = out.file(FILES.get(0));
        try (Sessions.Session session = spark.start(this)) {
            long started = System.nanoTime();
            DistributedTensor shade = hillshade.shade(spark.broadloom(session), azimuths, altitude);
            shade.writeNpy(out.address(FILES.get(0)), out.mode());
            String took = String.format(Locale.ROOT, "in %.1f s", (System.nanoTime() - started) / 1e9);
            console.wrote(array, shade.dtype() + " " + shade.shape() + " " + took);
        }
        draw(array, elevation.name(), console);
        return 0;
    }

    private void check() {
        if (azimuths < 1 || azimuths > MOST_AZIMUTHS) {
            throw new UserError("Cannot shade from " + azimuths + " azimuths; give 1 to " + MOST_AZIMUTHS);
        }
        if (!(altitude >= 0 && altitude <= 90)) {
            throw new UserError("Cannot put the light " + plain(altitude) + " degrees high; give 0 to 90 degrees");
        }
        out.check(FILES);
    }

    private void draw(Path shade, String name, Console console) throws IOException {
        Path sheet = out.file(FILES.get(1));
        List<GrayImage> pictures = frames(shade, pictureSide());
        List<String> labels = IntStream.range(0, azimuths)
                .mapToObj(i -> plain(Hillshade.degrees(i, azimuths)) + "°")
                .toList();
        String subtitle = "light from the azimuth under each picture, " + plain(altitude) + "° above the horizon";
        ContactSheet contact = new ContactSheet(name, subtitle, pictures, labels);
        ContactSheet.Texts[] texts = new ContactSheet.Texts[1];
        OutputFile.write(sheet, stream -> texts[0] = contact.writePng(stream));
        console.wrote(sheet, azimuths + " pictures");
        if (texts[0] == ContactSheet.Texts.LEFT_OUT) {
            console.say("the labels are left out of %s: this JDK has no fonts", sheet);
        }
        Path gif = out.file(FILES.get(2));
        int millis = Math.max(40, ROUND_MILLIS / azimuths);
        List<GrayImage> frames = frames(shade, GIF_SIDE_PIXELS);
        OutputFile.write(gif, stream -> AnimatedGif.write(frames, Palette.GRAY, millis, stream));
        console.wrote(gif, azimuths + " frames");
    }

    /** So that the sheet keeps its size, whatever the number of pictures. */
    private int pictureSide() {
        int side = (int) (SHEET_SIDE_PIXELS / Math.ceil(Math.sqrt(azimuths)));
        return Math.max(SMALLEST_PICTURE_PIXELS, Math.min(LARGEST_PICTURE_PIXELS, side));
    }

    private List<GrayImage> frames(Path shade, int longestSide) throws IOException {
        List<GrayImage> frames = new ArrayList<>();
        for (int i = 0; i < azimuths; i++) {
            Tensor frame = Npy.readRows(shade, i, 1).squeeze(0);
            frames.add(GrayImage.reduced(frame.shape().size(0), frame.shape().size(1), longestSide, frame::getDouble));
        }
        return frames;
    }

    /** A number of degrees without needless digits: 45, 22.5. */
    private static String plain(double degrees) {
        String text = String.format(Locale.ROOT, "%.2f", degrees);
        return text.replaceFirst("\\.?0+$", "");
    }
}
