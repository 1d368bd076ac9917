package io.github.broadloom.cpu.simd;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.SimpleCompiler;

/** Compiles rendered Java in memory. */
public final class SourceCompiler {
    /** Written while the compiler loads its classes, read by others: one that comes meanwhile does not load them, too. */
    private static final ReadWriteLock LOADING = new ReentrantReadWriteLock();

    private SourceCompiler() {}

    /** Compiles a source that nobody needs; those that come meanwhile wait for its end. */
    public static void warmUp(String className, String source, Class<?> type) {
        LOADING.writeLock().lock();
        try {
            cook(className, source, type);
        } finally {
            LOADING.writeLock().unlock();
        }
    }

    /**
     * An instance of the class that a source declares.
     *
     * @param type what the class implements
     * @throws IllegalStateException with the source, where it does not compile
     */
    public static <T> T compile(String className, String source, Class<T> type) {
        LOADING.readLock().lock();
        try {
            return cook(className, source, type);
        } finally {
            LOADING.readLock().unlock();
        }
    }

    private static <T> T cook(String className, String source, Class<T> type) {
        try {
            SimpleCompiler compiler = new SimpleCompiler();
            // The loader of these classes: inside an executor it may be a child of the thread's.
            compiler.setParentClassLoader(type.getClassLoader());
            compiler.cook(source);
            return compiler.getClassLoader()
                    .loadClass(className)
                    .asSubclass(type)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (CompileException | ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot compile " + className + ": " + e.getMessage() + "\n" + source, e);
        }
    }
}
