package io.github.broadloom.tensor;

import java.util.ServiceLoader;

/**
 * What another part of the library loads when the first tensor is made: what a computation is going to need takes some hundred
 * milliseconds, and can load at the same time as what it needs first. Implementations stand
 * in {@code META-INF/services}.
 */
public interface FirstUse {

    /**
     * Loads. Runs on a thread of its own, once in a JVM, while the first tensor is being made: it makes no tensor. What it
     * throws is dropped, because whoever needs the same later is told.
     */
    void load();

    /**
     * Starts the first implementation on the class path, on a thread that keeps no JVM alive. To look for a second one would
     * open every jar, and hold up the loading of all other classes.
     */
    static void begin() {
        Thread thread = new Thread(
                () -> ServiceLoader.load(FirstUse.class, FirstUse.class.getClassLoader())
                        .findFirst()
                        .ifPresent(FirstUse::load),
                "broadloom-first-use");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((where, failure) -> {});
        thread.start();
    }
}
