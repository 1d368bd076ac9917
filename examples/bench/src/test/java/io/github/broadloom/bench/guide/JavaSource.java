package io.github.broadloom.bench.guide;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionStatementTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A page as a class of Java: one method whose lines are the page's lines, so that the compiler's messages have the page's numbers. Imports go to its first line, and what is not
 * Java is empty.
 */
final class JavaSource {
    private static final String MARK = "//";

    private final List<Step> steps = new ArrayList<>();
    /** By the place in the text. */
    private final TreeMap<Integer, String> calls = new TreeMap<>();

    private final String text;
    private final JavaCompilation compilation;

    /**
     * A page that leaves nothing to its reader.
     *
     * @param page the page, of which the first line must not be Java
     * @throws IllegalArgumentException where it is not Java, with the places
     */
    JavaSource(Page page, JavaCompilation compilation) throws IOException {
        this(page, "", "", compilation);
    }

    /**
     * A page.
     *
     * @param page the page, of which the first line must not be Java
     * @param moreImports in one line
     * @param fields what the page takes for granted, in one line
     * @throws IllegalArgumentException where it is not Java, with the places
     */
    JavaSource(Page page, String moreImports, String fields, JavaCompilation compilation) throws IOException {
        this.compilation = compilation;
        StringBuilder imports = new StringBuilder(moreImports);
        String[] lines = new String[page.lastLine() + 1];
        for (Block block : page.blocks()) {
            for (int i = 0; i < block.lines().size() && block.language().equals("java"); i++) {
                String line = block.lines().get(i);
                boolean isImport = line.startsWith("import ");
                imports.append(isImport ? line : "");
                lines[block.line() + i - 1] = isImport ? "" : line;
            }
        }
        StringBuilder all = new StringBuilder("package " + Script.class.getPackageName() + "; " + imports
                + " public final class " + JavaCompilation.NAME
                + " implements Script { public void run(Steps steps) throws Exception {");
        for (int i = 1; i < lines.length; i++) {
            all.append('\n').append(lines[i] == null ? "" : lines[i]);
        }
        text = all.append("\n}").append(fields).append("}").toString();
        readStatements();
        placeBlocks(page);
    }

    /** The statements that are shown or watched, by their numbers. */
    List<Step> steps() {
        return steps;
    }

    /** The text with the calls. */
    String withCalls() {
        StringBuilder out = new StringBuilder(text);
        calls.descendingMap().forEach((place, call) -> out.insert(place, call));
        return out.toString();
    }

    private void readStatements() throws IOException {
        JavacTask task = compilation.task(text);
        CompilationUnitTree unit = task.parse().iterator().next();
        compilation.check();
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        MethodTree method = (MethodTree)
                ((ClassTree) unit.getTypeDecls().get(0)).getMembers().get(0);
        BlockTree body = method.getBody();
        for (StatementTree statement : body.getStatements()) {
            int start = (int) positions.getStartPosition(unit, statement);
            int end = (int) positions.getEndPosition(unit, statement);
            int number = steps.size();
            LineMap map = unit.getLineMap();
            steps.add(new Step((int) map.getLineNumber(start), text.substring(start, end), comments(end)));
            if (statement instanceof ExpressionStatementTree expression) {
                call(start, "steps.show(" + number + ", () -> ");
                call((int) positions.getEndPosition(unit, expression.getExpression()), ")");
            } else if (statement instanceof VariableTree variable) {
                call(start, "steps.begin(" + number + ");");
                call(end, "steps.end(" + number + ", " + variable.getName() + ");");
            } else if (!(statement instanceof ClassTree)) {
                call(start, "steps.begin(" + number + ");");
                call(end, "steps.end(" + number + ");");
            }
        }
    }

    /** The comments in the lines below; else the one that follows in the line. */
    private List<String> comments(int end) {
        List<String> comments = new ArrayList<>();
        String[] lines = text.substring(end).split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String line = i == 0 ? lines[i].stripLeading() : lines[i];
            if (line.startsWith(MARK)) {
                comments.add(
                        line.substring(MARK.length()).replaceFirst("^ ", "").stripTrailing());
            } else if (i > 0 || !line.isBlank()) {
                break;
            }
        }
        boolean isProseFirst = comments.size() > 1 && !lines[0].isBlank();
        return List.copyOf(isProseFirst ? comments.subList(1, comments.size()) : comments);
    }

    private void placeBlocks(Page page) {
        for (int i = 0; i < page.blocks().size(); i++) {
            Block block = page.blocks().get(i);
            if (!block.isForTheEye()) {
                call(startOfLine(block.line() + block.lines().size()), "steps.block(" + i + ");");
            }
        }
    }

    private int startOfLine(int line) {
        int place = 0;
        for (int i = 1; i < line; i++) {
            place = text.indexOf('\n', place) + 1;
        }
        return place;
    }

    private void call(int place, String call) {
        calls.merge(place, call, String::concat);
    }
}
