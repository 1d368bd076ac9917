package io.github.broadloom.netcdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code cftime.num2date} (1.6) says of the same numbers. */
class CfTimeTest {
    @ParameterizedTest
    @CsvSource({
        "hours since 1900-01-01 00:00:00.0, standard, 1090200, 2024-05-15, 136",
        "days since 1850-01-01, proleptic_gregorian, 59.5, 1850-03-01 12:00, 60",
        "days since 1850-01-01, noleap, 59.5, 1850-03-01 12:00, 60",
        "days since 0001-01-01, noleap, 730000, 2001-01-01, 1",
        "days since 2000-01-01, all_leap, 59, 2000-02-29, 60",
        "days since 2001-01-01, all_leap, 366, 2002-01-01, 1",
        "days since 1970-01-01, 360_day, 59, 1970-02-30, 60",
        "days since 1970-01-01, 360_day, -1, 1969-12-30, 360",
        "seconds since 1970-01-01T00:00:00Z, gregorian, 1e9, 2001-09-09 01:46, 252",
        "minutes since 2000-2-28 23:59, standard, 1, 2000-02-29, 60",
        "h since 2000-12-31 UTC, standard, 25, 2001-01-01 01:00, 1"
    })
    void numbersAreDates(String units, String calendar, double value, String date, int dayOfYear) {
        CfTime.Date found = CfTime.of(units, calendar).at(value);
        assertThat(found).hasToString(date);
        assertThat(found.dayOfYear()).isEqualTo(dayOfYear);
    }

    @ParameterizedTest
    @CsvSource({
        "months since 2000-01-01, standard, the unit is none of",
        "hours after noon, standard, write them as",
        "hours since 2001-02-29, standard, there is no such date",
        "days since 2000-01-01, julian, there are standard",
    })
    void whatIsNoTimeIsRefused(String units, String calendar, String why) {
        assertThatThrownBy(() -> CfTime.of(units, calendar)).hasMessageContaining(why);
    }

    /** Of cftime's {@code num2date}, the first and last millisecond of what a text names. */
    @ParameterizedTest
    @CsvSource({
        "standard, 2000, 2000-01-01, 2000-12-31 23:59",
        "standard, 2000-02, 2000-02-01, 2000-02-29 23:59",
        "noleap, 2000-02, 2000-02-01, 2000-02-28 23:59",
        "360_day, 2000-12, 2000-12-01, 2000-12-30 23:59",
        "360_day, 2001-02-30, 2001-02-30, 2001-02-30 23:59",
        "standard, 2001-07-31T18, 2001-07-31 18:00, 2001-07-31 18:59",
        "standard, 2001-07-31 18:30, 2001-07-31 18:30, 2001-07-31 18:30"
    })
    void aTextNamesAStretchOfTime(String calendar, String text, String first, String last) {
        CfTime time = CfTime.of("days since 1970-01-01", calendar);
        CfTime.Period period = time.period(text);
        assertThat(time.date(period.first())).hasToString(first);
        assertThat(time.date(period.last())).hasToString(last);
    }

    @ParameterizedTest
    @CsvSource({
        "standard, 2001-02-29",
        "noleap, 2000-02-29",
        "360_day, 2001-13",
        "noleap, 2001-00-01",
        "standard, 2001-01-01T24"
    })
    void whatTheCalendarDoesNotHaveIsRefused(String calendar, String text) {
        CfTime time = CfTime.of("days since 1970-01-01", calendar);
        assertThatThrownBy(() -> time.period(text)).hasMessageContaining("there is no such date");
    }
}
