package io.github.broadloom.lanes;

import static io.github.broadloom.lanes.VectorWords.EIGHT;
import static io.github.broadloom.lanes.VectorWords.FLOATS;
import static io.github.broadloom.lanes.VectorWords.SHORTS;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;

/** {@link Halves} on the Vector API, eight at a time. */
final class VectorHalves implements Halves {
    private static final int INFINITY = 0x7F800000;
    private static final int NAN = 0x7FC00000;

    /** The bits of 65520, from which on a half is infinite. */
    private static final int OVERFLOW = 0x477FF000;

    /** The bits of 2⁻¹⁴, the smallest normal half. */
    private static final int NORMAL = 0x38800000;

    /** The units in the last place of floats near 0.5 are those of subnormal halves: adding it rounds to them. */
    private static final float SUBNORMAL_ROUNDER = 0.5f;

    /** What is added to the exponent of a half to make it that of a float. */
    private static final int REBIAS = 127 - 15 << 23;

    private final ScalarHalves rest = new ScalarHalves();

    @Override
    public void float16ToFloat32(short[] x, float[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            IntVector half = VectorWords.shorts(x, i);
            IntVector magnitude = half.and(0x7FFF).lanewise(VectorOperators.LSHL, 13);
            // As a float it is the half's value times 2^-112, of subnormal halves too.
            FloatVector value = magnitude.reinterpretAsFloats().mul(0x1p112f);
            IntVector bits = value.reinterpretAsInts();
            IntVector endless = bits.or(INFINITY);
            IntVector finite = bits.blend(endless, magnitude.compare(VectorOperators.GE, 0x7C00 << 13));
            IntVector sign = half.and(Integer.MIN_VALUE);
            finite.or(sign).reinterpretAsFloats().intoArray(out, i);
        }
        rest.float16ToFloat32(x, out, i, to);
    }

    @Override
    public void float32ToFloat16(float[] x, short[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            IntVector bits = FloatVector.fromArray(FLOATS, x, i).reinterpretAsInts();
            IntVector size = bits.and(Integer.MAX_VALUE);
            // To 11 significant bits: half a unit less one is added, and one more where the last bit is odd.
            IntVector odd = size.lanewise(VectorOperators.LSHR, 13).and(1);
            IntVector normal = size.add(odd).sub(REBIAS - 0xFFF).lanewise(VectorOperators.LSHR, 13);
            IntVector tiny = size.reinterpretAsFloats()
                    .add(SUBNORMAL_ROUNDER)
                    .reinterpretAsInts()
                    .sub(Float.floatToRawIntBits(SUBNORMAL_ROUNDER));
            IntVector half = normal.blend(tiny, size.compare(VectorOperators.LT, NORMAL))
                    .blend(INFINITY >> 13 & 0x7C00, size.compare(VectorOperators.GE, OVERFLOW))
                    .blend(NAN >> 13 & 0x7E00, size.compare(VectorOperators.GT, INFINITY));
            IntVector sign = bits.lanewise(VectorOperators.LSHR, 16).and(0x8000);
            ((ShortVector) half.or(sign).convertShape(VectorOperators.I2S, SHORTS, 0)).intoArray(out, i);
        }
        rest.float32ToFloat16(x, out, i, to);
    }

    @Override
    public void roundToFloat16(float[] x, float[] out, int from, int to) {
        int i = from;
        for (int end = VectorWords.end(from, to); i < end; i += EIGHT) {
            IntVector bits = FloatVector.fromArray(FLOATS, x, i).reinterpretAsInts();
            IntVector size = bits.and(Integer.MAX_VALUE);
            IntVector odd = size.lanewise(VectorOperators.LSHR, 13).and(1);
            IntVector normal = size.add(odd).add(0xFFF).and(-0x2000);
            FloatVector tiny = size.reinterpretAsFloats().add(SUBNORMAL_ROUNDER).sub(SUBNORMAL_ROUNDER);
            IntVector half = normal.blend(tiny.reinterpretAsInts(), size.compare(VectorOperators.LT, NORMAL))
                    .blend(INFINITY, size.compare(VectorOperators.GE, OVERFLOW))
                    .blend(NAN, size.compare(VectorOperators.GT, INFINITY));
            IntVector sign = bits.and(Integer.MIN_VALUE);
            half.or(sign).reinterpretAsFloats().intoArray(out, i);
        }
        rest.roundToFloat16(x, out, i, to);
    }
}
