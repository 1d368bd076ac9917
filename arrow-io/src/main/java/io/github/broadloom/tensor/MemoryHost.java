package io.github.broadloom.tensor;

import java.util.ServiceLoader;

/** What the tensors of this JVM are guests of, as of Spark, and what knows of memory what they do not. An implementation stands in {@code META-INF/services}. */
public interface MemoryHost {

    /** Tells how much there is, by {@link Memory#suggest}, where that is not told yet. Called before memory is taken: cheap where there is nothing new. */
    void follow();

    /** The first on the class path, or one that knows nothing. */
    static MemoryHost find() {
        return ServiceLoader.load(MemoryHost.class, MemoryHost.class.getClassLoader())
                .findFirst()
                .orElse(() -> {});
    }
}
