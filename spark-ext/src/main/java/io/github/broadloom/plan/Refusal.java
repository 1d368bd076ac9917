package io.github.broadloom.plan;

import java.util.ArrayList;
import java.util.List;

/** Why a plan cannot work, and what helps. */
final class Refusal extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    enum Cause {
        /** An operand is larger than what is copied to every executor. */
        REPLICA,
        /** More tasks than Spark's driver can keep. */
        TASKS,
        /** A task would hold more than it has. */
        MEMORY
    }

    private final transient Cause cause;
    private final transient long bytes;
    private final transient String problem;
    private final transient List<String> remedies;

    /**
     * @param bytes of the operand that is too large, or of what could be replicated no more; 0 where it is neither
     * @param remedies those that do not depend on settings
     */
    Refusal(Cause cause, long bytes, String problem, List<String> remedies) {
        super(problem + "; " + joined(remedies));
        this.cause = cause;
        this.bytes = bytes;
        this.problem = problem;
        this.remedies = List.copyOf(remedies);
    }

    private static String joined(List<String> remedies) {
        int last = remedies.size() - 1;
        return last < 1
                ? String.join("", remedies)
                : String.join(", ", remedies.subList(0, last)) + ", or " + remedies.get(last);
    }

    Cause cause() {
        return cause;
    }

    long bytes() {
        return bytes;
    }

    /** The same with other remedies before its own. */
    Refusal with(List<String> settings) {
        List<String> all = new ArrayList<>(settings);
        all.addAll(remedies);
        return new Refusal(cause, bytes, problem, all);
    }
}
