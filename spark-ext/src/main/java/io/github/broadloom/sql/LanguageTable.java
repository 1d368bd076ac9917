package io.github.broadloom.sql;

import io.github.broadloom.exec.Scala;
import io.github.broadloom.expr.parse.Language;
import io.github.broadloom.expr.parse.Language.Chapter;
import io.github.broadloom.expr.parse.Language.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** {@code SELECT * FROM tensor_language()}: a row for each thing that can be written in a text of {@code tensor_eval}. */
final class LanguageTable {
    static final String NAME = TensorFunctions.PREFIX + "language";

    private static final StructType COLUMNS = new StructType()
            .add("kind", DataTypes.StringType, false)
            .add("name", DataTypes.StringType, false)
            .add("other_names", DataTypes.createArrayType(DataTypes.StringType, false), false)
            .add("arguments", DataTypes.StringType, false)
            .add("gives", DataTypes.StringType, false)
            .add("function", DataTypes.StringType);

    private LanguageTable() {}

    static ExpressionInfo info() {
        return FunctionText.LANGUAGE.info(NAME, LanguageTable.class);
    }

    static LogicalPlan rows(Seq<Expression> arguments) {
        CallArguments.checkCount(NAME, arguments.size(), List.of(), 0, 0);
        List<Row> rows = Stream.concat(Language.functions().stream(), Language.signs().stream())
                .map(LanguageTable::row)
                .toList();
        List<Attribute> columns = new ArrayList<>(CollectionConverters.asJava(DataTypeUtils.toAttributes(COLUMNS)));
        return LocalRelation.fromExternalRows(Scala.seq(columns), Scala.seq(rows));
    }

    private static Row row(Entry entry) {
        boolean isFunction = entry.chapter().compareTo(Chapter.REDUCTION) <= 0;
        return RowFactory.create(
                entry.chapter().title(),
                entry.name(),
                entry.others().toArray(String[]::new),
                entry.signature(),
                entry.gives(),
                isFunction ? TensorFunctions.PREFIX + TensorFunctions.nameOf(entry) : null);
    }
}
