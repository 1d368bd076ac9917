package io.github.broadloom.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.SomeOf;
import io.github.broadloom.spark.LocalSpark;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The functions in all that SQL has besides {@code SELECT}, over six rows: id, a group of it by three, [id, id + 1] and [2, 3]. */
class SqlStatementsTest extends SqlTest {
    /** Queries of one row. */
    private static final Map<String, String> QUERIES = new LinkedHashMap<>();

    static {
        QUERIES.put("select tensor_sub(a, (select tensor_mean(a) from t)) y from t where id = 5", "[2.5,2.5]");
        QUERIES.put(
                "select tensor_sub(a, (select tensor_mean(u.a) from t u where u.g = t.g)) y from t where id = 4",
                "[1.5,1.5]");
        QUERIES.put(
                "select sum(id) y from t where exists (select 1 from t u where u.g = t.g and tensor_eval('x.sum()', u.a) > 9)",
                "7");
        QUERIES.put(
                "select * from (select g, id % 2 h, a from t) pivot (tensor_sum(a) for h in (0 as x, 1 as y)) where g = 1",
                "1 [4.0,5.0] [1.0,2.0]");
        QUERIES.put(
                "select y from t, lateral (select tensor_sum(u.a) y from t u where u.g = t.g) where id = 0",
                "[3.0,5.0]");
        QUERIES.put("select sum(e) y from t lateral view explode(tensor_add(a, b)) as e", "66.0");
        QUERIES.put("select tensor_sum(tensor_add(a, b)) y from t tablesample (100 percent)", "[27.0,39.0]");
        QUERIES.put("select tensor_add(a, b) x, tensor_mul(x, 2) y from t where id = 1", "[3.0,5.0] [6.0,10.0]");
        QUERIES.put("select tensor_mul(b, 2) x, tensor_sum(a) y from t group by x", "[4.0,6.0] [15.0,21.0]");
        QUERIES.put(
                "select tensor_sum(distinct b) x, tensor_sum(a) filter (where id > 3) y from t",
                "[2.0,3.0] [9.0,11.0]");
        QUERIES.put(
                "select y from (select grouping(g) as s, tensor_sum(a) as y from t group by rollup (g)) where s = 1",
                "[15.0,21.0]");
        QUERIES.put("select count(*) y from t l join t r on tensor_eval('x.sum() - z.sum()', l.a, r.a) = 2", "5");
        QUERIES.put(
                "select count(tensor_add(l.a, r.a)) x, count(*) y from t l full outer join (select * from t where id > 3) r on l.id = r.id",
                "2 6");
        if (LocalSpark.isSince("4.1")) { // 4.0 has no plan for them
            QUERIES.put(
                    "with recursive r(n, y) as (select 0, array(1f, 2f) union all select n + 1, tensor_mul(y, 2) from r where n < 3)"
                            + " select y from r where n = 3",
                    "[8.0,16.0]");
        }
        QUERIES.put(
                "select case when id > 9 then tensor_add(a, array(1f, 2f, 3f)) else a end y from t where id = 1",
                "[1.0,2.0]");
        QUERIES.put("select aggregate(array(1, 2, 3), array(0, 0), (sum, e) -> tensor_add(sum, e)) y", "[6,6]");
        QUERIES.put(
                "select tensor_sum(a) over (order by id rows between 1 preceding and current row) y from t order by id desc limit 1",
                "[9.0,11.0]");
        QUERIES.put(
                "from t |> where id < 2 |> select tensor_add(a, b) as x |> aggregate tensor_sum(x) as y", "[5.0,9.0]");
        QUERIES.put("select id y from t order by tensor_eval('-x.sum()', a) limit 1", "5");
        QUERIES.put("select count(distinct tensor_mul(b, id % 2)) y from t", "2");
    }

    @TempDir
    private static Path folder;

    @BeforeAll
    static void tables() {
        createTable(
                "t", "select id, id % 3 as g, array(float(id), float(id + 1)) as a, array(2f, 3f) as b from range(6)");
    }

    @AfterAll
    static void dropTables() {
        for (String table : List.of("t", "made", "parted", "defaults")) {
            spark.sql("drop table if exists " + table);
        }
        spark.sql("drop view if exists shown");
    }

    private static void createTable(String name, String query) {
        spark.sql("create table " + name + " using parquet location '" + folder.resolve(name) + "' as " + query);
    }

    /** All values of all rows as JSON has them, the rows sorted. */
    private static String answer(String query) {
        return answer(spark.sql(query));
    }

    private static String answer(Dataset<Row> rows) {
        return rows.toJSON().collectAsList().stream()
                .map(row -> row.replaceAll(",?\"\\w+\":", " ")
                        .replaceAll("[{}]", "")
                        .strip())
                .sorted()
                .collect(Collectors.joining("; "));
    }

    static List<String> ways() {
        return List.of(
                "",
                "spark.sql.ansi.enabled=false spark.broadloom.sql.batches=never",
                "spark.sql.adaptive.enabled=false spark.sql.codegen.wholeStage=false spark.sql.codegen.factoryMode=NO_CODEGEN");
    }

    /** However Spark runs them. */
    @SomeOf(value = "ways", oneIn = 3)
    void queriesHaveTheirAnswers(String settings) {
        Matcher pairs = Pattern.compile("(\\S+)=(\\S+)").matcher(settings);
        List<MatchResult> changed = pairs.results().toList();
        changed.forEach(pair -> spark.conf().set(pair.group(1), pair.group(2)));
        try {
            QUERIES.forEach(
                    (query, expected) -> assertThat(answer(query)).as(query).isEqualTo(expected));
        } finally {
            changed.forEach(pair -> spark.conf().unset(pair.group(1)));
        }
    }

    @Test
    void tablesAreMadeAndFilled() {
        createTable("made", "select id, tensor_add(a, b) as y from t where id < 2");
        spark.sql("insert into made select id + 10, tensor_eval('x * 2', a) from t where id = 3");
        assertThat(answer("select * from made")).isEqualTo("0 [2.0,4.0]; 1 [3.0,5.0]; 13 [6.0,8.0]");
        spark.sql("insert overwrite made select id, tensor_mul(a, 10) from t where id = 1");
        assertThat(answer("select * from made")).isEqualTo("1 [10.0,20.0]");
        spark.sql("create table parted (y array<float>, g bigint) using parquet partitioned by (g) location '"
                + folder.resolve("parted") + "'");
        spark.sql("insert into parted select tensor_add(a, b), g from t");
        assertThat(answer("select g, tensor_sum(y) y from parted where g > 0 group by g"))
                .isEqualTo("1 [9.0,13.0]; 2 [11.0,15.0]");
    }

    @Test
    void columnsHaveDefaults() {
        LocalSpark.assumeSince("4.2", "defaults of columns made of functions that an extension brings");
        spark.sql(
                "create table defaults (id bigint, v array<int> default tensor_add(array(1, 2), 10), n int default tensor_mul(3, 4))"
                        + " using parquet location '" + folder.resolve("defaults") + "'");
        spark.sql("insert into defaults (id) values (7)");
        assertThat(answer("select * from defaults")).isEqualTo("7 [11,12] 12");
    }

    /** A view is a text in the catalog, which every session reads anew. */
    @Test
    void viewsAreForAllSessions() {
        LocalSpark.assumeSince("4.2", "lasting views of functions that an extension brings");
        spark.sql(
                "create view shown as select id, tensor_eval('(x - m) / 2', a, m => b) as y, tensor_mul(a, 0.5) as z from t");
        SparkSession other = spark.newSession();
        assertThat(answer(other.sql("select y, tensor_dtype(z) z from shown where id = 5")))
                .isEqualTo("[1.5,1.5] \"float32\"");
    }

    @Test
    void tablesAreCachedAndObserved() throws InterruptedException {
        spark.sql("cache table kept as select id, tensor_add(a, b) as y from t");
        assertThat(answer("select tensor_sum(y) y from kept")).isEqualTo("[27.0,39.0]");
        spark.sql("drop view kept");
        Observation observed = new Observation();
        spark.table("t")
                .observe(observed, functions.expr("tensor_sum(tensor_add(a, b)) as y"), functions.expr("count(*) as n"))
                .collectAsList();
        assertThat(observed.getAsJava().toString()).contains("27.0, 39.0").contains("n=6");
    }

    @Test
    void functionsAndVariablesOfSql() {
        spark.sql(
                "create temporary function halved(x array<float>, m float) returns array<float> return tensor_eval('(x - m) / 2', x, m)");
        assertThat(answer("select halved(a, 2f) y from t where id = 5")).isEqualTo("[1.5,2.0]");
        spark.sql("declare or replace variable total array<float>");
        spark.sql("set variable total = (select tensor_sum(a) from t)");
        assertThat(answer("select tensor_sub(total, a) y from t where id = 1")).isEqualTo("[14.0,19.0]");
        spark.sql("drop temporary variable total");
    }

    /** A text that is known before the first row is as good as one that is written where the call is. */
    @Test
    void textsMayBePutTogether() {
        spark.sql("declare or replace variable formula string default 'x * 2'");
        assertThat(
                        answer(
                                "select tensor_eval(formula || ' + 1', a) x, tensor_slice(a, '0' || ':1') y from t where id = 1"))
                .isEqualTo("[3.0,5.0] [1.0]");
        assertThat(answer(
                        spark.sql("select tensor_eval(:formula, a) y from t where id = 1", Map.of("formula", "x - 1"))))
                .isEqualTo("[0.0,1.0]");
        spark.sql("drop temporary variable formula");
    }
}
