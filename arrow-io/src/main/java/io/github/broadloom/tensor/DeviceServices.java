package io.github.broadloom.tensor;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The services on the class path that answer for one type of device each. They are read only as far as the search for a type needs: to look into every jar
 * of a Spark installation takes longer than to compile a kernel.
 *
 * @param <S> registered in {@code META-INF/services}
 */
public final class DeviceServices<S> {
    private final Function<S, String> type;
    private final Iterator<S> unread;
    private final Map<String, S> byType = new TreeMap<>();

    /** @param type the device type that a service answers for, as it stands in a device string */
    public DeviceServices(Class<S> service, Function<S, String> type) {
        this.type = type;
        // Not the thread's loader: inside an executor these classes may come from a child of it.
        this.unread = ServiceLoader.load(service, service.getClassLoader()).iterator();
    }

    /**
     * The service of a device.
     *
     * @throws IllegalStateException where nothing on the class path knows its type
     */
    public S of(Device device) {
        return find(device.type())
                .orElseThrow(() -> new IllegalStateException("Cannot use device: " + device + "; no backend for "
                        + device.type() + " is on the class path"));
    }

    /** The service of a device type; empty where there is none. */
    public synchronized Optional<S> find(String wanted) {
        while (!byType.containsKey(wanted) && unread.hasNext()) {
            readNext();
        }
        return Optional.ofNullable(byType.get(wanted));
    }

    /** All of them, by their types' names. */
    public synchronized List<S> all() {
        while (unread.hasNext()) {
            readNext();
        }
        return List.copyOf(byType.values());
    }

    private void readNext() {
        S service = unread.next();
        byType.putIfAbsent(type.apply(service), service);
    }
}
