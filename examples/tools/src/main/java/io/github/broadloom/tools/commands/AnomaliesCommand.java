package io.github.broadloom.tools.commands;

import io.github.broadloom.format.ReadOptions;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tools.console.Tool;
import io.github.broadloom.tools.session.Locations;
import io.github.broadloom.tools.session.Sessions;
import io.github.broadloom.tools.session.SparkOptions;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "anomalies",
        header = "Writes an array less the mean of each month, season, day of the year or hour.",
        description = {
            "IN is an array whose first dimension is time, as climatology has it. It is read twice and nothing is kept of it: once for the"
                    + " means, once to be written less them. The end of OUT says what is written, as with convert."
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} anomalies era5.zarr:t2m anomalies.zarr --by dayofyear",
            "  ${ROOT-COMMAND-NAME} anomalies months.npy anomalies.npy --period 12",
            "",
            "Exit codes: 0 done, 1 the work failed, 2 something to mend in the command or the files."
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
public final class AnomaliesCommand extends Tool {
    @Parameters(index = "0", paramLabel = "IN", description = "What is read: FILE or FILE:KEY.")
    private String input;

    @Parameters(index = "1", paramLabel = "OUT", description = "What is written, by the end of its name.")
    private String output;

    @Mixin
    private TimeOptions time;

    @Option(names = "--overwrite", description = "Replace an output that exists; otherwise it is kept.")
    private boolean overwrite;

    @Mixin
    private SparkOptions spark;

    @Override
    public Integer call() throws IOException {
        Locations.checkBeforeSpark(List.of(input), Optional.of(output), overwrite);
        WriteMode mode = overwrite ? WriteMode.OVERWRITE : WriteMode.CREATE;
        try (Sessions.Session session = spark.start(this)) {
            Broadloom broadloom = spark.broadloom(session);
            DistributedTensor x = session.read(broadloom, input, ReadOptions.DEFAULT);
            TimeGroups groups = time.groups(input, x, session);
            console().say("%s: %s %s, %d groups", input, x.dtype(), x.shape(), groups.groups());
            DistributedTensor anomalies = TimeOptions.anomalies(x, TimeOptions.means(x, groups), groups);
            long started = System.nanoTime();
            Locations.write(output, mode, session.spark(), () -> anomalies.write(output, mode));
            console()
                    .say(
                            "wrote %s: %s %s in %.1f s",
                            output, anomalies.dtype(), anomalies.shape(), (System.nanoTime() - started) / 1e9);
        }
        return 0;
    }
}
