package io.github.broadloom.cuda.code;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.FloatInfo;
import io.github.broadloom.dtype.IntInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Values of a dtype at which programs go wrong, and some others. */
final class Values {
    private static final long SEED = 20;
    private static final int RANDOM = 12;

    private Values() {}

    /** An odd number of values; without a zero where they are to divide. */
    static List<Object> of(DType dtype, boolean divide) {
        List<Object> values = switch (dtype.kind()) {
            case BOOL -> new ArrayList<Object>(List.of(false, true, true));
            case INTEGER -> integers(dtype);
            case FLOATING -> floats(dtype);
        };
        if (divide) {
            values.removeIf(value -> value.equals(0L));
        }
        return values.size() % 2 == 0 ? values.subList(1, values.size()) : values;
    }

    private static List<Object> integers(DType dtype) {
        IntInfo info = IntInfo.of(dtype);
        List<Object> values = new ArrayList<>();
        for (long near : new long[] {0, 1, 2, 3, 5, 7, 8, 31, 32, 63, 100}) {
            values.add(near);
            if (info.min() < 0) {
                values.add(-near);
            }
        }
        values.addAll(List.of(info.min(), info.min() + 1, info.max() - 1, info.max(), info.max() / 2));
        Random random = new Random(SEED);
        for (int i = 0; i < RANDOM; i++) {
            long bits = random.nextLong();
            values.add(info.min() < 0 ? bits >> (64 - info.bits()) : bits >>> (64 - info.bits()));
        }
        return values;
    }

    private static List<Object> floats(DType dtype) {
        FloatInfo info = FloatInfo.of(dtype);
        List<Object> values = new ArrayList<>();
        for (double positive : new double[] {
            0,
            0.1,
            0.25,
            0.5,
            0.7,
            0.9,
            1,
            1.5,
            2,
            2.5,
            3,
            4.75,
            7.5,
            10,
            13,
            20,
            40,
            90,
            1000,
            info.max(),
            info.tiny(),
            info.eps(),
            Double.POSITIVE_INFINITY
        }) {
            values.add(rounded(positive, dtype));
            values.add(rounded(-positive, dtype));
        }
        values.add(Double.NaN);
        Random random = new Random(SEED);
        for (int i = 0; i < RANDOM; i++) {
            values.add(rounded(random.nextGaussian() * 3, dtype));
        }
        return values;
    }

    private static Object rounded(double value, DType dtype) {
        if (dtype.isReducedFloatingPoint()) {
            return (double) dtype.reduced().round((float) value);
        }
        return dtype == DType.FLOAT32 ? (double) (float) value : value;
    }
}
