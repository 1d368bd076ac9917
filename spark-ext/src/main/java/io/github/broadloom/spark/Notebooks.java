package io.github.broadloom.spark;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.function.Function;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.janino.SimpleCompiler;
import org.jspecify.annotations.Nullable;

/**
 * Makes notebooks show tensors by themselves where the kernel asks <a href="https://github.com/jupyter/jvm-repr">jvm-repr</a> how to: almond, Apache Toree and
 * BeakerX do. That library comes with the kernel and stands in no repository that a build would look into. What it wants is a subclass of one of its classes, so that one is
 * compiled where the library is there: by the compiler that Spark brings.
 */
final class Notebooks {
    private static final String NAME = "TensorDisplayer";
    private static final String SOURCE = """
            public final class %s extends jupyter.Displayer {
                private final java.util.function.Function representations;

                public %s(java.util.function.Function representations) {
                    this.representations = representations;
                }

                public java.util.Map display(Object tensor) {
                    return (java.util.Map) representations.apply(tensor);
                }
            }
            """.formatted(NAME, NAME);

    /** The loader that was asked last: what it does not find it is not asked for again. */
    private static WeakReference<@Nullable ClassLoader> asked = new WeakReference<>(null);

    private Notebooks() {}

    /** Registers tensors with the kernel that this thread runs in, where there is one. */
    static synchronized void attach() {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        if (loader == null || asked.get() == loader) {
            return;
        }
        asked = new WeakReference<>(loader);
        try {
            register(Class.forName("jupyter.Displayers", true, loader));
        } catch (ClassNotFoundException noNotebook) {
            return;
        } catch (CompileException | ReflectiveOperationException | LinkageError other) {
            // Another version of the kernel's library: its notebooks show text, as they would without us.
            return;
        }
    }

    private static void register(Class<?> displayers) throws CompileException, ReflectiveOperationException {
        SimpleCompiler compiler = new SimpleCompiler();
        compiler.setParentClassLoader(displayers.getClassLoader());
        compiler.cook(SOURCE);
        Function<DistributedTensor, Map<String, String>> representations = Notebooks::representations;
        Object displayer = compiler.getClassLoader()
                .loadClass(NAME)
                .getConstructor(Function.class)
                .newInstance(representations);
        displayers
                .getMethod("register", Class.class, displayer.getClass().getSuperclass())
                .invoke(null, DistributedTensor.class, displayer);
    }

    /** By media type. */
    private static Map<String, String> representations(DistributedTensor tensor) {
        return Map.of("text/plain", tensor.toString(), "text/html", tensor.toHtml());
    }
}
