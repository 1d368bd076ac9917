package io.github.broadloom.bench;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the house to its plan: each floor stands only on the floors below it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FloorsTest {
    private static final String ROOT = "io.github.broadloom.";

    /** From the ground up. Packages on one line are neighbours, who do not know each other either. */
    private static final List<List<String>> FLOORS = List.of(
            List.of("settings"),
            List.of("dtype"),
            List.of("shape"),
            List.of("tensor"),
            List.of("arrow", "codec"),
            List.of("io"),
            List.of("format"),
            List.of("hdf5", "pictures", "random", "safetensors", "zarr"),
            List.of("netcdf"),
            List.of("named"),
            List.of("expr.math"),
            List.of("expr", "expr.ops"),
            List.of("expr.parse", "expr.rewrite"),
            List.of("expr.fluent"),
            List.of("kernels"),
            List.of("kernels.plan", "kernels.reduce"),
            List.of("device"),
            List.of("nearest"),
            List.of("lazy"),
            List.of("sparse"),
            List.of("testkit.random"),
            List.of("testkit.accuracy", "testkit.conformance"),
            List.of("cpu.simd", "cpu.memory"),
            List.of("cpu.code", "cpu.products"),
            List.of("cpu.reduce"),
            List.of("cpu"),
            List.of("cuda.code"),
            List.of("cuda.compiler"),
            List.of("cuda.driver"),
            List.of("cuda"),
            List.of("plan"),
            List.of("plan.picture"),
            List.of("table"),
            List.of("exec"),
            List.of("exec.files", "exec.metrics"),
            List.of("exec.jobs"),
            List.of("exec.read", "exec.cache"),
            List.of("exec.exchange", "exec.write"),
            List.of("exec.formats"),
            List.of("exec.compute"),
            List.of("sql.nearest"),
            List.of("sql"),
            List.of("spark", "source"),
            List.of("connect"),
            List.of("tools.picture"),
            List.of("tools.console"),
            List.of("tools.session"),
            List.of("tools.shell", "tools.commands"),
            List.of("tools"),
            List.of("bench", "bench.dryrun"),
            List.of("bench.checks"));

    /** The graph and its rows, which say how its nodes are typed: the two packages that know each other. */
    private static final List<String> GRAPH = List.of("expr", "expr.ops");

    private static final String[] SPARK_MAY_BE_SEEN_FROM = {
        ROOT + "table",
        ROOT + "exec..",
        ROOT + "spark",
        ROOT + "source",
        ROOT + "connect",
        ROOT + "sql..",
        ROOT + "tools..",
        ROOT + "bench.."
    };

    private JavaClasses house;
    private JavaClasses library;

    @BeforeAll
    void enter() {
        house = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("-tests.jar"))
                .importPackages("io.github.broadloom");
        library = house.that(resideInAnyPackage(ROOT + "testkit..", ROOT + "tools..", ROOT + "bench..")
                .negate());
    }

    static List<String> packages() {
        return FLOORS.stream().flatMap(List::stream).toList();
    }

    @ParameterizedTest
    @MethodSource("packages")
    void floorStandsOnlyOnTheFloorsBelow(String floor) {
        noClasses()
                .that()
                .resideInAPackage(ROOT + floor)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(notBelow(floor))
                .check(house);
    }

    @Test
    void everyClassLivesOnAFloor() {
        classes()
                .should()
                .resideInAnyPackage(packages().stream().map(name -> ROOT + name).toArray(String[]::new))
                .check(house);
    }

    @Test
    void packagesFormNoCycles() {
        slices().matching("io.github.broadloom.(**)")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(resideInAPackage(ROOT + "expr.ops"), resideInAPackage(ROOT + "expr"))
                .check(house);
    }

    @Test
    void noTwoClassesShareTheirName() {
        assertThat(house.stream()
                        .filter(type ->
                                type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                        .map(JavaClass::getSimpleName))
                .doesNotHaveDuplicates();
    }

    @Test
    void sparkIsSeenOnlyFromItsFloors() {
        noClasses()
                .that()
                .resideOutsideOfPackages(SPARK_MAY_BE_SEEN_FROM)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.spark..", "org.apache.hadoop..", "scala..")
                .check(house);
    }

    @Test
    void jcudaIsSeenOnlyFromTheCudaDevice() {
        noClasses()
                .that()
                .resideOutsideOfPackages(ROOT + "cuda.compiler", ROOT + "cuda.driver")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jcuda..")
                .check(house);
    }

    @Test
    void rawMemoryAloneHoldsUnsafe() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(ROOT + "tensor.RawMemory")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("sun.misc.Unsafe")
                .check(house);
    }

    @Test
    void libraryKeepsOffTheStandardStreams() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(library);
    }

    @Test
    void libraryLeavesJavaUtilLoggingAlone() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging")
                .check(library);
    }

    /** Every package on the floor's own level, itself excepted, and on the levels above. */
    private static String[] notBelow(String floor) {
        List<String> names = new ArrayList<>();
        boolean reached = false;
        for (List<String> level : FLOORS) {
            reached |= level.contains(floor);
            if (reached) {
                names.addAll(level);
            }
        }
        return Stream.of(names)
                .flatMap(List::stream)
                .filter(name -> !name.equals(floor) && !(GRAPH.contains(name) && GRAPH.contains(floor)))
                .map(name -> ROOT + name)
                .toArray(String[]::new);
    }
}
