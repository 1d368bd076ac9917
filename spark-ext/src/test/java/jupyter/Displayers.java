package jupyter;

import java.util.HashMap;
import java.util.Map;

/** As in jvm-repr, which notebook kernels bring: where a library registers what it extended. */
public abstract class Displayers {
    private static final Map<Class<?>, Displayer<?>> REGISTERED = new HashMap<>();

    public static <T> void register(Class<T> shown, Displayer<? extends T> displayer) {
        REGISTERED.put(shown, displayer);
    }

    /** What a kernel does with the value of a cell. */
    @SuppressWarnings("unchecked")
    public static <T> Map<String, String> display(T shown) {
        Displayer<T> displayer = (Displayer<T>) REGISTERED.get(shown.getClass());
        return displayer == null ? Map.of() : displayer.display(shown);
    }
}
