package jupyter;

import java.util.Map;

/** As in jvm-repr, which notebook kernels bring: what a library has to extend. */
public abstract class Displayer<T> {
    public abstract Map<String, String> display(T shown);

    public void setMimeTypes(String... types) {}
}
