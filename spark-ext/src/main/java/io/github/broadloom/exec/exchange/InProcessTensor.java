package io.github.broadloom.exec.exchange;

import io.github.broadloom.tensor.Tensor;
import java.io.InvalidObjectException;
import java.io.Serializable;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A tensor of the driver for tasks that run in the same JVM: with a local master nothing has to be sent, where a broadcast variable would be serialised on the heap all the same. Its own serialised form is its name; the
 * tensor is there as long as somebody refers to the driver's object, as the RDD of the tasks does.
 */
final class InProcessTensor implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final Map<UUID, WeakReference<InProcessTensor>> SHELF = new ConcurrentHashMap<>();

    private final UUID name = UUID.randomUUID();
    private final transient Tensor tensor;

    private InProcessTensor(Tensor tensor) {
        this.tensor = tensor;
    }

    static InProcessTensor of(Tensor tensor) {
        SHELF.values().removeIf(known -> known.refersTo(null));
        InProcessTensor shared = new InProcessTensor(tensor);
        SHELF.put(shared.name, new WeakReference<>(shared));
        return shared;
    }

    Tensor tensor() {
        return tensor;
    }

    private Object readResolve() throws InvalidObjectException {
        WeakReference<InProcessTensor> known = SHELF.get(name);
        InProcessTensor found = known == null ? null : known.get();
        if (found == null) {
            throw new InvalidObjectException("Cannot find operand: the driver does not refer to it any more");
        }
        return found;
    }
}
