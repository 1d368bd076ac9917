package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Given;
import io.github.broadloom.cuda.code.CudaArgument.Long64;
import io.github.broadloom.cuda.code.CudaArgument.Word;
import io.github.broadloom.kernels.KernelSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The struct that is a kernel's only parameter, and what a launch passes in it: first what has 8 bytes, then the words. A field is offered
 * by whoever knows its value; the struct has those that the kernel's text reads.
 */
final class KernelParameters {
    /** The C type of counts and positions of elements. */
    enum Index {
        /** 32 bits, for fewer than 2³¹ elements. */
        U32,
        /** 64 bits. */
        U64;

        static Index of(long elements) {
            return elements <= Integer.MAX_VALUE ? U32 : U64;
        }

        String type() {
            return this == U32 ? "u32" : "u64";
        }
    }

    private record Field(String type, String name, CudaArgument value) {
        boolean isReadBy(String text) {
            return Pattern.compile("\\bp\\." + name + "\\b").matcher(text).find();
        }
    }

    private final Index index;
    private String prefix = "";
    private final List<Field> eightBytes = new ArrayList<>();
    private final List<Field> words = new ArrayList<>();

    KernelParameters(Index index) {
        this.index = index;
    }

    /** What the names of the fields begin with from now on. */
    void prefix(String prefix) {
        this.prefix = prefix;
    }

    /** A pointer; the type is that of what it points to. */
    void pointer(String type, String name, CudaArgument.Address address) {
        eightBytes.add(new Field(type + "*", prefix + name, address));
    }

    /** A step in elements; it may go backwards. */
    void stride(String name, long elements) {
        eightBytes.add(new Field("long long", prefix + name, new Long64(elements)));
    }

    /** A number. */
    void number(String name, double value) {
        eightBytes.add(new Field("double", prefix + name, new Long64(Double.doubleToRawLongBits(value))));
    }

    /** The numbers that a call gives. */
    void given(KernelSpec spec) {
        given(spec, 0);
    }

    /** @param first which number of the call is the program's first */
    void given(KernelSpec spec, int first) {
        for (int i = 0; i < spec.numbers().size(); i++) {
            Given own = new Given(i, spec.numbers().get(i));
            Given given = new Given(first + i, own.dtype());
            boolean wide = given.sizeBytes() == Long.BYTES;
            (wide ? eightBytes : words).add(new Field(given.type(), prefix + own.name(), given));
        }
    }

    /** A count or a position. */
    void index(String name, long value) {
        if (index == Index.U64) {
            eightBytes.add(new Field("Index", prefix + name, new Long64(value)));
        } else {
            words.add(new Field("Index", prefix + name, new Word(Math.toIntExact(value))));
        }
    }

    /** The definitions of {@code Index} and of the struct {@code Par} for a kernel of that text. */
    String declaration(String text) {
        StringBuilder out = new StringBuilder("typedef " + index.type() + " Index;\n\nstruct Par {\n");
        readBy(text).forEach(field -> out.append("  %s %s;\n".formatted(field.type(), field.name())));
        return out.append("};\n").toString();
    }

    /** The fields' values for a kernel of that text. */
    List<CudaArgument> arguments(String text) {
        return readBy(text).stream().map(Field::value).toList();
    }

    /**
     * One run of a kernel that takes these.
     *
     * @param functions the functions and the kernel: the translation unit but the prelude and the struct
     */
    CudaLaunch launch(String entry, String functions, long blocks, int threads) {
        CudaSource source = new CudaSource(entry, Prelude.before(declaration(functions) + "\n" + functions));
        return new CudaLaunch(source, Math.toIntExact(blocks), threads, arguments(functions));
    }

    private List<Field> readBy(String text) {
        return Stream.concat(eightBytes.stream(), words.stream())
                .filter(field -> field.isReadBy(text))
                .toList();
    }
}
