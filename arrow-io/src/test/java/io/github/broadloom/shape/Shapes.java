package io.github.broadloom.shape;

import java.util.SplittableRandom;

/** Small random shapes and views from a seed, for property tests. */
public final class Shapes {
    private final SplittableRandom random;

    public Shapes(long seed) {
        random = new SplittableRandom(seed);
    }

    /** A number from 0 to below {@code bound}. */
    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** Up to {@code maxRank} dimensions of sizes up to {@code maxSize}, one in three of them 1 and few of them 0. */
    public Shape shape(int maxRank, int maxSize) {
        long[] sizes = new long[below(maxRank + 1)];
        for (int dim = 0; dim < sizes.length; dim++) {
            sizes[dim] = below(3) == 0 ? 1 : below(20) == 0 ? 0 : 1 + below(maxSize);
        }
        return Shape.of(sizes);
    }

    /** A shape that broadcasts to {@code target}: some leading dimensions dropped, some sizes 1. */
    public Shape broadcastableTo(Shape target) {
        int dropped = below(target.rank() + 1);
        long[] sizes = new long[target.rank() - dropped];
        for (int dim = 0; dim < sizes.length; dim++) {
            sizes[dim] = below(3) == 0 ? 1 : target.size(dim + dropped);
        }
        return Shape.of(sizes);
    }

    /** Up to four random views of that layout, one on the other. */
    public Layout views(Layout layout) {
        Layout view = layout;
        for (int steps = below(5); steps > 0; steps--) {
            view = view.rank() == 0 ? view.unsqueeze(0) : oneView(view);
        }
        return view;
    }

    private Layout oneView(Layout view) {
        int dim = below(view.rank());
        long size = view.shape().size(dim);
        return switch (below(7)) {
            case 0 -> view.transpose(dim, below(view.rank()));
            case 1 -> view.slice(dim, (long) below((int) size + 1), null, 1 + below(3));
            case 2 -> size == 0 ? view : view.select(dim, below((int) size));
            case 3 -> view.unsqueeze(below(view.rank() + 1));
            case 4 -> view.movedim(dim, below(view.rank()));
            case 5 -> size == 0 ? view : view.unfold(dim, 1 + below((int) size), 1 + below(2));
            default -> view.unsqueeze(dim).expand(view.unsqueeze(dim).shape().with(dim, 1 + below(3)));
        };
    }
}
