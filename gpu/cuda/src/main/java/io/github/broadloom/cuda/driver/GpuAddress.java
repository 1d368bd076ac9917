package io.github.broadloom.cuda.driver;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * What others call a GPU: discovery scripts of Spark, {@code nvidia-smi}, {@code CUDA_VISIBLE_DEVICES}. It is a number ({@code 0}), the UUID of a GPU or how that begins ({@code
 * GPU-8932f937}), or the UUID of a part of one, in either of NVIDIA's forms ({@code MIG-c6d4f1ef-…}, {@code MIG-GPU-8932f937-…/1/0}).
 *
 * <p>A number is the driver's: the fastest GPU is 0, unless {@code CUDA_DEVICE_ORDER=PCI_BUS_ID} makes it the first on the bus, as in {@code nvidia-smi}.
 */
public final class GpuAddress {
    private static final String VISIBLE = "CUDA_VISIBLE_DEVICES";
    private static final String ORDER = "CUDA_DEVICE_ORDER";
    private static final String BY_BUS = "PCI_BUS_ID";
    private static final String PART = "MIG-";
    private static final String WHOLE = "GPU-";

    private static final Map<String, Integer> KNOWN = new ConcurrentHashMap<>();

    private GpuAddress() {}

    /**
     * The ordinal of a GPU in this process.
     *
     * @throws IllegalStateException where it is none of those that the process sees
     */
    public static int ordinal(String address) {
        return address.matches("\\d{1,9}")
                ? Integer.parseInt(address)
                : KNOWN.computeIfAbsent(
                        address, name -> ordinal(name, visible(), Gpus.probe().uuids()));
    }

    /** What the process is to see, in its order; none where nothing says so. */
    private static List<String> visible() {
        String list = System.getenv(VISIBLE);
        return list == null
                ? List.of()
                : Arrays.stream(list.split(",")).map(String::strip).toList();
    }

    /** The ordinal of a GPU among those that the driver offers (of a part, the whole), as {@code CUDA_VISIBLE_DEVICES} lists some. */
    static int ordinal(String address, List<String> visible, List<String> uuids) {
        int listed = visible.indexOf(address);
        if (listed >= 0 && listed < uuids.size()) {
            return listed;
        }
        boolean isPart = address.startsWith(PART);
        String gpu = isPart ? address.substring(PART.length()).replaceFirst("/.*", "") : address;
        if (isPart && !gpu.startsWith(WHOLE)) { // which says nothing of the GPU, but a process sees one part at most
            if (uuids.size() == 1) {
                return 0;
            }
            throw unknown(address, uuids);
        }
        List<Integer> found = IntStream.range(0, uuids.size())
                .filter(i -> gpu.startsWith(WHOLE) && uuids.get(i).regionMatches(true, 0, gpu, 0, gpu.length()))
                .boxed()
                .toList();
        if (found.size() != 1) {
            throw unknown(address, uuids);
        }
        return found.get(0);
    }

    private static IllegalStateException unknown(String address, List<String> uuids) {
        return new IllegalStateException("Cannot use GPU '" + address + "': this process sees "
                + (uuids.isEmpty() ? "none" : String.join(", ", uuids))
                + "; give a number, or one of these, or set " + VISIBLE + "=" + address + " for the process");
    }

    /** By what GPUs are numbered here, after "numbered". */
    static String order() {
        return BY_BUS.equals(System.getenv(ORDER))
                ? "by their bus (" + ORDER + "=" + BY_BUS + ")"
                : "the fastest first (unless " + ORDER + "=" + BY_BUS + ")";
    }
}
