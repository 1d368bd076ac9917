package io.github.broadloom.cpu;

import io.github.broadloom.cpu.code.DirectKernel;
import io.github.broadloom.device.Parallel;
import io.github.broadloom.tensor.Storage;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A short pointwise program over large tensors of which some lie across the others: block by block those are gathered into memory
 * of the second-level cache, and a kernel reads them there, and the others where they are.
 */
final class BlockPass {
    private static final int CACHE_LINE_BYTES = 64;

    private final BlockNest nest;
    private final List<Tensor> places;
    private final List<DirectKernel> kernels;

    /**
     * @param kernels of the forms of blocks
     * @param numbers of the program
     * @param places the operands and, last, the target
     */
    BlockPass(BlockNest nest, List<CachedKernel<DirectKernel>> kernels, List<Object> numbers, List<Tensor> places) {
        this.nest = nest;
        this.places = places;
        this.kernels =
                kernels.stream().map(kernel -> kernel.get().with(numbers)).toList();
    }

    /** Writes the target. */
    void run(int threads) {
        long room = IntStream.range(0, places.size()).mapToLong(this::room).sum();
        Storage rooms = Storage.allocate(threads * room);
        AtomicInteger workers = new AtomicInteger();
        long length = Parallel.rangeLength(threads, nest.blocks(), 1);
        try {
            Parallel.forRanges(threads, nest.blocks(), length, () -> {
                long own = workers.getAndIncrement() * room;
                return (first, end) -> {
                    for (long block = first; block < end; block++) {
                        compute(block, rooms, own);
                    }
                };
            });
        } finally {
            rooms.release();
        }
    }

    /** The bytes that an operand's block is gathered in. */
    private long room(int operand) {
        int bytes = nest.capacity() * places.get(operand).dtype().bytes();
        return nest.isAcross(operand) ? (bytes + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES : 0;
    }

    private void compute(long block, Storage rooms, long own) {
        List<Tensor> parts = new ArrayList<>();
        long room = own;
        for (int i = 0; i < places.size(); i++) {
            Tensor place = places.get(i);
            if (nest.isAcross(i)) {
                int bytes = place.dtype().bytes();
                long from = place.address() + nest.offset(i, block) * bytes;
                nest.gather(i, block, bytes).copy(null, from, null, rooms.address() + room);
                parts.add(Tensor.of(place.dtype(), nest.layout(i, block, room / bytes), rooms));
                room += room(i);
            } else {
                parts.add(Tensor.of(
                        place.dtype(), nest.layout(i, block, place.layout().offset()), place.storage()));
            }
        }
        int form = nest.form(block);
        new DirectPass(nest.forms().get(form), parts, DirectPass.WINDOW_BYTES).run(kernels.get(form), 1);
    }
}
