package io.github.broadloom.cuda;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A test class whose GPU is the {@link FakeDriver}: it runs in a JVM of its own (the tag names the execution of surefire), is skipped
 * where g++ is missing, starts each test with the driver as it was at the start, and fails when a test misuses the driver. After the class no device memory is
 * lent, and every GPU is closed.
 */
@Tag("fake-gpu")
@ExtendWith(WithFakeGpu.Extension.class)
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface WithFakeGpu {

    /** Loads, resets and asks the driver. */
    final class Extension implements ExecutionCondition, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (FakeDriver.missing().isPresent()) {
                return ConditionEvaluationResult.disabled(FakeDriver.missing().get());
            }
            FakeDriver.load();
            return ConditionEvaluationResult.enabled("g++ builds the driver");
        }

        @Override
        public void beforeEach(ExtensionContext context) {
            FakeDriver.load().reset();
        }

        @Override
        public void afterEach(ExtensionContext context) {
            FakeDriver driver = FakeDriver.load();
            driver.failNothing();
            if (driver.violations() != 0) {
                throw new AssertionError(
                        driver.violations() + " misuses of the driver; the latest: " + driver.message());
            }
        }

        @Override
        public void afterAll(ExtensionContext context) {
            FakeGpus.closeAll();
        }
    }
}
