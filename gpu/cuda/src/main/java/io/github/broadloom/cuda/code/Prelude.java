package io.github.broadloom.cuda.code;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The device functions that kernels call, kept in the resource {@code prelude.cuh}. A kernel gets those it names, those that
 * they name, and no others: of a function for several types, the overloads for the types that are in use.
 *
 * <p>In the resource an empty line ends a section. A section begins with a comment {@code //: name name @type}: the names that it
 * defines and, of an overload, its type ({@code long_long} is one word). Sections stand in an order in which they compile.
 */
public final class Prelude {
    private static final Pattern WORD = Pattern.compile("long long|[A-Za-z_]\\w*");

    private static final Pattern NAME_OR_CAST = Pattern.compile("\\((double|float)\\) |(\\b(?:bl_|BL_|u\\d)\\w*)");

    /** The types of values by those of stored elements, which C makes of them before it computes. */
    private static final Map<String, String> VALUE_TYPES =
            Map.of("u8", "int", "char", "int", "short", "int", "u16", "float", "long long", "long_long");

    private static final List<Section> SECTIONS = read();

    /** @param uses the names that it uses, and the types that it converts to: for these it may want overloads */
    private record Section(List<String> names, String type, String text, List<String> uses) {
        boolean isNeeded(Set<String> words) {
            return (type.isEmpty() || words.contains(type)) && names.stream().anyMatch(words::contains);
        }
    }

    private Prelude() {}

    /** The translation unit: what the kernel needs of the prelude, then the kernel. */
    public static String before(String kernel) {
        Set<String> words = wordsOf(kernel);
        BitSet needed = new BitSet();
        for (int before = -1; before < needed.cardinality(); ) {
            before = needed.cardinality();
            for (int i = SECTIONS.size() - 1; i >= 0; i--) { // what is used stands before what uses it
                if (!needed.get(i) && SECTIONS.get(i).isNeeded(words)) {
                    needed.set(i);
                    words.addAll(SECTIONS.get(i).uses());
                }
            }
        }
        StringBuilder out = new StringBuilder();
        needed.stream().forEach(i -> out.append(SECTIONS.get(i).text()).append('\n'));
        return out.append(kernel).toString();
    }

    /** The words of a kernel, and the types of what it computes with. */
    private static Set<String> wordsOf(String kernel) {
        Set<String> words = new HashSet<>();
        Matcher matcher = WORD.matcher(kernel);
        while (matcher.find()) {
            words.add(matcher.group());
            words.add(VALUE_TYPES.getOrDefault(matcher.group(), matcher.group()));
        }
        return words;
    }

    private static List<String> usedBy(String section) {
        List<String> words = new ArrayList<>();
        Matcher matcher = NAME_OR_CAST.matcher(section);
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return words;
    }

    private static List<Section> read() {
        try (InputStream resource = Prelude.class.getResourceAsStream("prelude.cuh")) {
            if (resource == null) {
                throw new IllegalStateException("Cannot read prelude.cuh: the resource is missing from the jar");
            }
            return sections(new String(resource.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Section> sections(String text) {
        List<Section> sections = new ArrayList<>();
        for (String block : text.split("\n\n+")) {
            if (block.startsWith("//:")) {
                int end = block.indexOf('\n');
                String[] head = block.substring(3, end).split("@");
                List<String> names = List.of(head[0].trim().split(" "));
                String type = head.length == 1 ? "" : head[1].trim();
                String body = block.substring(end + 1).stripTrailing() + "\n";
                sections.add(new Section(names, type, body, usedBy(body)));
            }
        }
        return sections;
    }
}
