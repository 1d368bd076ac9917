package io.github.broadloom.exec;

import com.esotericsoftware.kryo.KryoException;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectStreamException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Bytes are not those that were sent or stored. The message is one sentence. */
public final class DamagedException extends IOException {
    private static final long serialVersionUID = 1L;
    private static final String REMEDY = "; look at the network and the disks of this machine";

    private DamagedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    static DamagedException arrived(String what, String how) {
        return new DamagedException("Cannot receive " + what + ": it arrived damaged, " + how + REMEDY, null);
    }

    /** What ends before its elements do. */
    public static DamagedException missing(String what) {
        return new DamagedException("Cannot read " + what + ": some of it is missing" + REMEDY, null);
    }

    /** As {@link #missing}, to be thrown where nothing is checked: Spark takes bytes that end early for the end of the elements. */
    public static UncheckedIOException lost(String what) {
        DamagedException missing = missing(what);
        return new UncheckedIOException(missing.getMessage(), missing);
    }

    /**
     * What comes out of Spark's shuffle.
     *
     * @throws UncheckedIOException with one of these, where it arrived damaged
     */
    public static <T> T arriving(String what, Supplier<T> reading) {
        try {
            return reading.get();
        } catch (Exception e) {
            DamagedException damage = in(e, what, false);
            if (damage != null) {
                throw new UncheckedIOException(damage.getMessage(), damage);
            }
            throw e;
        }
    }

    /** What a failure to read says of the bytes; null where it says nothing. {@code stored} is that the elements were read from where they are kept, and not computed. */
    public static @Nullable DamagedException in(Throwable failure, String what, boolean stored) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof DamagedException damage) {
                return damage;
            }
            if (isSerialisers(cause)) {
                return unreadable(what, cause);
            }
        }
        boolean sentence = String.valueOf(failure.getMessage()).startsWith("Cannot "); // such as of too little memory
        return stored && !sentence ? unreadable(what, failure) : null;
    }

    /** What serialisers say of bytes that they did not make. */
    private static boolean isSerialisers(Throwable failure) {
        return failure instanceof ObjectStreamException
                || failure instanceof KryoException
                || failure instanceof EOFException
                || failure instanceof ClassNotFoundException;
    }

    private static DamagedException unreadable(String what, Throwable why) {
        return new DamagedException(
                "Cannot read " + what + ": what is stored of it is damaged ("
                        + why.getClass().getSimpleName() + ")" + REMEDY,
                why);
    }
}
