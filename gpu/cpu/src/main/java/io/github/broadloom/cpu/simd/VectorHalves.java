package io.github.broadloom.cpu.simd;

import static io.github.broadloom.cpu.simd.VectorWords.FLOATS;
import static io.github.broadloom.cpu.simd.VectorWords.INTS;
import static io.github.broadloom.cpu.simd.VectorWords.LANES;
import static io.github.broadloom.cpu.simd.VectorWords.SHORTS;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/**
 * {@link Halves} on the Vector API, eight at a time: first as if all were finite, and where one was not, again for any. Without a mask: those are vectors of bytes until JDK 18. A sign bit that is
 * shifted through a whole word takes their place.
 */
final class VectorHalves implements Halves {
    private static final IntVector MAGNITUDE = all(Integer.MAX_VALUE);
    private static final IntVector SIGN = all(Integer.MIN_VALUE);
    private static final IntVector EXPONENT = all(0x7F800000);
    private static final IntVector QUIET = all(0x00400000);
    private static final IntVector HALF_SIGN = all(0x8000);
    private static final IntVector HALF_MAGNITUDE = all(0x7FFF);
    private static final IntVector HALF_QUIET = all(0x0200);

    /** The bits before those of the first infinite half, shifted to those of a float. */
    private static final IntVector LARGEST_FINITE = all((0x7C00 << 13) - 1);

    /** The bits of 2¹⁶, of which the half is infinite, and of the float before it. */
    private static final IntVector ENDLESS = all(0x47800000);

    private static final IntVector BELOW_ENDLESS = all(0x47800000 - 1);

    /** The bits of 2⁻¹⁴, the smallest normal half. */
    private static final IntVector NORMAL = all(0x38800000);

    /** Thirteen binary places: what a float has more than a half. */
    private static final IntVector PLACES = all(13 << 23);

    /** The exponent of 2⁻¹⁴ less the place of a normal number's first bit, where those of a half are. */
    private static final IntVector REBIAS = all((127 - 14) << 10);

    /** What is left of the bits of a half that were sign-extended and shifted to those of a float. */
    private static final IntVector SHIFTED = all(0x8FFFFFFF);

    /** The bits of the first half that is not finite, and of the first float of which the half is not. */
    private static final int ENDLESS_HALF = 0x7C00;

    private static final int ENDLESS_FLOAT = Float.floatToRawIntBits(65520f);

    private static final IntVector PLACES_AND_REBIAS = all((13 << 23) + ((127 - 14) << 10));

    private final ScalarHalves rest = new ScalarHalves();

    private static IntVector all(int value) {
        return IntVector.broadcast(INTS, value);
    }

    @Override
    public void float16ToFloat32(short[] x, float[] out, int from, int to) {
        int end = VectorWords.end(from, to);
        if (finiteToFloat32(x, out, from, end) >= ENDLESS_HALF) {
            anyToFloat32(x, out, from, end);
        }
        rest.float16ToFloat32(x, out, end, to);
    }

    /** Right for finite halves, in half the time. Returns the largest magnitude, as bits. */
    private static int finiteToFloat32(short[] x, float[] out, int from, int end) {
        IntVector largest = IntVector.zero(INTS);
        for (int i = from; i < end; i += LANES) {
            IntVector half = (IntVector) ShortVector.fromArray(SHORTS, x, i).convertShape(VectorOperators.S2I, INTS, 0);
            largest = largest.max(half.and(HALF_MAGNITUDE));
            // As a float it is the half's value times 2^-112, of subnormal halves too.
            half.lanewise(VectorOperators.LSHL, 13)
                    .and(SHIFTED)
                    .reinterpretAsFloats()
                    .mul(0x1p112f)
                    .intoArray(out, i);
        }
        return largest.reduceLanes(VectorOperators.MAX);
    }

    private static void anyToFloat32(short[] x, float[] out, int from, int end) {
        for (int i = from; i < end; i += LANES) {
            IntVector half = (IntVector) ShortVector.fromArray(SHORTS, x, i).convertShape(VectorOperators.S2I, INTS, 0);
            IntVector magnitude = half.and(HALF_MAGNITUDE).lanewise(VectorOperators.LSHL, 13);
            IntVector bits = magnitude.reinterpretAsFloats().mul(0x1p112f).reinterpretAsInts();
            IntVector endless = LARGEST_FINITE.sub(magnitude).lanewise(VectorOperators.ASHR, 31);
            bits.or(endless.and(EXPONENT))
                    .or(half.and(SIGN))
                    .reinterpretAsFloats()
                    .intoArray(out, i);
        }
    }

    @Override
    public void float32ToFloat16(float[] x, short[] out, int from, int to) {
        int end = VectorWords.end(from, to);
        if (finiteToFloat16(x, out, from, end) >= ENDLESS_FLOAT) {
            anyToFloat16(x, out, from, end);
        }
        rest.float32ToFloat16(x, out, end, to);
    }

    /** Right where the halves are finite. Returns the largest magnitude, as bits. */
    private static int finiteToFloat16(float[] x, short[] out, int from, int end) {
        IntVector largest = IntVector.zero(INTS);
        for (int i = from; i < end; i += LANES) {
            IntVector bits = FloatVector.fromArray(FLOATS, x, i).reinterpretAsInts();
            IntVector size = bits.and(MAGNITUDE);
            largest = largest.max(size);
            // A number with the units of the half's last place, to which adding rounds.
            IntVector exponent = size.and(EXPONENT).max(NORMAL);
            IntVector rounder = exponent.add(PLACES);
            IntVector units = size.reinterpretAsFloats()
                    .add(rounder.reinterpretAsFloats())
                    .reinterpretAsInts()
                    .sub(exponent);
            IntVector half =
                    units.add(exponent.lanewise(VectorOperators.LSHR, 13)).sub(PLACES_AND_REBIAS);
            IntVector sign = bits.lanewise(VectorOperators.LSHR, 16).and(HALF_SIGN);
            ((ShortVector) half.or(sign).convertShape(VectorOperators.I2S, SHORTS, 0)).intoArray(out, i);
        }
        return largest.reduceLanes(VectorOperators.MAX);
    }

    private static void anyToFloat16(float[] x, short[] out, int from, int end) {
        for (int i = from; i < end; i += LANES) {
            IntVector bits = FloatVector.fromArray(FLOATS, x, i).reinterpretAsInts();
            IntVector size = bits.and(MAGNITUDE);
            IntVector nan = EXPONENT.sub(size).lanewise(VectorOperators.ASHR, 31);
            IntVector finite = size.min(ENDLESS);
            IntVector exponent = finite.and(EXPONENT).max(NORMAL);
            IntVector rounder = exponent.add(PLACES);
            IntVector units = finite.reinterpretAsFloats()
                    .add(rounder.reinterpretAsFloats())
                    .reinterpretAsInts()
                    .sub(rounder);
            IntVector half =
                    units.add(exponent.lanewise(VectorOperators.LSHR, 13).sub(REBIAS));
            IntVector sign = bits.lanewise(VectorOperators.LSHR, 16).and(HALF_SIGN);
            IntVector all = half.or(nan.and(HALF_QUIET)).or(sign);
            ((ShortVector) all.convertShape(VectorOperators.I2S, SHORTS, 0)).intoArray(out, i);
        }
    }

    @Override
    public void roundToFloat16(float[] x, float[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += LANES) {
            IntVector bits = FloatVector.fromArray(FLOATS, x, i).reinterpretAsInts();
            IntVector size = bits.and(MAGNITUDE);
            IntVector nan = EXPONENT.sub(size).lanewise(VectorOperators.ASHR, 31);
            IntVector finite = size.min(ENDLESS);
            FloatVector rounder = finite.and(EXPONENT).max(NORMAL).add(PLACES).reinterpretAsFloats();
            IntVector rounded =
                    finite.reinterpretAsFloats().add(rounder).sub(rounder).reinterpretAsInts();
            IntVector endless = BELOW_ENDLESS.sub(rounded).lanewise(VectorOperators.ASHR, 31);
            rounded.or(endless.and(EXPONENT))
                    .or(nan.and(QUIET))
                    .or(bits.and(SIGN))
                    .reinterpretAsFloats()
                    .intoArray(out, i);
        }
        rest.roundToFloat16(x, out, i, to);
    }
}
