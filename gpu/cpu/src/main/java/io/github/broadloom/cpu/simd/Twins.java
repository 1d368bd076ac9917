package io.github.broadloom.cpu.simd;

import java.lang.reflect.Constructor;
import java.util.regex.Pattern;
import org.slf4j.LoggerFactory;

/**
 * Chooses between the twins of a contract: the one on the Vector API where this JVM has it, and the compiler that makes instructions of it; else the one of plain loops. Without that compiler
 * each vector would be an object, and the loops several times slower than the plain ones.
 */
final class Twins {
    static final String MODULE = "jdk.incubator.vector";

    /** What HotSpot says of itself under {@code -XX:TieredStopAtLevel=1} and {@code -Xint}. */
    private static final Pattern WITHOUT_C2 = Pattern.compile("emulated-client|interpreted mode");

    private static final boolean HAS_MODULE =
            ModuleLayer.boot().findModule(MODULE).isPresent();

    /** Whether the Vector API is there, and C2. */
    static final boolean VECTORIZED = HAS_MODULE
            && !WITHOUT_C2.matcher(System.getProperty("java.vm.info", "")).find();

    static {
        if (!HAS_MODULE) {
            LoggerFactory.getLogger(Simd.class) // which is slow to load where nobody else logs
                    .warn(
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
