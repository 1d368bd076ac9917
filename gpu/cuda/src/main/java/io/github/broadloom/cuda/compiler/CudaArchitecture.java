package io.github.broadloom.cuda.compiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The architectures of GPUs, by their names: {@code sm_90} has compute capability 9.0. */
public final class CudaArchitecture {
    private static final String PREFIX = "sm_";

    /** Volta, the first whose threads each have a place of their own in the program; what the kernels are tested from. */
    public static final String OLDEST = "sm_70";

    private CudaArchitecture() {}

    /**
     * Those that a list names.
     *
     * @param list with commas, as {@code sm_80,sm_90}
     * @throws IllegalArgumentException where it names something else, or one that is too old
     */
    public static List<String> parse(String list) {
        List<String> names =
                Arrays.stream(list.split(",", -1)).map(String::strip).distinct().toList();
        names.stream().filter(name -> !isSupported(name)).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException(
                    "Cannot compile for architecture: " + name + "; " + OLDEST + " is the oldest that works");
        });
        return names;
    }

    /** Whether kernels run on it. */
    public static boolean isSupported(String name) {
        return number(name) >= number(OLDEST);
    }

    /** Of {@code sm_90} 90. */
    public static int number(String name) {
        if (!name.matches(PREFIX + "[1-9]\\d{1,3}")) {
            throw new IllegalArgumentException(
                    "Cannot compile for architecture: " + name + "; give sm_ and a number, as in sm_90");
        }
        return Integer.parseInt(name.substring(PREFIX.length()));
    }

    /** Whose machine code runs on one: its own, then those below it in its generation, the nearest first. */
    static List<String> runOn(String name) {
        List<String> names = new ArrayList<>();
        for (int number = number(name); number >= number(name) / 10 * 10; number--) {
            names.add(PREFIX + number);
        }
        return names;
    }
}
