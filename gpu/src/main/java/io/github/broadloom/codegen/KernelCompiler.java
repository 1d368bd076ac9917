package io.github.broadloom.codegen;

import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.SimpleCompiler;

/** Compiles rendered Java in memory. */
public final class KernelCompiler {

    private KernelCompiler() {}

    /** A pointwise kernel: a prototype, of which each thread takes a {@link TileKernel#fresh} instance. */
    public static TileKernel pointwise(KernelSpec spec) {
        return compile(JavaRenderer.CLASS_NAME, JavaRenderer.render(spec), TileKernel.class);
    }

    /**
     * An instance of the class that a source declares.
     *
     * @param type what the class implements
     * @throws IllegalStateException with the source, where it does not compile
     */
    public static <T> T compile(String className, String source, Class<T> type) {
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
