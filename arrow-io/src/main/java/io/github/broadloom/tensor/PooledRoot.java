package io.github.broadloom.tensor;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.rounding.RoundingPolicy;

/**
 * Makes a root allocator whose buffers, and those of all its children, come from a factory of ours. Arrow has a configuration for that and a
 * public way to its builder, but the builder's class is not public, so a compiler refuses every call to it: hence reflection.
 */
final class PooledRoot {
    private PooledRoot() {}

    static RootAllocator of(RoundingPolicy rounding, AllocationManager.Factory factory) {
        try {
            Object builder = RootAllocator.configBuilder();
            set(builder, "roundingPolicy", RoundingPolicy.class, rounding);
            set(builder, "allocationManagerFactory", AllocationManager.Factory.class, factory);
            Method build = builder.getClass().getMethod("build");
            build.setAccessible(true);
            return newRoot(build.invoke(builder));
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("Cannot make Arrow's root allocator: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "Cannot make Arrow's root allocator: " + e
                            + "; use the version of Arrow that Spark brings, 18 or 19",
                    e);
        }
    }

    private static void set(Object builder, String property, Class<?> type, Object value)
            throws ReflectiveOperationException {
        Method setter = builder.getClass().getMethod(property, type);
        setter.setAccessible(true);
        setter.invoke(builder, value);
    }

    /** By its only constructor that takes a configuration, whose class is not public either. */
    private static RootAllocator newRoot(Object config) throws ReflectiveOperationException {
        for (Constructor<?> constructor : RootAllocator.class.getConstructors()) {
            Class<?>[] types = constructor.getParameterTypes();
            if (types.length == 1 && types[0].isInstance(config)) {
                return (RootAllocator) constructor.newInstance(config);
            }
        }
        throw new NoSuchMethodException("RootAllocator(Config)");
    }
}
