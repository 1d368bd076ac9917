package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.CudaArgument.Given;
import io.github.broadloom.cuda.code.CudaArgument.Long64;
import io.github.broadloom.cuda.code.CudaArgument.Word;
import io.github.broadloom.cuda.code.Pieces.Piece;
import io.github.broadloom.kernels.KernelSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The struct {@code Par} that is a kernel's only parameter, and what a launch passes in it, which may differ from piece to piece of an iteration: first what
 * has 8 bytes, then the words. A field is offered by whoever knows its value; the struct has those that the kernel's text reads. A count below 2³¹ is a
 * {@link Divisor} in it where the text divides by it, as in {@code i % p.rows}, which is a multiplication then.
 */
final class KernelParameters {
    /** The fields that a kernel reads, in their order. */
    record Struct(List<Field> fields) {
        String declaration() {
            return fields.stream()
                    .map(field -> "  %s %s;\n".formatted(field.type, field.name))
                    .collect(Collectors.joining("", "struct Par {\n", "};\n"));
        }

        List<CudaArgument> arguments(Piece piece) {
            return fields.stream()
                    .flatMap(field -> field.values.apply(piece).stream())
                    .toList();
        }
    }

    private record Field(String type, String name, Function<Piece, List<CudaArgument>> values) {}

    private static final Pattern READ = Pattern.compile("\\bp\\.(\\w+)");
    private static final Pattern DIVIDED_BY = Pattern.compile("[/%] p\\.(\\w+)");
    private static final Piece WHOLE = new Piece(new long[0], new long[0]);

    private final boolean isWide;
    private String prefix = "";
    private final List<Field> eightBytes = new ArrayList<>();
    private final List<Field> words = new ArrayList<>();

    /** The counts below 2³¹, as a kernel wants them that divides by them. */
    private final Map<String, Function<Piece, List<CudaArgument>>> divisors = new HashMap<>();

    /** @param most that is counted: the type {@code Index} of counts and positions has 32 bits below 2³¹, else 64 */
    KernelParameters(long most) {
        this.isWide = most > Integer.MAX_VALUE;
    }

    /** What the names of the fields begin with from now on. */
    void prefix(String prefix) {
        this.prefix = prefix;
    }

    private void add(List<Field> fields, String type, String name, CudaArgument value) {
        fields.add(new Field(type, prefix + name, piece -> List.of(value)));
    }

    /** A pointer; the type is that of what it points to. */
    void pointer(String type, String name, Address address) {
        add(eightBytes, type + "*", name, address);
    }

    /** The address of a stream's first element in a piece. */
    void stream(String type, String name, int slot, int elementBytes) {
        eightBytes.add(new Field(
                type + "*", name, piece -> List.of(new Address(slot, piece.offsets()[slot] * elementBytes))));
    }

    /** A step in elements; it may go backwards. */
    void stride(String name, long elements) {
        add(eightBytes, "long long", name, new Long64(elements));
    }

    void number(String name, double value) {
        add(eightBytes, "double", name, new Long64(Double.doubleToRawLongBits(value)));
    }

    /** The numbers that a call gives, from the program's first on. */
    void given(KernelSpec spec, int first) {
        for (int i = 0; i < spec.numbers().size(); i++) {
            Given own = new Given(i, spec.numbers().get(i));
            given(own.name(), new Given(first + i, own.dtype()));
        }
    }

    void given(String name, Given given) {
        add(given.sizeBytes() == Long.BYTES ? eightBytes : words, given.type(), name, given);
    }

    /** A count or a place: a number below 2³¹ where none is above. */
    void index(String name, long value) {
        if (isWide) {
            add(eightBytes, "Index", name, new Long64(value));
        } else {
            count("Index", name, piece -> value);
        }
    }

    /** A number below 2³¹. */
    void word(String name, ToLongFunction<Piece> value) {
        count("u32", name, value);
    }

    private void count(String type, String name, ToLongFunction<Piece> value) {
        words.add(
                new Field(type, prefix + name, piece -> List.of(new Word(Math.toIntExact(value.applyAsLong(piece))))));
        divisors.put(prefix + name, piece -> {
            int number = Math.toIntExact(value.applyAsLong(piece));
            Divisor by = Divisor.of(Math.max(1, number)); // in a loop of size 0 nobody asks for an index
            return List.of(new Word(number), new Word(by.multiplier()), new Word(by.shift()));
        });
    }

    Struct readBy(String text) {
        Set<String> read = namesIn(READ, text);
        Set<String> divided = namesIn(DIVIDED_BY, text);
        return new Struct(Stream.concat(eightBytes.stream(), words.stream())
                .filter(field -> read.contains(field.name))
                .map(field -> divided.contains(field.name) && divisors.containsKey(field.name)
                        ? new Field("bl_Divisor", field.name, divisors.get(field.name))
                        : field)
                .toList());
    }

    private static Set<String> namesIn(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toSet());
    }

    /** One run of a kernel that takes these; the functions are the translation unit but the prelude and the struct. */
    CudaLaunch launch(String entry, String functions, long threads, int ofBlock) {
        Struct struct = readBy(functions);
        String text = "typedef " + (isWide ? "u64" : "u32") + " Index;\n\n" + struct.declaration() + "\n" + functions;
        CudaSource source = new CudaSource(entry, Prelude.before(text));
        int blocks = Math.toIntExact(CudaLaunch.ceilDiv(threads, ofBlock));
        return new CudaLaunch(source, blocks, ofBlock, struct.arguments(WHOLE));
    }
}
