package io.github.broadloom.tools.console;

import java.util.List;
import java.util.ServiceLoader;

/**
 * Commands for those who develop Broadloom. They are in a module of their own, which the jar for {@code spark-submit}
 * lacks, and are found where that is on the class path.
 */
public interface DeveloperCommands {
    /** What the commands are called: known here, so that where one is missing it is said why. */
    List<String> NAMES =
            List.of("bench", "conformance", "accuracy", "gpu-check", "gpu-day", "kernels", "bench-nearest");

    /** The classes that picocli takes as subcommands, in the order in which they are listed. */
    List<Class<?>> commands();

    static List<Class<?>> found() {
        return ServiceLoader.load(DeveloperCommands.class, DeveloperCommands.class.getClassLoader()).stream()
                .flatMap(provider -> provider.get().commands().stream())
                .<Class<?>>map(command -> command)
                .toList();
    }
}
