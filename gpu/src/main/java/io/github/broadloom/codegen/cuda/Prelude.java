package io.github.broadloom.codegen.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The device functions that kernels call, kept in the resource {@code prelude.cuh}. A kernel gets those it names, those that
 * they name, and no others.
 *
 * <p>In the resource an empty line ends a section; a section defines the names {@code bl_…}, {@code BL_…} and types that its first
 * line, a comment {@code //: name name}, lists. Sections stand in an order in which they compile.
 */
public final class Prelude {
    private static final Pattern NAME = Pattern.compile("\\b[A-Za-z_]\\w*\\b");
    private static final Prelude INSTANCE = read();

    private record Section(List<String> names, String text) {}

    private final List<Section> sections;
    private final Map<String, Integer> sectionOf = new HashMap<>();

    private Prelude(List<Section> sections) {
        this.sections = sections;
        for (int i = 0; i < sections.size(); i++) {
            for (String name : sections.get(i).names()) {
                if (sectionOf.put(name, i) != null) {
                    throw new IllegalStateException("Cannot read prelude.cuh: two sections define " + name);
                }
            }
        }
    }

    /** The translation unit: what the kernel needs of the prelude, then the kernel. */
    public static String before(String kernel) {
        return INSTANCE.needed(kernel) + kernel;
    }

    private String needed(String kernel) {
        BitSet needed = new BitSet();
        Deque<String> texts = new ArrayDeque<>(List.of(kernel));
        while (!texts.isEmpty()) {
            Matcher names = NAME.matcher(texts.pop());
            while (names.find()) {
                Integer section = sectionOf.get(names.group());
                if (section != null && !needed.get(section)) {
                    needed.set(section);
                    texts.push(sections.get(section).text());
                }
            }
        }
        StringBuilder out = new StringBuilder();
        needed.stream()
                .forEach(section -> out.append(sections.get(section).text()).append("\n"));
        return out.toString();
    }

    private static Prelude read() {
        try (InputStream resource = Prelude.class.getResourceAsStream("prelude.cuh")) {
            if (resource == null) {
                throw new IllegalStateException("Cannot read prelude.cuh: the resource is missing from the jar");
            }
            return new Prelude(sections(new String(resource.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Section> sections(String text) {
        List<Section> sections = new ArrayList<>();
        for (String block : text.split("\n\n+")) {
            if (block.startsWith("//:")) {
                int end = block.indexOf('\n');
                List<String> names = List.of(block.substring(3, end).trim().split(" "));
                sections.add(new Section(names, block.substring(end + 1).stripTrailing() + "\n"));
            }
        }
        return sections;
    }
}
