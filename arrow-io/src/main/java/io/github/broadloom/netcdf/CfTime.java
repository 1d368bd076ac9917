package io.github.broadloom.netcdf;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;

/**
 * Times as the CF conventions count them, {@code hours since 1900-01-01}, in the calendars of weather and of climate models. By section 4.4 of the conventions; units longer than a day,
 * whose length they leave open, are refused.
 */
public final class CfTime {
    /** By the first letters of their months, the one over the turn of the year first; {@link Date#season} counts them. */
    public static final List<String> SEASONS = List.of("DJF", "MAM", "JJA", "SON");

    private static final long DAY_MILLIS = 86_400_000;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final long MINUTE_MILLIS = 60_000;
    private static final long SECOND_MILLIS = 1000;

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

    private static final Pattern PERIOD = Pattern.compile(
            "(-?\\d{1,4})(?:-(\\d{1,2})(?:-(\\d{1,2})(?:[T ](\\d{1,2})(?::(\\d{2})(?::(\\d{2}))?)?)?)?)?");

    private static final int MOST_STRETCHES = 1 << 24;

    private static final Pattern STRETCH = Pattern.compile("(\\d{0,6})(min|h|D|MS|YS)");

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
                    + Arrays.stream(months()).limit(Math.max(0, month - 1L)).sum()
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
            return (int) (millisOfDay / HOUR_MILLIS);
        }

        /** Which of {@link #SEASONS}. */
        public int season() {
            return month % 12 / 3;
        }

        @Override
        public String toString() {
            long minute = millisOfDay / MINUTE_MILLIS;
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
            long ofDay = minutes * MINUTE_MILLIS + number(matcher, 7) * SECOND_MILLIS;
            return new CfTime(millis, known, day * DAY_MILLIS + ofDay);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(cannot + "there is no such date", e);
        }
    }

    private static int number(Matcher matcher, int group) {
        return matcher.group(group) == null ? 0 : Integer.parseInt(matcher.group(group));
    }

    /** What is counted in; times of different calendars are not comparable. */
    public String calendar() {
        return calendar.name();
    }

    /**
     * The date that a number means.
     *
     * @throws IllegalArgumentException for NaN and infinities
     */
    public Date at(double value) {
        return date(millis(value));
    }

    /**
     * The time that a number means, in milliseconds since day 0 of the calendar, which order times and tell equal ones.
     *
     * @throws IllegalArgumentException for NaN and infinities
     */
    public long millis(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("Cannot read " + value + " as a time");
        }
        return Math.addExact(sinceMillis, Math.round(value * unitMillis));
    }

    /** The number that means what {@link #millis} gives. */
    public double value(long millis) {
        return (millis - sinceMillis) / unitMillis;
    }

    /** The date of what {@link #millis} gives. */
    public Date date(long millis) {
        Date date = calendar.dateOf(Math.floorDiv(millis, DAY_MILLIS));
        return new Date(date.year(), date.month(), date.day(), date.dayOfYear(), Math.floorMod(millis, DAY_MILLIS));
    }

    /** A stretch of time, of which both ends are part, as {@link #millis} gives them. */
    public record Period(long first, long last) {}

    /**
     * The year, month, day, hour, minute or second that a text names: {@code 2001}, {@code 2001-07}, {@code 2001-07-31}, {@code 2001-07-31T18:00}.
     *
     * @throws IllegalArgumentException where it names none, or the calendar has no such date
     */
    public Period period(String text) {
        Matcher matcher = PERIOD.matcher(text.strip());
        String cannot = "Cannot read '" + text + "' as a time: ";
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    cannot + "write it as 2001, 2001-07, 2001-07-31 or 2001-07-31T18:00, in UTC");
        }
        int year = number(matcher, 1);
        int month = matcher.group(2) == null ? 1 : number(matcher, 2);
        int day = matcher.group(3) == null ? 1 : number(matcher, 3);
        long ofDay = number(matcher, 4) * HOUR_MILLIS
                + number(matcher, 5) * MINUTE_MILLIS
                + number(matcher, 6) * SECOND_MILLIS;
        try {
            long first = calendar.dayOf(year, month, day) * DAY_MILLIS + ofDay;
            if (date(first).day() != day || date(first).month() != month || ofDay >= DAY_MILLIS) {
                throw new DateTimeException(text);
            }
            return new Period(first, first + length(matcher, year, month) - 1);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(cannot + "there is no such date in this calendar", e);
        }
    }

    private long length(Matcher matcher, int year, int month) {
        if (matcher.group(2) == null) {
            return (calendar.dayOf(year + 1, 1, 1) - calendar.dayOf(year, 1, 1)) * DAY_MILLIS;
        }
        if (matcher.group(3) == null) {
            long next = month == 12 ? calendar.dayOf(year + 1, 1, 1) : calendar.dayOf(year, month + 1, 1);
            return (next - calendar.dayOf(year, month, 1)) * DAY_MILLIS;
        }
        if (matcher.group(4) == null) {
            return DAY_MILLIS;
        }
        return matcher.group(5) == null ? HOUR_MILLIS : matcher.group(6) == null ? MINUTE_MILLIS : SECOND_MILLIS;
    }

    /**
     * Where stretches of time begin that follow each other without a gap: the first is that of {@code first}, the last that of {@code last}. Minutes, hours and days are counted from the midnight
     * before {@code first}, months and years from its own.
     *
     * @param every how long they are, as pandas has it: {@code 30min}, {@code h}, {@code 6h}, {@code D}, {@code 7D}, {@code MS} for months, {@code 3MS}, {@code YS} for years
     * @param first as {@link #millis} gives it
     * @param last no earlier
     * @throws IllegalArgumentException where that names no length of time, or there would be too many
     */
    public long[] starts(String every, long first, long last) {
        Matcher matcher = STRETCH.matcher(every);
        int count = !matcher.matches() ? 0 : matcher.group(1).isEmpty() ? 1 : number(matcher, 1);
        if (count == 0) {
            throw new IllegalArgumentException("Cannot cut times every \"" + every
                    + "\": write 30min, 6h, 1D, 7D, MS for months, 3MS or YS for years");
        }
        String unit = matcher.group(2);
        Date begin = date(first);
        LongStream starts;
        if (unit.endsWith("S")) {
            boolean ofYears = unit.equals("YS");
            long months = ofYears ? 12L * count : count;
            starts = LongStream.iterate(ofYears ? 0 : begin.month() - 1, month -> month + months)
                    .map(month -> monthStart(begin.year(), month));
        } else {
            double millis = Objects.requireNonNull(MILLIS.get(SHORT.get(unit.toLowerCase(Locale.ROOT))));
            long step = count * (long) millis;
            long begun = Math.floorMod(first, DAY_MILLIS) % step; // how long ago that of the first time began
            starts = LongStream.iterate(first - begun, start -> start + step);
        }
        long[] found = starts.takeWhile(start -> start <= last)
                .limit(MOST_STRETCHES + 1L)
                .toArray();
        if (found.length > MOST_STRETCHES) {
            throw new IllegalArgumentException("Cannot cut times every \"" + every + "\": from " + begin + " to "
                    + date(last) + " there are more than " + MOST_STRETCHES);
        }
        return found;
    }

    /** @param month of the first month of a year, from 0; there are later ones behind it */
    private long monthStart(int year, long month) {
        return calendar.dayOf((int) (year + month / 12), (int) (month % 12) + 1, 1) * DAY_MILLIS;
    }
}
