package io.github.broadloom.tools;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A client of Spark Connect, for a class path of its own: runs one statement per line of its input, and prints the array in each row, or the refusal's first line. */
final class ConnectClient {
    private ConnectClient() {}

    public static void main(String[] arguments) throws IOException {
        try (BufferedReader statements = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                SparkSession spark = SparkSession.builder()
                        .config("spark.api.mode", "connect")
                        .remote(arguments[0])
                        .getOrCreate()) {
            for (String statement = statements.readLine(); statement != null; statement = statements.readLine()) {
                run(spark, statement);
            }
        }
    }

    private static void run(SparkSession spark, String statement) {
        try {
            for (Row row : spark.sql(statement).collectAsList()) {
                System.out.println(row.getList(0));
            }
        } catch (Exception e) {
            System.out.println("refused: " + e.getMessage().lines().findFirst().orElse(""));
        }
    }
}
