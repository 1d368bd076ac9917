package io.github.broadloom.settings;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be set from outside. Whoever reads it reads it here, so that a wrong value is told in the same words everywhere, and the documentation page is made of
 * these.
 *
 * @param name without where it is said: {@code broadloom.memory.pool}
 * @param places where it can be said
 * @param kind what it may be
 * @param otherwise what is so where nobody says it, in words: Markdown
 * @param read when it is read, in words
 * @param doc what it does: sentences of Markdown
 */
public record Setting<T>(
        String name, Set<Place> places, SettingKind<T> kind, String otherwise, String read, String doc) {

    /** Where a setting is said. */
    public enum Place {
        /** A system property of a JVM: {@code -Dbroadloom.threads=2}. */
        JVM,
        /** Spark's configuration, where its name begins with {@code spark.}: {@code --conf spark.broadloom.device=cuda}. */
        SPARK
    }

    @FunctionalInterface
    public interface Lookup {
        /** The text of a setting, or null where there is none of that name. */
        @Nullable String get(String name);
    }

    /** A setting of each JVM. */
    public static <T> Setting<T> ofJvm(String name, SettingKind<T> kind, String otherwise, String read, String doc) {
        return new Setting<>(name, Set.of(Place.JVM), kind, otherwise, read, doc);
    }

    /** A setting of Spark's configuration. */
    public static <T> Setting<T> ofSpark(String name, SettingKind<T> kind, String otherwise, String read, String doc) {
        return new Setting<>(name, Set.of(Place.SPARK), kind, otherwise, read, doc);
    }

    /** A setting of a JVM and of Spark's configuration. */
    public static <T> Setting<T> ofBoth(String name, SettingKind<T> kind, String otherwise, String read, String doc) {
        return new Setting<>(name, Set.of(Place.JVM, Place.SPARK), kind, otherwise, read, doc);
    }

    public String sparkName() {
        return "spark." + name;
    }

    /**
     * What this JVM's system property says.
     *
     * @throws IllegalArgumentException naming the property and what is allowed
     */
    public Optional<T> inJvm() {
        return value(name, System.getProperty(name));
    }

    /** Whether this JVM's system property says something. */
    public boolean isInJvm() {
        return System.getProperty(name) != null;
    }

    /**
     * What Spark's configuration says.
     *
     * @throws IllegalArgumentException naming the setting and what is allowed
     */
    public Optional<T> inSpark(Lookup conf) {
        return value(sparkName(), conf.get(sparkName()));
    }

    private Optional<T> value(String where, @Nullable String text) {
        return Optional.ofNullable(text).map(given -> kind.value(where, given));
    }

    /** The name, for messages that advise to set it. */
    @Override
    public String toString() {
        return name;
    }
}
