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

    static String name(KernelSpec.Number number) {
        return "n" + number.number();
    }

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

    /** The method, of that type and name, that gives a kernel of the named class with numbers, or something else where nothing is assigned. */
    static String setter(String method, String name, String otherwise, String assignments) {
        if (assignments.isEmpty()) {
            return """
                    public METHOD(List numbers) {
                        return OTHERWISE;
                    }
                """.replace("METHOD", method).replace("OTHERWISE", otherwise);
        }
        return """
                public METHOD(List numbers) {
                    NAME kernel = new NAME();
                    kernel.set(numbers);
                    return kernel;
                }

                private void set(List numbers) {
            ASSIGNMENTS    }
            """.replace("METHOD", method).replace("NAME", name).replace("ASSIGNMENTS", assignments);
    }
}
