package io.github.broadloom.connect;

import io.github.broadloom.spark.DistributedTensor;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/** The tensors of a session by the names that its client gave them. It is a catalog of Spark's, without tables, because those live as long as their session does. */
public final class SessionTensors implements CatalogPlugin {
    private static final String NAME = "broadloom_tensors";

    private final Map<String, DistributedTensor> tensors = new ConcurrentHashMap<>();

    /** Made by Spark, by the name of the class. */
    public SessionTensors() {}

    static SessionTensors of(SparkSession session) {
        session.conf().set("spark.sql.catalog." + NAME, SessionTensors.class.getName());
        Object catalogs = ((org.apache.spark.sql.classic.SparkSession) session)
                .sessionState()
                .catalogManager();
        try { // by a lookup: it is a class in Spark 4.0 and 4.1, and an interface in 4.2
            return (SessionTensors)
                    CatalogManager.class.getMethod("catalog", String.class).invoke(catalogs, NAME);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot find the tensors of this session", e);
        }
    }

    @Override
    public void initialize(String name, CaseInsensitiveStringMap options) {}

    @Override
    public String name() {
        return NAME;
    }

    /** @throws IllegalStateException where there is none */
    DistributedTensor get(String id) {
        @Nullable DistributedTensor found = tensors.get(id);
        if (found == null) {
            throw new IllegalStateException(
                    "Cannot find a tensor of this session: the server has ended it since; make its tensors again");
        }
        return found;
    }

    void put(String id, DistributedTensor tensor) {
        tensors.put(id, tensor);
    }

    void remove(String id) {
        tensors.remove(id);
    }
}
