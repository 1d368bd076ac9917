package io.github.broadloom.generator;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * A class of functions of one number, as it was parsed.
 *
 * @param methods those that functions call, by {@link #key}
 * @param imports the classes of names that are imported statically
 * @param functions those of which there are functions of arrays
 */
record Definition(
        String name,
        Map<String, VariableTree> constants,
        Map<String, MethodTree> methods,
        Map<String, String> imports,
        List<Function> functions) {
    private static final String PREFIX = "Scalar";

    /**
     * A function of one number that becomes one of arrays.
     *
     * @param operands the parameters that are arrays then
     * @param numbers those that are the same number for all elements
     */
    record Function(String doc, MethodTree method, List<VariableTree> operands, List<VariableTree> numbers) {
        String name() {
            return method.getName().toString();
        }

        Lane result() {
            return Lane.of(method.getReturnType());
        }

        List<? extends StatementTree> statements() {
            return method.getBody().getStatements();
        }
    }

    private Definition(String name) {
        this(name, new HashMap<>(), new HashMap<>(), new HashMap<>(), new ArrayList<>());
    }

    /** The name of what the twins implement. */
    String contract() {
        return name.substring(PREFIX.length());
    }

    static String key(Object method, int parameters) {
        return method + "/" + parameters;
    }

    /** All of a folder, by name. */
    static Map<String, Definition> parse(Path folder) throws IOException {
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "a JDK");
        Map<String, Definition> definitions = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder);
                var manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            var sources = manager.getJavaFileObjectsFromPaths(
                    files.filter(file -> file.getFileName().toString().startsWith(PREFIX))
                            .toList());
            JavacTask task = (JavacTask) compiler.getTask(null, manager, null, null, null, sources);
            for (CompilationUnitTree unit : task.parse()) {
                Definition definition = of(unit, Trees.instance(task));
                definitions.put(definition.name, definition);
            }
        }
        return definitions;
    }

    private static Definition of(CompilationUnitTree unit, Trees trees) {
        ClassTree type = (ClassTree) unit.getTypeDecls().get(0);
        Definition definition = new Definition(type.getSimpleName().toString());
        for (ImportTree imported : unit.getImports()) {
            String[] path = imported.getQualifiedIdentifier().toString().split("\\.");
            definition.imports.put(path[path.length - 1], path[path.length - 2]);
        }
        for (Tree member : type.getMembers()) {
            if (member instanceof VariableTree field) {
                definition.constants.put(field.getName().toString(), field);
            } else if (member instanceof MethodTree method) {
                definition.add(method, trees.getDocComment(TreePath.getPath(unit, method)));
            }
        }
        return definition;
    }

    private void add(MethodTree method, String doc) {
        List<VariableTree> parameters = new ArrayList<>(method.getParameters());
        for (AnnotationTree annotation : method.getModifiers().getAnnotations()) {
            if (annotation.getAnnotationType().toString().equals("OfArrays")) {
                int numbers = annotation.getArguments().stream()
                        .map(argument ->
                                ((AssignmentTree) argument).getExpression().toString())
                        .mapToInt(Integer::parseInt)
                        .sum();
                int operands = parameters.size() - numbers;
                List<VariableTree> last = parameters.subList(operands, parameters.size());
                functions.add(new Function(doc.strip(), method, parameters.subList(0, operands), last));
                return;
            }
        }
        methods.put(key(method.getName(), parameters.size()), method);
    }
}
