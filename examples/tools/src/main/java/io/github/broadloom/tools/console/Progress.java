package io.github.broadloom.tools.console;

import java.util.Optional;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress bar on the error stream, where a person looks at it; else nothing. */
public final class Progress implements AutoCloseable {
    /** Set by {@code examples/run} where the error stream is a terminal. */
    private static final String TERMINAL = "spark.ui.showConsoleProgress";

    private final Optional<ProgressBar> bar;

    private Progress(Optional<ProgressBar> bar) {
        this.bar = bar;
    }

    public static Progress of(String task, long steps) {
        if (!Boolean.getBoolean(TERMINAL)) {
            return new Progress(Optional.empty());
        }
        return new Progress(Optional.of(ProgressBar.builder()
                .setTaskName(task)
                .setInitialMax(steps)
                .setStyle(ProgressBarStyle.ASCII)
                .build()));
    }

    public boolean isShown() {
        return bar.isPresent();
    }

    public void step() {
        bar.ifPresent(ProgressBar::step);
    }

    public void says(String message) {
        bar.ifPresent(shown -> shown.setExtraMessage(message));
    }

    @Override
    public void close() {
        bar.ifPresent(ProgressBar::close);
    }
}
