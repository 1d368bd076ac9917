package io.github.broadloom.generator;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.StatementTree;
import com.sun.source.tree.VariableTree;
import io.github.broadloom.generator.Definition.Function;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The loops of a function of floats, one of each statement. What is declared as a double lies in the scratch array for the next three
 * statements; a float lies in the result, which may be the operand, so that this must not be read any more.
 */
final class StagedLoops {
    private static final String OPERAND_PLACE = "from + i";

    /** Where floats lie in the result. */
    private static final String PLACE = "at + VectorDoubles.SPREAD * i";

    private static final List<String> REGIONS = List.of("i", "count + i", "2 * count + i");

    private final String definition;
    private final Function function;
    private final VectorTranslator translator;
    private final Map<String, String> constants;
    private final List<VariableTree> locals = new ArrayList<>();
    private @Nullable ExpressionTree condition;

    private StagedLoops(
            String definition, Function function, VectorTranslator translator, Map<String, String> constants) {
        this.definition = definition;
        this.function = function;
        this.translator = translator;
        this.constants = constants;
    }

    /**
     * In their order.
     *
     * @param definition the class of the function
     * @param constants the names of the class's vectors by their definitions; takes others
     */
    static List<VectorLoop> of(
            String definition, Function function, VectorTranslator translator, Map<String, String> constants) {
        StagedLoops stages = new StagedLoops(definition, function, translator, constants);
        List<VectorLoop> loops = new ArrayList<>();
        for (StatementTree statement : function.statements()) {
            if (statement instanceof IfTree choice) {
                stages.condition = choice.getCondition();
            } else {
                loops.add(stages.loop(statement));
            }
        }
        return loops;
    }

    private VectorLoop loop(StatementTree statement) {
        VectorLoop loop = VectorLoop.longOf(constants);
        String operand = function.operands().get(0).getName().toString();
        loop.read(operand, operand, OPERAND_PLACE, Lane.FLOAT);
        function.numbers().forEach(loop::number);
        for (int i = Math.max(locals.size() - REGIONS.size(), 0); i < locals.size(); i++) {
            VariableTree local = locals.get(i);
            loop.read(local.getName().toString(), array(local), index(local, i), Lane.of(local.getType()));
        }
        if (condition != null) {
            loop.leave(
                    translator.value(condition, loop),
                    "for (int k = 0; k < VectorDoubles.LANES; k++) {",
                    "    out[%s + k] = %s.%s(%s[%s + k]);"
                            .formatted(PLACE, definition, function.name(), operand, OPERAND_PLACE),
                    "}");
            condition = null;
        }
        if (statement instanceof VariableTree local) {
            Value value = translator.value(local.getInitializer(), loop);
            loop.write(value, Lane.of(local.getType()), array(local), index(local, locals.size()));
            locals.add(local);
        } else {
            loop.write(translator.value(((ReturnTree) statement).getExpression(), loop), Lane.FLOAT, "out", PLACE);
        }
        return loop;
    }

    private static boolean isDouble(VariableTree local) {
        return Lane.of(local.getType()) == Lane.DOUBLE;
    }

    private static String array(VariableTree local) {
        return isDouble(local) ? "u" : "out";
    }

    private static String index(VariableTree local, int number) {
        return isDouble(local) ? REGIONS.get(number % REGIONS.size()) : PLACE;
    }
}
