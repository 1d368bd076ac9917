package io.github.broadloom.tensor;

import java.util.ServiceLoader;

/** What the tensors of this JVM are guests of, as of Spark, and what knows of memory what they do not. An implementation stands in {@code META-INF/services}. */
public interface MemoryHost {

    /** Tells how much there is, by {@link Memory#suggest}, where that is not told yet. Called before memory is taken: cheap where there is nothing new. */
    void follow();

    /** Lets go what can be made again, or read from disk, until that comes to so many bytes, or nothing of the kind is left; returns what it comes to. */
    long evict(long bytes);

    /** The first on the class path, or one that knows nothing. */
    static MemoryHost find() {
        return ServiceLoader.load(MemoryHost.class, MemoryHost.class.getClassLoader())
                .findFirst()
                .orElse(new MemoryHost() {
                    @Override
                    public void follow() {}

                    @Override
                    public long evict(long bytes) {
                        return 0;
                    }
                });
    }
}
