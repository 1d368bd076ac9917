package io.github.broadloom.lanes;

import java.lang.reflect.Constructor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses between the twins of a contract: the one on the Vector API where this JVM has it, else the one of plain loops. */
final class Twins {
    static final String MODULE = "jdk.incubator.vector";

    /** Whether the Vector API is there. */
    static final boolean VECTORIZED = ModuleLayer.boot().findModule(MODULE).isPresent();

    private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

    static {
        if (!VECTORIZED) {
            LOG.warn(
                    "Functions of arrays run in plain loops, several times slower with the same results: this JVM was started without --add-modules={}",
                    MODULE);
        }
    }

    private Twins() {}

    /** The faster twin that this JVM has. */
    static <T> T of(Class<T> contract, T scalar) {
        return VECTORIZED ? vector(contract) : scalar;
    }

    /** By name, because the classes on the Vector API cannot be linked without it. */
    static <T> T vector(Class<T> contract) {
        String name = contract.getPackageName() + ".Vector" + contract.getSimpleName();
        try {
            Constructor<?> constructor = Class.forName(name).getDeclaredConstructor();
            return contract.cast(constructor.newInstance());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot load " + name + ": it is missing from this build", e);
        }
    }
}
