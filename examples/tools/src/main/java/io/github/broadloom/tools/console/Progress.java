package io.github.broadloom.tools.console;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A progress bar on the error stream, where a person looks at it; else nothing. */
public final class Progress implements AutoCloseable {
    /** Set by {@code examples/run} where the error stream is a terminal. */
    private static final String TERMINAL = "spark.ui.showConsoleProgress";

    private final @Nullable ProgressBar bar;

    private Progress(@Nullable ProgressBar bar) {
        this.bar = bar;
    }

    /** A bar of so many steps. */
    public static Progress of(String task, long steps) {
        if (!Boolean.getBoolean(TERMINAL)) {
            return new Progress(null);
        }
        return new Progress(ProgressBar.builder()
                .setTaskName(task)
                .setInitialMax(steps)
                .setStyle(ProgressBarStyle.ASCII)
                .build());
    }

    /** Whether there is a bar. */
    public boolean isShown() {
        return bar != null;
    }

    /** One step is done. */
    public void step() {
        if (bar != null) {
            bar.step();
        }
    }

    /** What is being done now. */
    public void says(String message) {
        if (bar != null) {
            bar.setExtraMessage(message);
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
