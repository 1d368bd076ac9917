package io.github.broadloom.exec.files;

import io.github.broadloom.exec.CleanUp;
import io.github.broadloom.exec.Failures;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hidden names beside a target under which it is written: {@code .TARGET.MACHINE-PROCESS-START-RANDOM.tmp}. They say who writes, so that what a writer that died has
 * left there can be told from what one that lives needs.
 */
public final class Temporaries {
    private static final Logger LOG = LoggerFactory.getLogger(Temporaries.class);
    private static final int RADIX = 36;
    private static final ProcessHandle PROCESS = ProcessHandle.current();
    private static final String MACHINE = machine();
    private static final String OWNER =
            MACHINE + "-" + Long.toString(PROCESS.pid(), RADIX) + "-" + Long.toString(started(PROCESS), RADIX);
    private static final Pattern NAME =
            Pattern.compile("\\.(.*)\\.([0-9a-f]{8})-([0-9a-z]{1,12})-([0-9a-z]{1,12})-[0-9a-f]{8}\\.tmp");

    /** The machine's clock may be set between the looks of two processes at the start of one. */
    private static final long START_TOLERANCE_MILLIS = 60_000;
    /** Nobody can ask another machine for its processes. A write that goes on leaves files more often. */
    private static final Duration ABANDONED = Duration.ofDays(7);

    private static final Set<String> LIVING = ConcurrentHashMap.newKeySet();

    private Temporaries() {}

    /** A name beside the target that nobody else has, hidden from who lists parts; it is in use until it is {@link #over}. */
    public static Location of(Location target) {
        Matcher temporary = NAME.matcher(target.fileName());
        String base = temporary.matches() ? temporary.group(1) : target.fileName();
        String random = UUID.randomUUID().toString().substring(0, 8);
        String name = "." + base + "." + OWNER + "-" + random + ".tmp";
        LIVING.add(name);
        return target.sibling(name);
    }

    public static void over(Location temporary) {
        LIVING.remove(temporary.fileName());
    }

    public static void discard(Location temporary) {
        tidy(temporary, temporary::delete);
        over(temporary);
    }

    public interface Step {
        void run() throws IOException;
    }

    /** Tidies up whoever interrupts, also in the middle of it; what else goes wrong with that is told, and hides no failure. */
    public static void tidy(Location what, Step step) {
        CleanUp.run(() -> {
            boolean interrupted = false;
            for (boolean again = true; again; ) {
                again = false;
                try {
                    step.run();
                } catch (IOException | RuntimeException e) {
                    again = Thread.interrupted();
                    interrupted |= again;
                    if (!again) {
                        LOG.warn("Cannot tidy up {}: {}", what, Failures.sentence(e));
                    }
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private enum State {
        DEAD,
        UNKNOWN,
        LIVING
    }

    /** Deletes what writers of the target that are gone for certain have left, and names what else there is. */
    public static void deleteLeftovers(Location target) throws IOException {
        for (Location.Entry left : beside(target)) {
            Location location = target.sibling(left.name());
            State state = state(left.name(), modifiedMillis(location, left));
            if (state == State.DEAD) {
                location.delete();
                LOG.info("Deleted {}, which a write to {} had left that was ended from outside", left.name(), target);
            } else if (state == State.UNKNOWN) {
                warn(
                        target,
                        left,
                        "overwriting deletes it when nothing in it has changed for " + ABANDONED.toDays()
                                + " days, or delete it where you know that nobody writes there");
            }
        }
    }

    /** Names what writers of the target that are gone have left. */
    public static void tellLeftovers(Location target) throws IOException {
        for (Location.Entry left : beside(target)) {
            if (state(left.name(), left.modifiedMillis()) != State.LIVING) {
                warn(target, left, "overwriting " + target + " deletes it");
            }
        }
    }

    private static void warn(Location target, Location.Entry left, String remedy) {
        LOG.warn(
                "{} beside {} is left of a write that was ended from outside, or goes on elsewhere; {}",
                left.name(),
                target,
                remedy);
    }

    private static List<Location.Entry> beside(Location target) throws IOException {
        try {
            return target.folder().list(name -> {
                Matcher temporary = NAME.matcher(name);
                return temporary.matches() && temporary.group(1).equals(target.fileName());
            });
        } catch (FileNotFoundException | NoSuchFileException e) {
            return List.of(); // Some file systems make the folder with the first file.
        }
    }

    private static long modifiedMillis(Location location, Location.Entry entry) throws IOException {
        long newest = entry.modifiedMillis();
        for (Location.Entry inside : entry.folder() ? location.list() : List.<Location.Entry>of()) {
            newest = Math.max(newest, inside.modifiedMillis());
        }
        return newest;
    }

    /** Whether whoever had that name in use is gone for certain. */
    static boolean isAbandoned(String name, long modifiedMillis) {
        return state(name, modifiedMillis) == State.DEAD;
    }

    private static State state(String name, long modifiedMillis) {
        Matcher owner = NAME.matcher(name);
        if (LIVING.contains(name) || !owner.matches()) {
            return State.LIVING;
        }
        if (!owner.group(2).equals(MACHINE)) {
            boolean old = modifiedMillis < System.currentTimeMillis() - ABANDONED.toMillis();
            return old ? State.DEAD : State.UNKNOWN;
        }
        if (name.startsWith("." + owner.group(1) + "." + OWNER + "-")) {
            return State.DEAD;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(owner.group(3), RADIX));
        long started = Long.parseLong(owner.group(4), RADIX);
        boolean lives = process.filter(ProcessHandle::isAlive)
                .filter(same -> Math.abs(started(same) - started) < START_TOLERANCE_MILLIS)
                .isPresent();
        return lives ? State.LIVING : State.DEAD;
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** What sees the same processes under the same numbers: a machine since it was started, in a container that container. */
    private static String machine() {
        String text = seen(() -> Files.readString(Path.of("/proc/sys/kernel/random/boot_id")))
                + seen(() -> Files.readSymbolicLink(Path.of("/proc/self/ns/pid")));
        return String.format(
                Locale.ROOT, "%08x", (text.isEmpty() ? UUID.randomUUID().toString() : text).hashCode());
    }

    private interface Look {
        Object at() throws IOException;
    }

    private static String seen(Look look) {
        try {
            return look.at().toString();
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }
}
