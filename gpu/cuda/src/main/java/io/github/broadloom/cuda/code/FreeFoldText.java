package io.github.broadloom.cuda.code;

/**
 * A fold whose order never shows, such as a maximum or a sum of integers: every lane has an accumulator, and the lanes of a team meet
 * at the end.
 */
final class FreeFoldText extends FoldKernelText {
    FreeFoldText(FoldStage stage, Target target) {
        super(stage, target);
    }

    @Override
    String steps() {
        return new FoldStepText(type, form, stage.levels()).free();
    }

    @Override
    String body() {
        StringBuilder text = new StringBuilder(begin()).append("  Index j = 0;\n");
        if (form.unroll() > 1) {
            text.append(loop(form.step(), readStep() + "    total = join(total, joined(node));\n"));
        }
        if (form.packet() > 1) {
            String packet = "    total = join(total, " + read("packet", form.packet()) + ");\n";
            text.append(loop(form.lanes() * form.packet(), packet));
        }
        text.append(
                form.lanes() > 1
                        ? "  for (j += lane; j < count; j += %du) {\n".formatted(form.lanes())
                        : "  for (; j < count; j++) {\n");
        text.append("    total = join(total, ").append(read("value", "j")).append(");\n  }\n");
        for (int distance = 1; distance < form.lanes(); distance *= 2) {
            text.append("  total = join(total, across(total, %du));\n".formatted(distance));
        }
        return text.append(part.leaf())
                .append(store(part.leafPlace(), "total").indent(2))
                .toString();
    }
}
