package io.github.broadloom.generator;

import java.io.IOException;
import java.util.stream.Collectors;

/** Scala's operators of a distributed tensor with a local expression on the right: the rows with a sign. */
public final class DistributedOperators {
    private static final String INTERFACE = """
            // Made from the rows by gpu/generator when the project is built.
            package io.github.broadloom.spark;

            import io.github.broadloom.expr.fluent.LeftOperators;
            import io.github.broadloom.expr.fluent.OpsBase;
            import io.github.broadloom.expr.ops.Ops;
            import io.github.broadloom.lazy.LazyTensor;

            /**
             * The operators of Scala for a distributed tensor with a local expression on the right, as {@code x - (t - t.mean(0))} has one; on
             * its left, {@link LeftOperators} has them. The result is distributed.
             */
            @SuppressWarnings("MemberName") // the names that Scala gives to operators
            public interface RightOperators extends OpsBase<DistributedTensor> {
            %s}
            """;

    private static final String METHOD = """
                /** {@code x %s local}. */
                default DistributedTensor %s(LazyTensor local) {
                    return apply(Ops.%s, local);
                }
            """;

    private DistributedOperators() {}

    public static void main(String... args) throws IOException {
        String methods = ScalaSign.infix()
                .map(sign -> METHOD.formatted(sign.text(), sign.method(), FluentMethods.constant(sign.op())))
                .collect(Collectors.joining("\n"));
        SourceFolder.of(args).write("io.github.broadloom.spark", "RightOperators", INTERFACE.formatted(methods));
    }
}
