package io.github.broadloom.cuda.driver;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.shape.Layout;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Copies, on one GPU, of tensors of this JVM that many evaluations need, one after the other or at once: the operands that the tasks of a Spark executor share. A
 * copy goes there when the first asks for it. It stays while somebody uses it; then as long as the tensor's storage lives and is not written to, unless its
 * memory is needed: the {@link Arena} drops those that nobody uses, the longest unused first, before it is out of memory.
 */
final class HostCopies {
    private static final Cleaner CLEANER = Cleaner.create();

    private final Function<Tensor, Tensor> upload;
    /** The latest used last; guarded by this, which nobody holds who waits for memory or for a device. */
    private final List<Copy> copies = new ArrayList<>();

    /** @param upload makes a copy on the device that every stream may read */
    HostCopies(Function<Tensor, Tensor> upload) {
        this.upload = upload;
    }

    /** A tensor that is on the device, or on its way, and how many use it there. */
    final class Copy implements AutoCloseable {
        private final WeakReference<Storage> source;
        private final long version;
        private final Layout layout;
        private final DType dtype;
        private final CompletableFuture<Tensor> there = new CompletableFuture<>();
        /** Drops it when the storage is gone. */
        private Cleaner.@Nullable Cleanable end;

        private int users;

        private Copy(Tensor tensor) {
            this.source = new WeakReference<>(tensor.storage());
            this.version = tensor.storage().version();
            this.layout = tensor.layout();
            this.dtype = tensor.dtype();
        }

        private boolean isOf(Tensor tensor) {
            return source.refersTo(tensor.storage())
                    && version == tensor.storage().version()
                    && dtype == tensor.dtype()
                    && layout.equals(tensor.layout());
        }

        private boolean isStale() {
            Storage storage = source.get();
            return storage == null || storage.isReleased() || storage.version() != version;
        }

        private boolean isIdle() {
            return users == 0;
        }

        Tensor there() {
            try {
                return there.join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof RuntimeException failure) {
                    throw failure;
                }
                if (e.getCause() instanceof Error failure) {
                    throw failure;
                }
                throw e;
            }
        }

        @Override
        public void close() {
            synchronized (HostCopies.this) {
                users--;
            }
        }

        /** Gives the memory back, when nobody finds the copy any more. */
        private void release() {
            there().release();
            if (end != null) {
                end.clean();
            }
        }
    }

    /** The copy of a tensor, for a use that the caller closes; an {@link OutOfDeviceMemoryException} where there is no room. */
    Copy take(Tensor tensor) {
        drop(copy -> copy.isIdle() && copy.isStale(), Integer.MAX_VALUE);
        Copy copy;
        boolean isFirst;
        synchronized (this) {
            Copy known = known(tensor);
            isFirst = known == null;
            copy = known == null ? new Copy(tensor) : known;
            copies.remove(copy);
            copies.add(copy);
            copy.users++;
        }
        if (isFirst) {
            bring(copy, tensor);
        }
        try {
            copy.there(); // another one may be bringing it
            return copy;
        } catch (RuntimeException | Error e) {
            copy.close();
            throw e;
        }
    }

    private @Nullable Copy known(Tensor tensor) {
        return copies.stream().filter(copy -> copy.isOf(tensor)).findFirst().orElse(null);
    }

    private void bring(Copy copy, Tensor tensor) {
        try {
            copy.there.complete(upload.apply(tensor));
            copy.end = CLEANER.register(tensor.storage(), () -> drop(other -> other == copy && copy.isIdle(), 1));
        } catch (RuntimeException | Error e) {
            synchronized (this) {
                copies.remove(copy);
            }
            copy.there.completeExceptionally(e);
        }
    }

    /** Drops one that nobody uses; false where there is none. Any thread may, whatever it holds of the arena. */
    boolean dropOne() {
        return drop(Copy::isIdle, 1) > 0;
    }

    void clear() {
        drop(Copy::isIdle, Integer.MAX_VALUE);
    }

    private int drop(Predicate<Copy> which, int most) {
        List<Copy> dropped = new ArrayList<>();
        synchronized (this) {
            for (Iterator<Copy> all = copies.iterator(); all.hasNext() && dropped.size() < most; ) {
                Copy copy = all.next();
                if (which.test(copy)) {
                    all.remove();
                    dropped.add(copy);
                }
            }
        }
        dropped.forEach(Copy::release);
        return dropped.size();
    }
}
