package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.Pieces.Piece;
import java.util.List;
import java.util.stream.IntStream;

/** Which operands are read along another loop than the result, and the squares that turn them. */
final class TransposePlan {
    /** What a block may have of shared memory without asking for more. */
    static final int SHARED_BYTES = 48 << 10;

    /** Half of that and a little lets several blocks share a multiprocessor. */
    private static final int COMFORTABLE_BYTES = 34 << 10;

    private static final int LARGE = 64;
    private static final int SMALL = 32;
    private static final int BANK_BYTES = 4;

    private TransposePlan() {}

    /**
     * The operands that are turned: those without a gap in one other loop than the innermost, the same for all of them, as many as
     * shared memory holds. Empty where the result does not lie without a gap in the innermost loop.
     */
    static List<Integer> turned(Loops loops) {
        if (loops.innerStride(loops.result()) != 1) {
            return List.of();
        }
        int loop = turnedLoop(loops);
        List<Integer> turned = IntStream.range(0, loops.result())
                .filter(k -> loops.innerStride(k) > 1 && loop >= 0 && loops.strides()[k][loop] == 1)
                .boxed()
                .toList();
        int most = turned.size();
        while (sharedBytes(loops, turned.subList(0, most), SMALL) > SHARED_BYTES) {
            most--;
        }
        return turned.subList(0, most);
    }

    /** The loop along which they are read, or -1. */
    static int turnedLoop(Loops loops) {
        return IntStream.range(0, loops.result())
                .filter(k -> loops.innerStride(k) > 1)
                .flatMap(k -> IntStream.range(0, loops.inner()).filter(loop -> loops.strides()[k][loop] == 1))
                .findFirst()
                .orElse(-1);
    }

    /** How many elements of the turned operands make a word that can be turned and stored at once, as pieces are aligned; 1 where that is not possible. */
    static int wordElements(Loops loops, List<Piece> pieces, int[] aligned) {
        List<Integer> turned = turned(loops);
        int bytes = loops.bytes(turned.get(0));
        int elements = Math.max(1, BANK_BYTES / bytes);
        boolean possible = turned.stream().allMatch(k -> loops.bytes(k) == bytes)
                && turned.size() * BANK_BYTES * SMALL * (SMALL * elements + 1) <= SHARED_BYTES;
        for (Piece piece : pieces) {
            possible &= piece.sizes()[loops.inner()] % elements == 0;
            possible &= piece.sizes()[turnedLoop(loops)] % elements == 0;
        }
        for (int k = 0; k < loops.streams(); k++) {
            possible &= loops.innerStride(k) == 0 || isInWords(loops, k, turned.contains(k), elements, aligned[k]);
        }
        return possible ? elements : 1;
    }

    private static boolean isInWords(Loops loops, int stream, boolean isTurned, int elements, int aligned) {
        int unit = isTurned ? turnedLoop(loops) : loops.inner();
        long[] strides = loops.strides()[stream];
        return strides[unit] == 1
                && loops.bytes(stream) * elements <= aligned
                && IntStream.range(0, strides.length).allMatch(loop -> loop == unit || strides[loop] % elements == 0);
    }

    static int side(Loops loops) {
        return sharedBytes(loops, turned(loops), LARGE) <= COMFORTABLE_BYTES ? LARGE : SMALL;
    }

    /** The length of a square's row in shared memory: so much longer than the side that a column lies in as many banks. */
    static int pitch(Loops loops, int operand, int side) {
        return side + Math.max(1, BANK_BYTES / loops.bytes(operand));
    }

    private static int sharedBytes(Loops loops, List<Integer> turned, int side) {
        return turned.stream()
                .mapToInt(k -> side * pitch(loops, k, side) * loops.bytes(k))
                .sum();
    }
}
