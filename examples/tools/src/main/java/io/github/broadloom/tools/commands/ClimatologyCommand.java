package io.github.broadloom.tools.commands;

import io.github.broadloom.format.ArrayFormats;
import io.github.broadloom.format.LocalStore;
import io.github.broadloom.format.ReadOptions;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tools.console.OutputFile;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.picture.AnimatedGif;
import io.github.broadloom.tools.picture.ContactSheet;
import io.github.broadloom.tools.picture.GrayImage;
import io.github.broadloom.tools.picture.Palette;
import io.github.broadloom.tools.session.Locations;
import io.github.broadloom.tools.session.OutputFolder;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.session.SparkOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "climatology",
        header = "Means of months, seasons, days of the year or hours, and what there is beyond them, with maps.",
        description = {
            "FILE is an array whose first dimension is time, such as era5.zarr:t2m or days.nc:t?decode; the months are told by"
                    + " the coordinate of that dimension and its units ('hours since 1900-01-01'), in the calendars of the CF"
                    + " conventions. What is NaN is left out of means.",
            "Writes climatology.zarr, a mean for each group, anomalies.zarr, FILE less the mean of its group, in bounded memory; the"
                    + " maps climatology.png and, over time, anomalies.gif."
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} climatology era5.zarr:t2m --out out/t2m",
            "  ${ROOT-COMMAND-NAME} climatology hours.nc:t --by hour",
            "  ${ROOT-COMMAND-NAME} climatology months.npy --period 12",
            "",
            "Exit codes: 0 done, 1 the work failed, 2 something to mend in the command or the files."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class ClimatologyCommand extends Tool {
    private static final List<String> PICTURES = List.of("climatology.png", "anomalies.gif");
    private static final int MAP_SIDE_PIXELS = 360;
    private static final int FRAME_SIDE_PIXELS = 560;
    private static final int MOST_MAPS = 24;
    private static final int MOST_FRAMES = 72;
    private static final int FRAME_MILLIS = 160;

    @Parameters(paramLabel = "FILE", description = "The array: FILE or FILE:KEY.")
    private String file;

    @Option(names = "--no-anomalies", description = "The means alone.")
    private boolean withoutAnomalies;

    @Mixin
    private TimeOptions time;

    @Mixin
    private OutputFolder out;

    @Mixin
    private SparkOptions spark;

    @Override
    public Integer call() throws IOException {
        Locations.checkInput(file);
        out.check(PICTURES);
        try (Sessions.Session session = spark.start(this)) {
            Broadloom broadloom = spark.broadloom(session);
            DistributedTensor x = session.read(broadloom, file, ReadOptions.DEFAULT);
            TimeGroups groups = time.groups(file, x, session);
            console().say("%s: %s %s, %d groups", file, x.dtype(), x.shape(), groups.groups());
            out.create();
            String means = write(TimeOptions.means(x, groups), "climatology.zarr", session);
            boolean northward = TimeOptions.isNorthward(file, session);
            draw(new MapSeries(stored("climatology.zarr"), northward), groups.names());
            if (!withoutAnomalies) {
                DistributedTensor read = session.read(broadloom, means, ReadOptions.DEFAULT);
                write(TimeOptions.anomalies(x, read, groups), "anomalies.zarr", session);
                animate(new MapSeries(stored("anomalies.zarr"), northward));
            }
        }
        return 0;
    }

    private String write(DistributedTensor tensor, String name, Sessions.Session session) throws IOException {
        long started = System.nanoTime();
        String address = out.address(name);
        Locations.write(address, out.mode(), session.spark(), () -> tensor.write(address, out.mode()));
        console()
                .say(
                        "wrote %s: %s %s in %.1f s",
                        out.file(name), tensor.dtype(), tensor.shape(), (System.nanoTime() - started) / 1e9);
        return address;
    }

    private StoredArray stored(String name) throws IOException {
        return ArrayFormats.open(LocalStore.of(out.file(name)), "");
    }

    private void draw(MapSeries maps, List<String> names) throws IOException {
        if (!maps.isDrawable()) {
            console().say("no maps: %s has fewer than two dimensions beside time", file);
            return;
        }
        long[] chosen = maps.evenly(MOST_MAPS);
        FiniteRange scale = maps.range(chosen);
        List<GrayImage> pictures = maps.pictures(chosen, scale, MAP_SIDE_PIXELS);
        List<String> labels =
                LongStream.of(chosen).mapToObj(i -> names.get((int) i)).toList();
        String title = file.replaceAll("/+$", "").replaceAll(".*/", "");
        ContactSheet sheet = new ContactSheet(title, scale.toString(), pictures, labels, Palette.VALUES);
        Path picture = out.file(PICTURES.get(0));
        OutputFile.write(picture, stream -> sheet.writePng(stream));
        console().wrote(picture, pictures.size() + " maps, " + scale);
    }

    private void animate(MapSeries maps) throws IOException {
        if (maps.isDrawable()) {
            long[] chosen = maps.evenly(MOST_FRAMES);
            FiniteRange scale = maps.range(chosen).aroundZero();
            List<GrayImage> frames = maps.pictures(chosen, scale, FRAME_SIDE_PIXELS);
            Path gif = out.file(PICTURES.get(1));
            OutputFile.write(gif, stream -> AnimatedGif.write(frames, Palette.DEVIATIONS, FRAME_MILLIS, stream));
            console().wrote(gif, frames.size() + " frames, " + scale);
        }
    }
}
