package warned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.expr.BroadcastWarning;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.spark.LocalSpark;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** As a user's program with several sessions: outside the library's packages, because the warning names the line outside them. */
class SessionWarningTest {
    private static final String SETTING = "spark.broadloom.broadcastWarning";

    private final Tensor column = Tensors.ones(4, 1);
    private final Tensor vector = Tensors.ones(4);
    private final Logger log = (Logger) LogManager.getLogger(BroadcastWarning.class);
    private final Ear ear = new Ear();

    /** Hears what is logged. */
    private static final class Ear extends AbstractAppender {
        private final List<String> said = new ArrayList<>();

        Ear() {
            super("ear", null, null, true, Property.EMPTY_ARRAY);
        }

        @Override
        public void append(LogEvent event) {
            said.add(event.getMessage().getFormattedMessage());
        }
    }

    @BeforeEach
    void listen() {
        LocalSpark.session(); // sets the log up
        ear.start();
        log.addAppender(ear);
    }

    @AfterEach
    void restore() {
        log.removeAppender(ear);
        BroadcastWarning.disable();
    }

    private int warnings() {
        int warnings = (int)
                ear.said.stream().filter(line -> line.contains("UserWarning")).count();
        ear.said.clear();
        return warnings;
    }

    private static SparkSession session(String value) {
        SparkSession session = LocalSpark.session().newSession();
        session.conf().set(SETTING, value);
        return session;
    }

    /** Fluent, in place and as text: three lines that are due it. */
    private void broadcast(Broadloom broadloom) {
        DistributedTensor x = broadloom.tensor(column);
        DistributedTensor y = broadloom.tensor(vector);
        x.mul(2).add(y);
        broadloom.tensor(Tensors.ones(1, 4)).add_(y);
        broadloom.eval("(a - 1) * b", Map.of("a", x, "b", y));
    }

    @Test
    void eachSessionHasItsOwnSwitch() {
        Broadloom on = Broadloom.on(session("true"));
        Broadloom off = Broadloom.on(session("false"));
        Broadloom neither = Broadloom.on(LocalSpark.session().newSession());
        broadcast(off);
        broadcast(neither);
        LazyTensor.of(column).add(vector);
        assertThat(warnings()).isZero();
        broadcast(on);
        assertThat(warnings()).isEqualTo(3);
        assertThat(BroadcastWarning.isEnabled()).isFalse();
    }

    @Test
    void aSessionMayBeSilentInAJvmThatWarns() {
        BroadcastWarning.enable();
        broadcast(Broadloom.on(session("false")));
        assertThat(warnings()).isZero();
        broadcast(Broadloom.on(LocalSpark.session().newSession()));
        assertThat(warnings()).isEqualTo(3);
    }

    @Test
    void aWrongValueIsNamedAtOnce() {
        SparkSession session = session("perhaps");
        assertThatThrownBy(() -> Broadloom.on(session)).hasMessageContaining(SETTING + "=perhaps");
    }
}
