package io.github.broadloom.cuda.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class DivisorTest {
    private static final long SEED = 11;

    /** As the GPU does it, in 32 bits. */
    private static int quotient(int n, Divisor by) {
        int high = (int) (Integer.toUnsignedLong(n) * Integer.toUnsignedLong(by.multiplier()) >>> Integer.SIZE);
        return (high + n) >>> by.shift();
    }

    @Test
    void everyQuotientOfSmallNumbersIsRight() {
        for (int d = 1; d < 300; d++) {
            Divisor by = Divisor.of(d);
            for (int n = 0; n < 1000; n++) {
                assertThat(quotient(n, by)).isEqualTo(n / d);
            }
        }
    }

    @Test
    void quotientsAreRightWhereTheyStepAndAtTheGreatestNumbers() {
        Random random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            int d = 1 + random.nextInt(Integer.MAX_VALUE) >>> random.nextInt(31);
            int divisor = Math.max(1, d);
            Divisor by = Divisor.of(divisor);
            int multiple = random.nextInt(Integer.MAX_VALUE) / divisor * divisor;
            for (int n : new int[] {multiple, Math.max(0, multiple - 1), Integer.MAX_VALUE, Integer.MAX_VALUE - 1}) {
                assertThat(quotient(n, by)).as("%s / %s", n, divisor).isEqualTo(n / divisor);
            }
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThatThrownBy(() -> Divisor.of(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Divisor.of(1L << 31)).hasMessageContaining("2147483648");
    }
}
