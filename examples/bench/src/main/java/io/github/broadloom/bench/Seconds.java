package io.github.broadloom.bench;

import java.util.Arrays;

/**
 * Times of equal calls, in seconds.
 *
 * @param median the middle one, or the mean of the two in the middle
 */
public record Seconds(double min, double median, int count) {
    public static Seconds of(double... seconds) {
        if (seconds.length == 0) {
            throw new IllegalArgumentException("Cannot take a median: no call was measured");
        }
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        return new Seconds(sorted[0], median, sorted.length);
    }
}
