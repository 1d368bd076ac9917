package io.github.broadloom.cuda.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.ops.Op;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PreludeTest {
    private static final Pattern NAME = Pattern.compile("\\bbl_\\w+");

    @Test
    void aKernelGetsWhatItCallsAndWhatThatCalls() {
        String text = Prelude.before("float value(float x) { return bl_clamp(x, 0.0f, 1.0f); }\n");
        assertThat(text).contains("float bl_clamp(float", "float bl_maximum(float", "#define BL_DEVICE");
        assertThat(text.indexOf("float bl_maximum(")).isLessThan(text.indexOf("float bl_clamp("));
    }

    @Test
    void andNothingElse() {
        String text = Prelude.before("float value(float x) { return bl_clamp(x, 0.0f, 1.0f); }\n");
        assertThat(text).doesNotContain("double bl_clamp(", "int bl_maximum(", "bl_half", "typedef");
        assertThat(Prelude.before("float value(float x) { return x; }\n"))
                .isEqualTo("float value(float x) { return x; }\n");
    }

    @Test
    void everyFunctionThatARowCallsIsThere() {
        for (Op op : Op.all()) {
            List<String> names =
                    Collections.nCopies(op.arity() + op.parameters().size(), "x");
            for (DType dtype : DType.values()) {
                String type = dtype.valueType().cudaName();
                Matcher called = NAME.matcher(op.supports(dtype) ? op.cuda(dtype, names) : "");
                while (called.find()) {
                    String text = Prelude.before("const " + type + " y = " + called.group() + ";\n");
                    boolean known =
                            called.group().equals(CudaProgramText.ERROR) || text.contains(" " + called.group() + "(");
                    assertThat(known).as("%s for %s", called.group(), dtype).isTrue();
                }
            }
        }
    }
}
