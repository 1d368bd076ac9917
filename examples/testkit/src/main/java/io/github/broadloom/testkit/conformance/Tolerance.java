package io.github.broadloom.testkit.conformance;

/**
 * How far a result may lie from what is expected.
 *
 * @param ulp units in the last place of the result's dtype; whole dtypes are exact whatever it says
 * @param atol together with {@code rtol}: |got - expected| ≤ atol + rtol·|expected| is enough where either is positive
 * @param signedZero whether 0.0 and -0.0 are different values
 */
record Tolerance(double ulp, double atol, double rtol, boolean signedZero) {
    static Tolerance of(Vector vector) {
        return new Tolerance(
                vector.tolerance("ulp"),
                vector.tolerance("atol"),
                vector.tolerance("rtol"),
                vector.has("signed_zero") && vector.flag("signed_zero"));
    }

    boolean near(double got, double expected) {
        return (atol > 0 || rtol > 0) && Math.abs(got - expected) <= atol + rtol * Math.abs(expected);
    }
}
