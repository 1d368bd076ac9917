package io.github.broadloom.testkit.accuracy;

/**
 * The worst error of an operation.
 *
 * @param ulps from the correctly rounded value, in steps of the dtype; {@code Long.MAX_VALUE} where only one is NaN
 * @param arguments where it was met first
 */
public record Worst(long ulps, String arguments) {
    static final Worst NONE = new Worst(0, "");

    Worst or(Worst other) {
        return other.ulps > ulps ? other : this;
    }
}
