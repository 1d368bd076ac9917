package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.VectorDoubles.DOUBLES;
import static io.github.broadloom.cpu.simd.VectorDoubles.FLOATS;
import static io.github.broadloom.cpu.simd.VectorDoubles.LANES;
import static io.github.broadloom.cpu.simd.VectorDoubles.LONGS;
import static io.github.broadloom.cpu.simd.VectorDoubles.SPARE;

import io.github.broadloom.kernels.reduce.PairwiseTree;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;

/** {@link FoldPrimitives} on the Vector API. */
final class VectorFoldPrimitives extends FoldPrimitives {
    /** Whether vectors have as many lanes as {@link #addEights} needs. */
    private static final boolean FOURS = LANES == EIGHT || LANES == EIGHT / 2;

    private static final VectorMask<Float> ODD = VectorMask.fromLong(FLOATS, 0b1010_1010);
    private static final VectorMask<Float> UPPER = VectorMask.fromLong(FLOATS, 0b1100_1100);
    private static final VectorMask<Double> LATER_HALF = VectorMask.fromLong(DOUBLES, 0b1111_0000);
    private static final VectorMask<Double> SECOND = VectorMask.fromLong(DOUBLES, 0b1010_1010);

    /** Doubles move as longs: C2 would check the places in each round, for an array of doubles that is written might hold them. */
    private static final VectorShuffle<Long> FIRST_TWICE = VectorShuffle.fromOp(LONGS, lane -> lane / 2);

    private static final VectorShuffle<Long> LAST_TWICE =
            VectorShuffle.fromOp(LONGS, lane -> (LANES + lane) / 2 % LANES);
    private static final VectorShuffle<Long> EVEN_TWICE = VectorShuffle.fromOp(LONGS, lane -> lane & -2);
    private static final VectorShuffle<Float> NEIGHBOUR = VectorShuffle.fromOp(FLOATS, lane -> lane ^ 1);
    private static final VectorShuffle<Float> OTHER_PAIR =
            VectorShuffle.fromOp(FLOATS, lane -> (lane ^ 2) % FLOATS.length());

    /** Loop after loop over many blocks, so that none waits for the end of its own sum. The loops call the Vector API alone: C2 may not inline more. */
    @Override
    void moments(double[] x, int from, int blocks, double[] out) {
        double[] sums = Scratch.doubles(EIGHT * blocks);
        for (int lane = 0; lane < EIGHT; lane += LANES) {
            sumRows(x, from + lane, blocks, sums, lane);
        }
        for (int block = 0; block < blocks; block++) {
            out[2 * block] = eight(sums, EIGHT * block, 1) * (1.0 / PairwiseTree.BLOCK);
        }
        for (int lane = 0; lane < EIGHT; lane += LANES) {
            sumSquares(x, from + lane, blocks, out, sums, lane);
            addSquares(x, from + lane + PairwiseTree.BLOCK / 2, blocks, out, sums, lane);
        }
        for (int block = 0; block < blocks; block++) {
            out[2 * block + 1] = eight(sums, EIGHT * block, 1);
        }
    }

    private static void sumRows(double[] x, int from, int blocks, double[] sums, int lane) {
        for (int block = 0; block < blocks; block++) {
            int at = from + block * PairwiseTree.BLOCK;
            DoubleVector first =
                    DoubleVector.fromArray(DOUBLES, x, at).add(DoubleVector.fromArray(DOUBLES, x, at + EIGHT));
            DoubleVector second = DoubleVector.fromArray(DOUBLES, x, at + 2 * EIGHT)
                    .add(DoubleVector.fromArray(DOUBLES, x, at + 3 * EIGHT));
            DoubleVector third = DoubleVector.fromArray(DOUBLES, x, at + 4 * EIGHT)
                    .add(DoubleVector.fromArray(DOUBLES, x, at + 5 * EIGHT));
            DoubleVector fourth = DoubleVector.fromArray(DOUBLES, x, at + 6 * EIGHT)
                    .add(DoubleVector.fromArray(DOUBLES, x, at + 7 * EIGHT));
            first.add(second).add(third.add(fourth)).intoArray(sums, EIGHT * block + lane);
        }
    }

    /** Of the first four rows of each block. */
    private static void sumSquares(double[] x, int from, int blocks, double[] moments, double[] sums, int lane) {
        for (int block = 0; block < blocks; block++) {
            int at = from + block * PairwiseTree.BLOCK;
            double mean = moments[2 * block];
            DoubleVector first = DoubleVector.fromArray(DOUBLES, x, at).sub(mean);
            DoubleVector second = DoubleVector.fromArray(DOUBLES, x, at + EIGHT).sub(mean);
            DoubleVector third =
                    DoubleVector.fromArray(DOUBLES, x, at + 2 * EIGHT).sub(mean);
            DoubleVector fourth =
                    DoubleVector.fromArray(DOUBLES, x, at + 3 * EIGHT).sub(mean);
            DoubleVector left = first.mul(first).add(second.mul(second));
            left.add(third.mul(third).add(fourth.mul(fourth))).intoArray(sums, EIGHT * block + lane);
        }
    }

    /** Of the last four rows of each block: all eight in one loop are more calls than C2 inlines. */
    private static void addSquares(double[] x, int from, int blocks, double[] moments, double[] sums, int lane) {
        for (int block = 0; block < blocks; block++) {
            int at = from + block * PairwiseTree.BLOCK;
            double mean = moments[2 * block];
            DoubleVector first = DoubleVector.fromArray(DOUBLES, x, at).sub(mean);
            DoubleVector second = DoubleVector.fromArray(DOUBLES, x, at + EIGHT).sub(mean);
            DoubleVector third =
                    DoubleVector.fromArray(DOUBLES, x, at + 2 * EIGHT).sub(mean);
            DoubleVector fourth =
                    DoubleVector.fromArray(DOUBLES, x, at + 3 * EIGHT).sub(mean);
            DoubleVector left = first.mul(first).add(second.mul(second));
            DoubleVector both = left.add(third.mul(third).add(fourth.mul(fourth)));
            DoubleVector.fromArray(DOUBLES, sums, EIGHT * block + lane)
                    .add(both)
                    .intoArray(sums, EIGHT * block + lane);
        }
    }

    /**
     * Four vectors of neighbours become one of the sums of fours: lanes change places, so that what is added is one above the other.
     * To move floats takes less than to move doubles.
     */
    @Override
    void addEights(float[] x, int from, int eights, double[] out) {
        int readable = Math.min(eights, (x.length - from - SPARE) / EIGHT);
        int whole = FOURS ? readable - readable % LANES : 0;
        if (whole > 0) {
            double[] fours = Scratch.doubles(2 * whole);
            addFours(x, from, 2 * whole, fours);
            joinFours(fours, whole, out);
        }
        addEights(x, from, whole, eights, out);
    }

    private static void addFours(float[] x, int from, int count, double[] out) {
        for (int i = 0; i < count; i += LANES) {
            int at = from + 4 * i;
            FloatVector a = FloatVector.fromArray(FLOATS, x, at);
            FloatVector b = FloatVector.fromArray(FLOATS, x, at + LANES);
            FloatVector c = FloatVector.fromArray(FLOATS, x, at + 2 * LANES);
            FloatVector d = FloatVector.fromArray(FLOATS, x, at + 3 * LANES);
            FloatVector evenAb = a.blend(b, ODD);
            FloatVector oddAb = b.blend(a, ODD).rearrange(NEIGHBOUR);
            FloatVector evenCd = c.blend(d, ODD);
            FloatVector oddCd = d.blend(c, ODD).rearrange(NEIGHBOUR);
            FloatVector first = evenAb.blend(evenCd, UPPER);
            FloatVector second = oddAb.blend(oddCd, UPPER);
            FloatVector third = evenCd.blend(evenAb, UPPER).rearrange(OTHER_PAIR);
            FloatVector fourth = oddCd.blend(oddAb, UPPER).rearrange(OTHER_PAIR);
            DoubleVector left = ((DoubleVector) first.convertShape(VectorOperators.F2D, DOUBLES, 0))
                    .add(second.convertShape(VectorOperators.F2D, DOUBLES, 0));
            DoubleVector right = ((DoubleVector) third.convertShape(VectorOperators.F2D, DOUBLES, 0))
                    .add(fourth.convertShape(VectorOperators.F2D, DOUBLES, 0));
            left.add(right).intoArray(out, i);
        }
    }

    /** Vectors of eight have the second fours of four eights above the first ones; of shorter vectors they are neighbours. */
    private static void joinFours(double[] x, int eights, double[] out) {
        if (LANES < EIGHT) {
            for (int i = 0; i < eights; i++) {
                out[i] = x[2 * i] + x[2 * i + 1];
            }
            return;
        }
        for (int i = 0; i < eights; i += LANES) {
            DoubleVector a = DoubleVector.fromArray(DOUBLES, x, 2 * i);
            DoubleVector b = DoubleVector.fromArray(DOUBLES, x, 2 * i + LANES);
            DoubleVector between = DoubleVector.fromArray(DOUBLES, x, 2 * i + LANES / 2);
            a.blend(b, LATER_HALF).add(between).intoArray(out, i);
        }
    }

    @Override
    void addRows(float[] x, int width, double[] out) {
        int c = 0;
        for (; c <= width - FLOATS.length(); c += LANES) {
            DoubleVector first = ((DoubleVector) wide(x, c)).add(wide(x, width + c));
            DoubleVector second = ((DoubleVector) wide(x, 2 * width + c)).add(wide(x, 3 * width + c));
            DoubleVector third = ((DoubleVector) wide(x, 4 * width + c)).add(wide(x, 5 * width + c));
            DoubleVector fourth = ((DoubleVector) wide(x, 6 * width + c)).add(wide(x, 7 * width + c));
            first.add(second).add(third.add(fourth)).intoArray(out, c);
        }
        addRows(x, width, c, out);
    }

    @Override
    void addRows(double[] x, int width, double[] out) {
        int c = 0;
        for (; c <= width - LANES; c += LANES) {
            DoubleVector first =
                    DoubleVector.fromArray(DOUBLES, x, c).add(DoubleVector.fromArray(DOUBLES, x, width + c));
            DoubleVector second = DoubleVector.fromArray(DOUBLES, x, 2 * width + c)
                    .add(DoubleVector.fromArray(DOUBLES, x, 3 * width + c));
            DoubleVector third = DoubleVector.fromArray(DOUBLES, x, 4 * width + c)
                    .add(DoubleVector.fromArray(DOUBLES, x, 5 * width + c));
            DoubleVector fourth = DoubleVector.fromArray(DOUBLES, x, 6 * width + c)
                    .add(DoubleVector.fromArray(DOUBLES, x, 7 * width + c));
            first.add(second).add(third.add(fourth)).intoArray(out, c);
        }
        addRows(x, width, c, out);
    }

    @Override
    void extremesOfRows(float[] x, int width, float sign, float[] out) {
        int c = 0;
        for (; c <= width - FLOATS.length(); c += FLOATS.length()) {
            FloatVector first = turned(x, c, sign).max(turned(x, width + c, sign));
            FloatVector second = turned(x, 2 * width + c, sign).max(turned(x, 3 * width + c, sign));
            FloatVector third = turned(x, 4 * width + c, sign).max(turned(x, 5 * width + c, sign));
            FloatVector fourth = turned(x, 6 * width + c, sign).max(turned(x, 7 * width + c, sign));
            first.max(second).max(third.max(fourth)).mul(sign).intoArray(out, c);
        }
        extremesOfRows(x, width, sign, c, out);
    }

    private static FloatVector turned(float[] x, int at, float sign) {
        return FloatVector.fromArray(FLOATS, x, at).mul(sign);
    }

    @Override
    float extreme(float[] x, int from, int n, float sign) {
        int lanes = FLOATS.length();
        int whole = n / (4 * lanes) * (4 * lanes);
        if (whole == 0) {
            return super.extreme(x, from, n, sign);
        }
        FloatVector first = turned(x, from, sign);
        FloatVector second = first;
        FloatVector third = first;
        FloatVector fourth = first;
        for (int i = from; i < from + whole; i += 4 * lanes) { // none waits for the one before
            first = first.max(turned(x, i, sign));
            second = second.max(turned(x, i + lanes, sign));
            third = third.max(turned(x, i + 2 * lanes, sign));
            fourth = fourth.max(turned(x, i + 3 * lanes, sign));
        }
        float best = first.max(second).max(third.max(fourth)).reduceLanes(VectorOperators.MAX);
        return extreme(x, from + whole, n - whole, sign, sign * best);
    }

    @Override
    void firstExtremesOfRows(float[] x, int width, float sign, float[] best, float[] rows) {
        int c = 0;
        for (; c <= width - FLOATS.length(); c += FLOATS.length()) {
            FloatVector found = turned(x, c, sign);
            FloatVector at = FloatVector.zero(FLOATS);
            for (int row = 1; row < EIGHT; row++) {
                FloatVector value = turned(x, row * width + c, sign);
                VectorMask<Float> isFirst = value.compare(VectorOperators.LE, found)
                        .not()
                        .and(found.compare(VectorOperators.EQ, found)); // nothing comes before the first NaN
                found = found.blend(value, isFirst);
                at = at.blend(row, isFirst);
            }
            found.mul(sign).intoArray(best, c);
            at.intoArray(rows, c);
        }
        firstExtremesOfRows(x, width, sign, c, best, rows);
    }

    private static Vector<Double> wide(float[] x, int at) {
        return FloatVector.fromArray(FLOATS, x, at).convertShape(VectorOperators.F2D, DOUBLES, 0);
    }

    @Override
    void addFloats(float[] x, double[] into, int n) {
        int i = 0;
        for (; i <= n - FLOATS.length(); i += LANES) {
            FloatVector floats = FloatVector.fromArray(FLOATS, x, i);
            DoubleVector.fromArray(DOUBLES, into, i)
                    .add(floats.convertShape(VectorOperators.F2D, DOUBLES, 0))
                    .intoArray(into, i);
        }
        addFloats(x, into, i, n);
    }

    @Override
    void liftMoments(double[] x, int n) {
        int whole = n - n % LANES;
        liftMoments(x, whole, n);
        for (int i = whole - LANES; i >= 0; i -= LANES) {
            LongVector values = DoubleVector.fromArray(DOUBLES, x, i).reinterpretAsLongs();
            DoubleVector first = values.rearrange(FIRST_TWICE).reinterpretAsDoubles();
            DoubleVector last = values.rearrange(LAST_TWICE).reinterpretAsDoubles();
            first.blend(first.abs().mul(0), SECOND).intoArray(x, 2 * i);
            last.blend(last.abs().mul(0), SECOND).intoArray(x, 2 * i + LANES);
        }
    }

    @Override
    void joinMoments(double[] into, int at, double[] other, int from, int count, double share, double spread) {
        int i = 0;
        for (; i <= count - LANES; i += LANES) {
            DoubleVector a = DoubleVector.fromArray(DOUBLES, into, at + i);
            DoubleVector b = DoubleVector.fromArray(DOUBLES, other, from + i);
            DoubleVector distance = b.sub(a);
            DoubleVector ofMeans =
                    distance.reinterpretAsLongs().rearrange(EVEN_TWICE).reinterpretAsDoubles();
            DoubleVector squares = a.add(b).add(ofMeans.mul(ofMeans).mul(spread));
            a.add(distance.mul(share)).blend(squares, SECOND).intoArray(into, at + i);
        }
        super.joinMoments(into, at + i, other, from + i, count - i, share, spread);
    }

    @Override
    void divide(double[] x, int from, double origin, double divisor, float[] out, int n) {
        int i = 0;
        for (; i <= n - FLOATS.length(); i += LANES) { // what is written behind the quotients is written over
            DoubleVector sum = DoubleVector.fromArray(DOUBLES, x, from + i).add(origin);
            DoubleVector wide = divisor == 1 ? sum : sum.div(divisor);
            FloatVector quotient = (FloatVector) wide.convertShape(VectorOperators.D2F, FLOATS, 0);
            quotient.blend(Float.NaN, quotient.compare(VectorOperators.NE, quotient))
                    .intoArray(out, i);
        }
        divide(x, from, origin, divisor, out, i, n);
    }
}
