package io.github.broadloom.bench.checks;

import io.github.broadloom.bench.BenchCommand;
import io.github.broadloom.tools.console.DeveloperCommands;
import java.util.List;

/** The commands that {@code examples/run} has beside those for users. */
public final class CheckoutCommands implements DeveloperCommands {
    @Override
    public List<Class<?>> commands() {
        return List.of(
                BenchCommand.class,
                ConformanceCommand.class,
                AccuracyCommand.class,
                GpuCheckCommand.class,
                GpuDayCommand.class,
                KernelsCommand.class,
                BenchNearestCommand.class);
    }
}
