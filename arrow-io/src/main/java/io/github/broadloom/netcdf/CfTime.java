package io.github.broadloom.netcdf;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as the CF conventions count them, {@code hours since 1900-01-01}, in the calendars of weather and of climate models. By section 4.4 of the conventions; units longer than a day,
 * whose length they leave open, are refused.
 */
public final class CfTime {
    private static final long DAY_MILLIS = 86_400_000;

    private static final Map<String, Double> MILLIS = Map.of(
            "milliseconds", 1.0,
            "seconds", 1e3,
            "minutes", 6e4,
            "hours", 3.6e6,
            "days", 8.64e7);

    private static final Map<String, String> SHORT = Map.ofEntries(
            Map.entry("ms", "milliseconds"),
            Map.entry("msec", "milliseconds"),
            Map.entry("millisec", "milliseconds"),
            Map.entry("s", "seconds"),
            Map.entry("sec", "seconds"),
            Map.entry("min", "minutes"),
            Map.entry("h", "hours"),
            Map.entry("hr", "hours"),
            Map.entry("d", "days"));

    private static final Pattern UNITS = Pattern.compile(
            "\\s*(\\w+)\\s+since\\s+(-?\\d{1,4})-(\\d{1,2})-(\\d{1,2})(?:[ T]+(\\d{1,2}):(\\d{1,2})(?::(\\d{1,2})(?:\\.\\d*)?)?)?"
                    + "\\s*(?:Z|UTC|GMT|[+-]?0{1,2}(?::?00)?)?\\s*",
            Pattern.CASE_INSENSITIVE);

    private final double unitMillis;
    private final Calendar calendar;
    /** Of the time from which is counted, since day 0 of the calendar. */
    private final long sinceMillis;

    private enum Calendar {
        /** Java's, which is that of today at all times; who mixes it with the Julian one has few times before 1582. */
        GREGORIAN(0),
        NO_LEAP(365),
        ALL_LEAP(366),
        THIRTY_DAYS(360);

        private final int yearDays;

        Calendar(int yearDays) {
            this.yearDays = yearDays;
        }

        private int[] months() {
            int[] days = {31, this == ALL_LEAP ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
            if (this == THIRTY_DAYS) {
                Arrays.fill(days, 30);
            }
            return days;
        }

        static Calendar of(String name) {
            return switch (name.toLowerCase(Locale.ROOT)) {
                case "standard", "gregorian", "proleptic_gregorian" -> GREGORIAN;
                case "noleap", "365_day" -> NO_LEAP;
                case "all_leap", "366_day" -> ALL_LEAP;
                case "360_day" -> THIRTY_DAYS;
                default ->
                    throw new IllegalArgumentException("Cannot read times of the calendar '" + name
                            + "'; there are standard, proleptic_gregorian, noleap, all_leap and 360_day");
            };
        }

        long dayOf(int year, int month, int day) {
            if (this == GREGORIAN) {
                return LocalDate.of(year, month, day).toEpochDay();
            }
            return (long) year * yearDays
                    + Arrays.stream(months()).limit(month - 1L).sum()
                    + day
                    - 1;
        }

        Date dateOf(long dayNumber) {
            if (this == GREGORIAN) {
                LocalDate date = LocalDate.ofEpochDay(dayNumber);
                return new Date(date.getYear(), date.getMonthValue(), date.getDayOfMonth(), date.getDayOfYear(), 0);
            }
            int year = Math.toIntExact(Math.floorDiv(dayNumber, yearDays));
            int ofYear = Math.toIntExact(Math.floorMod(dayNumber, (long) yearDays));
            int day = ofYear;
            int month = 0;
            int[] months = months();
            while (day >= months[month]) {
                day -= months[month++];
            }
            return new Date(year, month + 1, day + 1, ofYear + 1, 0);
        }
    }

    /**
     * A time, to the millisecond.
     *
     * @param month from 1
     * @param day of the month, from 1
     * @param dayOfYear from 1
     */
    public record Date(int year, int month, int day, int dayOfYear, long millisOfDay) {
        public int hour() {
            return (int) (millisOfDay / 3_600_000);
        }

        @Override
        public String toString() {
            long minute = millisOfDay / 60_000;
            String date = String.format(Locale.ROOT, "%04d-%02d-%02d", year, month, day);
            return minute == 0 ? date : date + String.format(Locale.ROOT, " %02d:%02d", minute / 60, minute % 60);
        }
    }

    private CfTime(double unitMillis, Calendar calendar, long sinceMillis) {
        this.unitMillis = unitMillis;
        this.calendar = calendar;
        this.sinceMillis = sinceMillis;
    }

    /**
     * How an array counts its times.
     *
     * @param units its attribute {@code units}
     * @param calendar its attribute {@code calendar}; {@code standard} where it has none
     * @throws IllegalArgumentException where they are no such units, or there is no such calendar
     */
    public static CfTime of(String units, String calendar) {
        Calendar known = Calendar.of(calendar);
        Matcher matcher = UNITS.matcher(units);
        String cannot = "Cannot read times in '" + units + "': ";
        if (!matcher.matches()) {
            throw new IllegalArgumentException(cannot + "write them as 'hours since 1900-01-01 00:00:00', in UTC");
        }
        String unit = matcher.group(1).toLowerCase(Locale.ROOT);
        String plural =
                MILLIS.containsKey(unit + "s") ? unit + "s" : SHORT.getOrDefault(unit.replaceAll("s$", ""), unit);
        Double millis = MILLIS.getOrDefault(plural, MILLIS.get(SHORT.getOrDefault(unit, unit)));
        if (millis == null) {
            throw new IllegalArgumentException(
                    cannot + "the unit is none of milliseconds, seconds, minutes, hours and days");
        }
        try {
            long day = known.dayOf(number(matcher, 2), number(matcher, 3), number(matcher, 4));
            long minutes = number(matcher, 5) * 60L + number(matcher, 6);
            return new CfTime(millis, known, day * DAY_MILLIS + minutes * 60_000 + number(matcher, 7) * 1000L);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(cannot + "there is no such date", e);
        }
    }

    private static int number(Matcher matcher, int group) {
        return matcher.group(group) == null ? 0 : Integer.parseInt(matcher.group(group));
    }

    /**
     * The date that a number means.
     *
     * @throws IllegalArgumentException for NaN and infinities
     */
    public Date at(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("Cannot read " + value + " as a time");
        }
        long millis = Math.addExact(sinceMillis, Math.round(value * unitMillis));
        Date date = calendar.dateOf(Math.floorDiv(millis, DAY_MILLIS));
        return new Date(date.year(), date.month(), date.day(), date.dayOfYear(), Math.floorMod(millis, DAY_MILLIS));
    }
}
