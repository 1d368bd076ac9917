package io.github.broadloom.bench.guide;

import com.sun.source.util.JavacTask;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles the Java of a page in memory. */
final class JavaCompilation {
    static final String NAME = "PageScript";

    private final Path file;
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

    /**
     * @param file for the messages
     */
    JavaCompilation(Path file) {
        this.file = file;
    }

    /**
     * The page, ready to run.
     *
     * @throws IllegalArgumentException where it does not compile, with the places
     */
    Script compile(JavaSource source) throws IOException, ReflectiveOperationException {
        task(source.withCalls()).call();
        check();
        Class<?> script = new Loader().loadClass(Script.class.getPackageName() + "." + NAME);
        return (Script) script.getConstructor().newInstance();
    }

    /** A run of the compiler over a text. */
    JavacTask task(String text) {
        JavaFileObject source = new SimpleJavaFileObject(URI.create("string:///" + NAME + ".java"), Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
        JavaFileManager files = new InMemory(compiler.getStandardFileManager(problems, null, null));
        List<String> options = List.of("-proc:none", "-classpath", System.getProperty("java.class.path"));
        return (JavacTask) compiler.getTask(null, files, problems, options, null, List.of(source));
    }

    /** Refuses what the compiler refused. */
    void check() {
        List<String> errors = problems.getDiagnostics().stream()
                .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                .map(problem -> file.getFileName() + ":" + problem.getLineNumber() + ": " + problem.getMessage(null))
                .toList();
        if (!errors.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", errors));
        }
    }

    private final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        InMemory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, Kind kind, FileObject sibling) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            classes.put(name, bytes);
            return new SimpleJavaFileObject(URI.create("bytes:///" + name), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return bytes;
                }
            };
        }
    }

    private final class Loader extends ClassLoader {
        Loader() {
            super(Script.class.getClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            ByteArrayOutputStream bytes = classes.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes.toByteArray(), 0, bytes.size());
        }
    }
}
