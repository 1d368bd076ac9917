package io.github.broadloom.cuda.code;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a kernel needs of a multiprocessor, as NVIDIA's assembler says it with {@code -v}.
 *
 * @param function the kernel's name, mangled where it is C++
 * @param stackBytes of local memory, for each thread
 * @param spilledBytes that are written to and read from local memory for want of registers
 * @param registers of each thread
 * @param sharedBytes of each block
 */
public record PtxasUsage(String function, int stackBytes, int spilledBytes, int registers, int sharedBytes) {
    private static final Pattern FUNCTION = Pattern.compile(
            "Function properties for (\\S+)\\s+(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill"
                    + " loads\\s+ptxas info\\s+: Used (\\d+) registers(?:.*?(\\d+) bytes smem)?");

    /** The kernels of a log, in its order. */
    public static List<PtxasUsage> read(String log) {
        List<PtxasUsage> usages = new ArrayList<>();
        Matcher found = FUNCTION.matcher(log);
        while (found.find()) {
            usages.add(new PtxasUsage(
                    found.group(1),
                    number(found, 2),
                    number(found, 3) + number(found, 4),
                    number(found, 5),
                    found.group(6) == null ? 0 : number(found, 6)));
        }
        return usages;
    }

    private static int number(Matcher found, int group) {
        return Integer.parseInt(found.group(group));
    }
}
