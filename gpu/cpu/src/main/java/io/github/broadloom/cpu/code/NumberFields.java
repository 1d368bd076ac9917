package io.github.broadloom.cpu.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.kernels.KernelSpec;
import java.util.List;

/** The numbers of a call as fields of a rendered class. */
final class NumberFields {
    private final List<DType> numbers;

    NumberFields(KernelSpec spec) {
        this.numbers = spec.numbers();
    }

    /** The field of a number. */
    static String name(KernelSpec.Number number) {
        return "n" + number.number();
    }

    boolean isEmpty() {
        return numbers.isEmpty();
    }

    /** The fields. */
    String declarations() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < numbers.size(); i++) {
            text.append(
                    "    private %s n%d;\n".formatted(numbers.get(i).valueType().javaName(), i));
        }
        return text.toString();
    }

    /** Sets the fields from {@code List numbers}. */
    String assignments() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < numbers.size(); i++) {
            String type = numbers.get(i).valueType().javaName();
            text.append("        n%1$d = ((Number) numbers.get(%1$d)).%2$sValue();\n".formatted(i, type));
        }
        return text.toString();
    }

    /**
     * The method {@code with} of a kernel that keeps nothing but its numbers.
     *
     * @param type what the kernel implements
     * @param name of the class
     */
    String with(String type, String name) {
        if (isEmpty()) {
            return """

                        public TYPE with(List numbers) {
                            return this;
                        }
                    """.replace("TYPE", type);
        }
        return """

                    public TYPE with(List numbers) {
                        NAME kernel = new NAME();
                        kernel.set(numbers);
                        return kernel;
                    }

                    private void set(List numbers) {
                ASSIGNMENTS    }
                """.replace("TYPE", type).replace("NAME", name).replace("ASSIGNMENTS", assignments());
    }
}
