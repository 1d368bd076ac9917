package io.github.broadloom.cpu.products;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Sums the products of one panel after the other as a pairwise tree over their number: those of two neighbours, then the sums of
 * two such pairs, and so on, and at the end what is left, the smaller to the greater.
 */
final class ProductTree {
    private final ProductArithmetic arithmetic;
    private final int size;
    private final List<Object> levels = new ArrayList<>();
    private final Deque<Object> free = new ArrayDeque<>();
    private long count;

    /** @param size how many elements each has */
    ProductTree(ProductArithmetic arithmetic, int size) {
        this.arithmetic = arithmetic;
        this.size = size;
    }

    /** An array for the products of the next panel, with any content. */
    Object take() {
        return free.isEmpty() ? arithmetic.allocate(size) : free.pop();
    }

    /** The next panel's products, the first {@code used} of an array that was taken. */
    void push(Object products, int used) {
        Object node = products;
        int level = 0;
        for (long rest = count; (rest & 1) == 1; rest >>= 1) {
            Object before = levels.get(level);
            arithmetic.products().add(before, node, used);
            free.push(node);
            node = before;
            level++;
        }
        if (level == levels.size()) {
            levels.add(node);
        } else {
            levels.set(level, node);
        }
        count++;
    }

    /** The sum of all, until the next array is taken; the tree is empty then. */
    Object finish(int used) {
        Object sum = null;
        for (int level = 0; count > 0; count >>= 1, level++) {
            if ((count & 1) == 1) {
                Object node = levels.get(level);
                if (sum != null) {
                    arithmetic.products().add(node, sum, used);
                }
                sum = node;
                free.push(node);
            }
        }
        if (sum == null) {
            throw new IllegalStateException("Cannot sum no panels");
        }
        return sum;
    }
}
