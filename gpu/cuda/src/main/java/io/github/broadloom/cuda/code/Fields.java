package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.CudaArgument.Address;
import io.github.broadloom.cuda.code.CudaArgument.Given;
import io.github.broadloom.cuda.code.CudaArgument.Word;
import io.github.broadloom.cuda.code.Pieces.Piece;
import io.github.broadloom.kernels.KernelSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The struct {@code Par} that is a kernel's only parameter, its text and, for each piece of the iteration, its contents. A field is
 * offered by whoever knows its value; the struct has those that the kernel's text reads.
 */
final class Fields {
    private record Field(String type, String name, Function<Piece, List<CudaArgument>> values) {
        boolean isReadBy(String text) {
            String read = "p." + name;
            int at = text.indexOf(read);
            while (at >= 0 && !isWord(text, at, at + read.length())) {
                at = text.indexOf(read, at + 1);
            }
            return at >= 0;
        }
    }

    private static boolean isWord(String text, int start, int end) {
        return !Character.isJavaIdentifierPart(text.charAt(start - 1))
                && !Character.isJavaIdentifierPart(text.charAt(end));
    }

    private final List<Field> eightBytes = new ArrayList<>();
    private final List<Field> words = new ArrayList<>();
    private final List<Field> fields = new ArrayList<>();

    /** The address of a stream's first element in a piece. */
    void stream(String type, String name, int slot, int elementBytes) {
        eightBytes.add(new Field(
                type + "*", name, piece -> List.of(new Address(slot, piece.offsets()[slot] * elementBytes))));
    }

    /** The address of the error flag. */
    void error(int slot) {
        eightBytes.add(new Field("u32*", "error", piece -> List.of(new Address(slot, 0))));
    }

    /** The numbers that a call gives. */
    void given(KernelSpec spec) {
        for (int i = 0; i < spec.numbers().size(); i++) {
            Given given = new Given(i, spec.numbers().get(i));
            boolean wide = given.sizeBytes() == Long.BYTES;
            (wide ? eightBytes : words).add(new Field(given.type(), given.name(), piece -> List.of(given)));
        }
    }

    /** A number below 2³¹. */
    void word(String name, ToLongFunction<Piece> value) {
        words.add(new Field("u32", name, piece -> List.of(new Word(Math.toIntExact(value.applyAsLong(piece))))));
    }

    /** A number that the kernel divides by. */
    void divisor(String name, ToLongFunction<Piece> value) {
        words.add(new Field("bl_Divisor", name, piece -> {
            Divisor by = Divisor.of(value.applyAsLong(piece));
            return List.of(new Word(by.divisor()), new Word(by.multiplier()), new Word(by.shift()));
        }));
    }

    /** The declaration of the struct of a kernel, which from now on has the fields that the kernel's text reads. */
    String declare(String text) {
        fields.addAll(eightBytes);
        fields.addAll(words);
        fields.removeIf(field -> !field.isReadBy(text));
        StringBuilder out = new StringBuilder("struct Par {\n");
        fields.forEach(field -> out.append("  ")
                .append(field.type())
                .append(' ')
                .append(field.name())
                .append(";\n"));
        return out.append("};\n").toString();
    }

    /** The contents of the struct for a piece. */
    List<CudaArgument> arguments(Piece piece) {
        List<CudaArgument> arguments = new ArrayList<>();
        fields.forEach(field -> arguments.addAll(field.values().apply(piece)));
        return arguments;
    }
}
