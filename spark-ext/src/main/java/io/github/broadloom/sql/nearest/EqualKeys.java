package io.github.broadloom.sql.nearest;

import io.github.broadloom.exec.Conjuncts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.CaseWhen;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.catalyst.expressions.Literal;

/**
 * A ranking of pairs of equal keys alone: {@code CASE WHEN l.country = r.country AND l.year = r.year THEN ranking END}. All others have no rank.
 *
 * @param left the keys of the left side, in the order of those of the right
 * @param ranking of pairs whose keys are equal
 */
record EqualKeys(List<Expression> left, List<Expression> right, Expression ranking) {
    static Optional<EqualKeys> of(Expression ranking, AttributeSet left, AttributeSet right) {
        if (ranking instanceof CaseWhen choice
                && choice.branches().size() == 1
                && (choice.elseValue().isEmpty() || isNull(choice.elseValue().get()))) {
            return of(
                    choice.branches().apply(0)._1(), choice.branches().apply(0)._2(), left, right);
        }
        return ranking instanceof If choice && isNull(choice.falseValue())
                ? of(choice.predicate(), choice.trueValue(), left, right)
                : Optional.empty();
    }

    private static boolean isNull(Expression expression) {
        return expression instanceof Literal literal && literal.value() == null;
    }

    private static Optional<EqualKeys> of(
            Expression condition, Expression ranking, AttributeSet left, AttributeSet right) {
        EqualKeys keys = new EqualKeys(new ArrayList<>(), new ArrayList<>(), ranking);
        return Conjuncts.of(condition).allMatch(each -> keys.add(each, left, right))
                ? Optional.of(keys)
                : Optional.empty();
    }

    private boolean add(Expression condition, AttributeSet ofLeft, AttributeSet ofRight) {
        if (!(condition instanceof EqualTo equal)) {
            return false;
        }
        Expression one = equal.left();
        Expression other = equal.right();
        boolean isOrdered =
                one.references().subsetOf(ofLeft) && other.references().subsetOf(ofRight);
        boolean isSwapped =
                one.references().subsetOf(ofRight) && other.references().subsetOf(ofLeft);
        left.add(isOrdered ? one : other);
        right.add(isOrdered ? other : one);
        return isOrdered || isSwapped;
    }
}
