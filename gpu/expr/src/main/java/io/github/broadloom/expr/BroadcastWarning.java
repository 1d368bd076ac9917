package io.github.broadloom.expr;

import io.github.broadloom.settings.Setting;
import io.github.broadloom.settings.SettingKind;
import io.github.broadloom.shape.Broadcasting;
import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * PyTorch's backward-compatibility warning, {@code torch.utils.backcompat.broadcast_warning.enabled}: tensors of different
 * shapes that broadcast and have equally many elements were paired in order before PyTorch 0.2. Off by default;
 * switched on here for this JVM, by {@code -Dbroadloom.broadcastWarning=true}, or for the tensors of a Spark session by {@code
 * spark.broadloom.broadcastWarning=true}, which each session has for itself. It is logged once for each line of the user's program that is due one, for
 * local and distributed tensors, out of place and in place.
 */
public final class BroadcastWarning {
    public static final Setting<Boolean> SETTING = Setting.ofBoth(
            "broadloom.broadcastWarning",
            SettingKind.flag(),
            "`false`",
            "when the JVM builds its first expression; Spark's, when a tensor of the session is made",
            "Whether each line is warned of, once, at which tensors of different shapes broadcast and have equally many elements: PyTorch's `torch.utils.backcompat.broadcast_warning`.");

    /** As the published notes on broadcasting have it. */
    private static final String TEXT = "self and other do not have the same shape, but are broadcastable, and have the"
            + " same number of elements.\nChanging behavior in a backwards incompatible manner to broadcasting rather"
            + " than viewing as 1-dimensional.";

    private static final String LIBRARY = "io.github.broadloom.";
    private static final List<String> PROGRAMS = List.of(LIBRARY + "tools.", LIBRARY + "testkit.", LIBRARY + "bench.");
    private static final Set<Site> WARNED = ConcurrentHashMap.newKeySet();

    private static volatile boolean enabled = SETTING.inJvm().orElse(false);

    private BroadcastWarning() {}

    private record Site(String className, String method, int bytecodeIndex) {}

    /** Warns from now on; a line that was warned of before the warning was switched off is warned of again. */
    public static void enable() {
        enabled = true;
    }

    public static void disable() {
        enabled = false;
        WARNED.clear();
    }

    public static boolean isEnabled() {
        return enabled;
    }

    /** The arguments of a call, of which the first is {@code self}; warns where it is due. */
    public static Expr[] checked(Expr... args) {
        for (int i = 1; i < args.length; i++) {
            check(args[0], args[i]);
        }
        return args;
    }

    /** Warns where a call with these operands is due it. */
    public static void check(Expr self, Expr other) {
        Boolean said = saidBy(List.of(self, other));
        if (!(said == null ? enabled : said) || self instanceof Literal || other instanceof Literal) {
            return;
        }
        if (Broadcasting.warnsOfLegacyBroadcast(self.shape(), other.shape())) {
            StackWalker.getInstance()
                    .walk(frames -> frames.filter(BroadcastWarning::isUsers).findFirst())
                    .ifPresent(BroadcastWarning::warn);
        }
    }

    /** What operands say: one that wants the warning has it; null where none says anything. */
    static @Nullable Boolean saidBy(List<Expr> operands) {
        Boolean said = null;
        for (Expr operand : operands) {
            Boolean own = operand.warned();
            if (own != null) {
                said = own || Boolean.TRUE.equals(said);
            }
        }
        return said;
    }

    private static boolean isUsers(StackFrame frame) {
        String name = frame.getClassName();
        return !name.startsWith(LIBRARY) || PROGRAMS.stream().anyMatch(name::startsWith);
    }

    private static void warn(StackFrame frame) {
        if (WARNED.add(new Site(frame.getClassName(), frame.getMethodName(), frame.getByteCodeIndex()))) {
            // Not in a field: setting the log up takes longer than planning, and few programs are warned.
            LoggerFactory.getLogger(BroadcastWarning.class)
                    .warn("{}:{}: UserWarning: {}", frame.getFileName(), frame.getLineNumber(), TEXT);
        }
    }
}
