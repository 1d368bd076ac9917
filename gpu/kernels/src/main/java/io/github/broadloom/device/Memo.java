package io.github.broadloom.device;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * Values by key, of which the most recently used are kept. A value is made once even when several threads ask for it at the same moment;
 * the others wait for it. A failure goes to all who wait, and is not kept.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class Memo<K, V> {
    private final int capacity;
    private final Map<K, CompletableFuture<V>> values = new LinkedHashMap<>(64, 0.75f, true);

    public Memo(int capacity) {
        this.capacity = capacity;
    }

    /** The value of a key, made now, by this thread, if it is not there. */
    public V value(K key, Function<? super K, ? extends V> maker) {
        CompletableFuture<V> mine = new CompletableFuture<>();
        CompletableFuture<V> kept;
        synchronized (this) {
            CompletableFuture<V> found = values.get(key);
            kept = found == null ? mine : found;
            if (found == null) {
                keep(key, mine);
            }
        }
        return kept == mine ? make(key, maker, mine) : await(kept);
    }

    private V make(K key, Function<? super K, ? extends V> maker, CompletableFuture<V> mine) {
        try {
            V value = maker.apply(key);
            mine.complete(value);
            return value;
        } catch (RuntimeException | Error failure) {
            synchronized (this) {
                values.remove(key, mine);
            }
            mine.completeExceptionally(failure);
            throw failure;
        }
    }

    private static <V> V await(CompletableFuture<V> value) {
        try {
            return value.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Adds a value that came from elsewhere; one that is there, or being made, stays. */
    public synchronized void put(K key, V value) {
        if (!values.containsKey(key)) {
            keep(key, CompletableFuture.completedFuture(value));
        }
    }

    private void keep(K key, CompletableFuture<V> value) {
        values.put(key, value);
        Iterator<K> eldest = values.keySet().iterator();
        while (values.size() > capacity) {
            eldest.next();
            eldest.remove();
        }
    }

    /** The value of a key if it is there and finished. To ask is not to use it: the order in which values go stays. */
    public synchronized Optional<V> peek(K key) {
        return values.entrySet().stream() // get() would count as use
                .filter(entry -> entry.getKey().equals(key) && isMade(entry.getValue()))
                .map(entry -> entry.getValue().join())
                .findFirst();
    }

    private static boolean isMade(CompletableFuture<?> value) {
        return value.isDone() && !value.isCompletedExceptionally();
    }

    public synchronized int size() {
        return values.size();
    }
}
