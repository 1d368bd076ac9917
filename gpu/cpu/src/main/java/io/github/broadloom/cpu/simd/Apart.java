package io.github.broadloom.cpu.simd;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Methods that C2 compiles by themselves, whoever calls them. A short loop on the Vector API that is inlined into a long method may have each of its vectors made an object there, by chance, and for as long as the
 * JVM runs: {@code tensor_mean} took three times as long then. What is called by a handle is not inlined, unless the handle is a constant; so it is kept in a field that is not final.
 */
final class Apart {
    private Apart() {}

    /**
     * The handle of a method that gives nothing.
     *
     * @param target whose method it is
     */
    static MethodHandle of(Object target, String method, Class<?>... parameters) {
        try {
            MethodType type = MethodType.methodType(void.class, parameters);
            return MethodHandles.lookup()
                    .findVirtual(target.getClass(), method, type)
                    .bindTo(target);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Cannot find " + method + " of " + target.getClass(), e);
        }
    }

    /** What the method threw: it declares nothing. */
    static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException exception ? exception : new IllegalStateException(thrown);
    }
}
