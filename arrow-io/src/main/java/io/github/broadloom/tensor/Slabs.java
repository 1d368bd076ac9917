package io.github.broadloom.tensor;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Regions from which pieces of any size are cut: what one size leaves, another takes. A piece comes from the smallest gap that has room for it, the rest of which stays a gap; a piece that comes back
 * joins the gaps beside it. Not thread-safe.
 */
final class Slabs {
    private static final long SLAB_BYTES = 64L << 20;

    static final long MOST_BYTES = SLAB_BYTES / 4;

    private final List<Region> slabs = new ArrayList<>();
    /** What was touched and is not lent, by address. */
    private final TreeMap<Long, Pages> gaps = new TreeMap<>();
    /** The same, by size and address. */
    private final TreeMap<Long, TreeMap<Long, Pages>> bySize = new TreeMap<>();

    /** A piece of what was touched before, or null where no gap is large enough. */
    @Nullable Pages takeGap(long bytes) {
        Map.Entry<Long, TreeMap<Long, Pages>> fitting = bySize.ceilingEntry(bytes);
        if (fitting == null) {
            return null;
        }
        Pages gap = fitting.getValue().firstEntry().getValue();
        remove(gap.address());
        if (gap.bytes() > bytes) {
            add(new Pages(gap.region(), gap.address() + bytes, gap.bytes() - bytes));
        }
        return gap.region().lend(gap.address(), bytes);
    }

    /** How many pages {@link #takeFresh} is going to touch. */
    long freshBytes(long bytes) {
        Region roomy = roomy(bytes);
        return roomy == null ? bytes : begin(roomy) + bytes - roomy.touchedEnd();
    }

    /** A piece that ends with untouched pages, and begins with the gap before them, if there is one. */
    Pages takeFresh(long bytes) {
        Region slab = roomy(bytes);
        if (slab == null) {
            slab = new Region(SLAB_BYTES);
            slabs.add(slab);
        }
        long begin = begin(slab);
        if (begin < slab.touchedEnd()) {
            remove(begin);
        }
        return slab.lend(begin, bytes);
    }

    void giveBack(Pages piece) {
        Region slab = piece.region();
        slab.takeBack(piece);
        long start = piece.address();
        long end = piece.end();
        Map.Entry<Long, Pages> before = gaps.lowerEntry(start);
        if (before != null
                && before.getValue().region() == slab
                && before.getValue().end() == start) {
            start = before.getKey();
            remove(start);
        }
        Pages after = gaps.get(end);
        if (after != null && after.region() == slab) {
            remove(end);
            end = after.end();
        }
        add(new Pages(slab, start, end - start));
    }

    List<Region> all() {
        return slabs;
    }

    @Nullable Region at(long address) {
        for (Region slab : slabs) {
            if (slab.start() <= address && address < slab.end()) {
                return slab;
            }
        }
        return null;
    }

    /** Touches all of a slab: what nobody had is a gap then. Returns how many bytes that is. */
    long touchAll(Region slab) {
        long fresh = slab.end() - slab.touchedEnd();
        if (fresh > 0) {
            giveBack(slab.lend(slab.touchedEnd(), fresh));
        }
        return fresh;
    }

    List<Region> idle() {
        return slabs.stream().filter(Region::isIdle).toList();
    }

    /** Forgets a slab that nobody has a piece of. */
    void forget(Region idle) {
        slabs.remove(idle);
        remove(idle.start()); // all of it is one gap
    }

    /** The first slab with room at its end, or null. */
    private @Nullable Region roomy(long bytes) {
        for (Region slab : slabs) {
            if (slab.end() - begin(slab) >= bytes) {
                return slab;
            }
        }
        return null;
    }

    /** Where the gap begins that ends with what was touched, else where that ends. */
    private long begin(Region slab) {
        Map.Entry<Long, Pages> last = gaps.lowerEntry(slab.touchedEnd());
        boolean touches = last != null
                && last.getValue().end() == slab.touchedEnd()
                && last.getValue().region() == slab;
        return touches ? last.getKey() : slab.touchedEnd();
    }

    private void add(Pages gap) {
        gaps.put(gap.address(), gap);
        bySize.computeIfAbsent(gap.bytes(), size -> new TreeMap<>()).put(gap.address(), gap);
    }

    private void remove(long address) {
        Pages gap = gaps.remove(address);
        if (gap != null) {
            bySize.computeIfPresent(gap.bytes(), (size, same) -> {
                same.remove(address);
                return same.isEmpty() ? null : same;
            });
        }
    }
}
