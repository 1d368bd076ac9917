package io.github.broadloom.random;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.dtype.IntInfo;
import io.github.broadloom.dtype.SixDigits;
import java.io.Serializable;

/** What random numbers are made of 64 random bits. */
public sealed interface Distribution extends Serializable {
    /** Its name in PyTorch. */
    String name();

    /** @throws IllegalArgumentException where numbers of that dtype cannot be drawn so, with PyTorch's text where it has one */
    void check(DType dtype);

    /** Of numbers that are computed in float64. */
    sealed interface Floating extends Distribution {
        /**
         * Makes a number of each element's bits.
         *
         * @param digits the binary digits of the dtype that they are for
         */
        void fill(double[] values, long[] bits, int digits);
    }

    /** Evenly from 0 to below 1: the first bits, as many as the dtype has digits, as a binary fraction. */
    record Uniform() implements Floating {
        @Override
        public String name() {
            return "rand";
        }

        @Override
        public void check(DType dtype) {
            requireFloating(dtype, "check_uniform_bounds");
        }

        @Override
        public void fill(double[] values, long[] bits, int digits) {
            double unit = Math.scalb(1.0, -digits);
            for (int i = 0; i < bits.length; i++) {
                values[i] = (bits[i] >>> Long.SIZE - digits) * unit;
            }
        }
    }

    /** Normally, by the inverse of the distribution function ({@link InverseNormal}): one number for one, on every machine the same. */
    record Normal(double mean, double std) implements Floating {
        /** @throws IllegalArgumentException with PyTorch's text, for a negative deviation */
        public Normal {
            if (!(std >= 0)) {
                throw new IllegalArgumentException("normal expects std >= 0.0, but found std " + SixDigits.of(std));
            }
        }

        @Override
        public String name() {
            return "normal";
        }

        @Override
        public void check(DType dtype) {
            requireFloating(dtype, "normal_kernel_cpu");
        }

        /** Of 52 bits and a half, so that neither 0 nor 1 is among the shares. */
        @Override
        public void fill(double[] values, long[] bits, int digits) {
            for (int i = 0; i < bits.length; i++) {
                values[i] = mean + std * InverseNormal.of(((bits[i] >>> 12) + 0.5) * 0x1p-52);
            }
        }
    }

    /**
     * Evenly from {@code low} to below {@code high}, each integer as often as any other: the upper half of the product of bits and range, and other bits where the lower half says that
     * they are too many (D. Lemire, <i>Fast random integer generation in an interval</i>, 2019).
     */
    record Integers(long low, long high) implements Distribution {
        /** @throws IllegalArgumentException with PyTorch's text, where there is no such integer */
        public Integers {
            if (low >= high) {
                throw new IllegalArgumentException(
                        "random_ expects 'from' to be less than 'to', but got from=" + low + " >= to=" + high);
            }
        }

        @Override
        public String name() {
            return "randint";
        }

        @Override
        public void check(DType dtype) {
            if (dtype.kind() != DType.Kind.INTEGER) {
                throw new IllegalArgumentException("Cannot draw integers as " + dtype
                        + "; draw them as a dtype of integers, and convert them with to(dtype)");
            }
            IntInfo limits = IntInfo.of(dtype);
            if (low < limits.min() || high - 1 > limits.max()) {
                String bound = low < limits.min() ? "from" : "to - 1";
                throw new IllegalArgumentException(bound + " is out of bounds for " + dtype.cxxName());
            }
        }

        /** How many there are, without a sign. */
        long range() {
            return high - low;
        }

        /** Whether bits are among those that some integers would have more of than others. */
        boolean refuses(long bits) {
            long range = range();
            long lower = bits * range;
            return Long.compareUnsigned(lower, range) < 0
                    && Long.compareUnsigned(lower, Long.remainderUnsigned(-range, range)) < 0;
        }

        long value(long bits) {
            long range = range();
            long upper = Math.multiplyHigh(bits, range) + (bits >> 63 & range) + (range >> 63 & bits);
            return low + upper;
        }
    }

    /** One with a probability, else zero. */
    record Bernoulli(double p) implements Floating {
        /** @throws IllegalArgumentException with PyTorch's text, for what is no probability */
        public Bernoulli {
            if (!(p >= 0 && p <= 1)) {
                throw new IllegalArgumentException(
                        "bernoulli_ expects p to be in [0, 1], but got p=" + SixDigits.of(p));
            }
        }

        @Override
        public String name() {
            return "bernoulli";
        }

        @Override
        public void check(DType dtype) {}

        @Override
        public void fill(double[] values, long[] bits, int digits) {
            new Uniform().fill(values, bits, DType.FLOAT64.significantBits());
            for (int i = 0; i < bits.length; i++) {
                values[i] = values[i] < p ? 1 : 0;
            }
        }
    }

    private static void requireFloating(DType dtype, String kernel) {
        if (!dtype.isFloatingPoint()) {
            throw new IllegalArgumentException("\"" + kernel + "\" not implemented for '" + dtype.typeName() + "'");
        }
    }
}
