package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.JavaRenderer;
import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.TileKernel;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.SimpleCompiler;

/** Compiles rendered kernels in memory. */
final class KernelCompiler {

    private KernelCompiler() {}

    /** A kernel for a specification: a prototype, of which each thread takes a {@link TileKernel#fresh} instance. */
    static TileKernel compile(KernelSpec spec) {
        String source = JavaRenderer.render(spec);
        try {
            SimpleCompiler compiler = new SimpleCompiler();
            // The loader of these classes: inside an executor it may be a child of the thread's.
            compiler.setParentClassLoader(TileKernel.class.getClassLoader());
            compiler.cook(source);
            return compiler.getClassLoader()
                    .loadClass(JavaRenderer.CLASS_NAME)
                    .asSubclass(TileKernel.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (CompileException | ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot compile kernel: " + e.getMessage() + "\n" + source, e);
        }
    }
}
