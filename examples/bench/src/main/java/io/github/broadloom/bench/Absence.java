package io.github.broadloom.bench;

/** Why a contender cannot be measured. */
final class Absence extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param why for the reader of the table */
    Absence(String why) {
        super(why);
    }

    /** What comes of it. */
    Contender.Outcome outcome() {
        return Contender.Outcome.absent(String.valueOf(getMessage()));
    }
}
