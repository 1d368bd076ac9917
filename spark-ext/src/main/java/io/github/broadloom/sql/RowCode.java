package io.github.broadloom.sql;

import io.github.broadloom.exec.Scala;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.Block;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import scala.StringContext;

/** The code that Spark runs for each row: it hands the cells to a {@link RowFunction}. No text of the user's gets into it. */
final class RowCode {
    private final List<String> texts = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();
    private StringBuilder text = new StringBuilder();

    private RowCode() {}

    /** @param function the name of a {@link RowFunction} in the generated code */
    static ExprCode of(
            RowExpression expression,
            List<Expression> arguments,
            String function,
            CodegenContext context,
            ExprCode result) {
        String cells = context.freshName("cells");
        RowCode code = new RowCode();
        code.add("Object[] " + cells + " = new Object[" + arguments.size() + "];\n");
        for (int i = 0; i < arguments.size(); i++) {
            ExprCode argument = arguments.get(i).genCode(context);
            code.add(argument.code(), "\nif (!", argument.isNull(), ") { " + cells + "[" + i + "] = ");
            code.add(argument.value(), "; }\n");
        }
        String value = context.freshName("value");
        String type = CodeGenerator.javaType(expression.dataType());
        String boxed = CodeGenerator.boxedType(expression.dataType());
        code.add("Object " + value + " = " + function + ".evaluate(" + cells + ");\nboolean ");
        code.add(result.isNull(), " = " + value + " == null;\n" + type + " ", result.value(), " = ");
        code.add(result.isNull(), " ? " + CodeGenerator.defaultValue(expression.dataType(), false) + " : (");
        code.add(boxed + ") " + value + ";\n");
        return result.copy(code.block(), result.isNull(), result.value());
    }

    private void add(Object... pieces) {
        for (Object piece : pieces) {
            if (piece instanceof String more) {
                text.append(more);
            } else {
                texts.add(text.toString());
                values.add(piece);
                text = new StringBuilder();
            }
        }
    }

    private Block block() {
        texts.add(text.toString());
        StringContext parts = new StringContext(Scala.seq(texts));
        return new Block.BlockHelper(parts).code(Scala.seq(values));
    }
}
