package io.github.broadloom.codegen;

import io.github.broadloom.expr.Reduction;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.SimpleCompiler;

/** Compiles rendered Java in memory. */
public final class KernelCompiler {
    /** Written while the compiler loads its classes, read by kernels: one that comes meanwhile does not load them, too. */
    private static final ReadWriteLock LOADING = new ReentrantReadWriteLock();

    private KernelCompiler() {}

    /** A pointwise kernel: a prototype, of which each thread takes a {@link TileKernel#fresh} instance. */
    public static TileKernel pointwise(KernelSpec spec) {
        return compile(JavaRenderer.CLASS_NAME, JavaRenderer.render(spec), TileKernel.class);
    }

    /** Compiles the source of a {@link TileKernel} that nobody needs; kernels that come meanwhile wait for its end. */
    static void warmUp(String source) {
        LOADING.writeLock().lock();
        try {
            cook(JavaRenderer.CLASS_NAME, source, TileKernel.class);
        } finally {
            LOADING.writeLock().unlock();
        }
    }

    /** A kernel that reads and writes memory; {@link DirectKernelRenderer#supports} says of what there is one. */
    public static DirectKernel direct(KernelSpec spec, DirectKernel.Reach reach) {
        return compile(DirectKernelRenderer.CLASS_NAME, DirectKernelRenderer.render(spec, reach), DirectKernel.class);
    }

    /** A kernel that folds what it computes; {@link FoldKernelRenderer#supports} says of what there is one. */
    public static FoldKernel fold(KernelSpec spec, Reduction reduction) {
        return compile(FoldKernelRenderer.CLASS_NAME, FoldKernelRenderer.render(spec, reduction), FoldKernel.class);
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
            throw new IllegalStateException("Cannot compile kernel: " + e.getMessage() + "\n" + source, e);
        }
    }
}
