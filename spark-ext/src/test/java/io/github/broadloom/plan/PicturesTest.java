package io.github.broadloom.plan;

import static io.github.broadloom.plan.Plans.MIB;
import static io.github.broadloom.plan.Plans.SETTINGS;
import static io.github.broadloom.plan.Plans.apply;
import static io.github.broadloom.plan.Plans.file;
import static io.github.broadloom.plan.Plans.input;
import static io.github.broadloom.plan.Plans.local;
import static io.github.broadloom.plan.Plans.mean;
import static io.github.broadloom.plan.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.KeepDim;
import io.github.broadloom.expr.ViewOps;
import io.github.broadloom.expr.ops.Reduction;
import io.github.broadloom.plan.Planner.Want;
import io.github.broadloom.plan.Source.Residence;
import io.github.broadloom.plan.picture.Pictures;
import io.github.broadloom.shape.Shape;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class PicturesTest {
    /** Fails where it is not well-formed. */
    private static Document parsed(String xml) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)));
    }

    private static Document picture(Expr expr) throws Exception {
        return parsed(Pictures.svg(plan(expr)));
    }

    private static List<Element> elements(org.w3c.dom.Node in, String name, String type) {
        NodeList all = in instanceof Document document
                ? document.getElementsByTagName(name)
                : ((Element) in).getElementsByTagName(name);
        List<Element> found = new ArrayList<>();
        for (int i = 0; i < all.getLength(); i++) {
            if (type.isEmpty() || ((Element) all.item(i)).getAttribute("class").equals(type)) {
                found.add((Element) all.item(i));
            }
        }
        return found;
    }

    private static List<String> texts(org.w3c.dom.Node in) {
        return elements(in, "text", "").stream().map(Element::getTextContent).toList();
    }

    private static Element only(org.w3c.dom.Node in, String name, String type) {
        List<Element> found = elements(in, name, type);
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    /** The lines between the blocks of a drawing. */
    private static long lines(Element drawing) {
        return elements(drawing, "path", "cuts").stream()
                .flatMapToInt(path -> path.getAttribute("d").chars())
                .filter(c -> c == 'M')
                .count();
    }

    private static double height(Element rectangle) {
        return Double.parseDouble(rectangle.getAttribute("height"));
    }

    private static double width(Element rectangle) {
        return Double.parseDouble(rectangle.getAttribute("width"));
    }

    /** How much of a drawing's front is drawn strong. */
    private static double read(Element drawing) {
        double whole = height(elements(drawing, "rect", "").get(0));
        return height(elements(only(drawing, "g", "read"), "rect", "").get(0)) / whole;
    }

    @Test
    void everyOperandIsDrawnWithItsStrategyAndItsChunks() throws Exception {
        Document svg = picture(
                apply("div", apply("sub", file("x", 512, 3, 224, 224), local("m", 3, 1, 1)), local("s", 3, 1, 1)));
        Element x = only(svg, "g", "tensor align");
        Element result = only(svg, "g", "tensor result");
        assertThat(elements(svg, "g", "tensor replicate"))
                .hasSize(2)
                .allSatisfy(small -> assertThat(lines(small)).isZero())
                .allSatisfy(small -> assertThat(read(small)).isEqualTo(1));
        assertThat(lines(x)).isEqualTo(15);
        assertThat(lines(result)).isEqualTo(15);
        assertThat(read(x)).isCloseTo(1.0 / 16, within(0.001));
        assertThat(texts(x)).containsExactly("x", "float32 [512, 3, 224, 224]", "●294.0 MiB · align");
        assertThat(texts(result)).containsExactly("result", "float32 [512, 3, 224, 224]", "●294.0 MiB · in 16 chunks");
        assertThat(texts(svg)).contains("1 · (x - m) / s", "a task for each of 16 chunks of up to 32 rows");
    }

    /** Chunk 2 of 7 has the rows 286 to 428 of 1000: they lie in the chunks 1 and 2 of 5. */
    @Test
    void anOperandWithOtherCutsKeepsItsLinesAndShowsTheWholeChunksThatATaskReads() throws Exception {
        Expr left = input("left", Residence.CLUSTER, RowGrid.ofChunks(1000, 7), 1000, 4096);
        Expr right = input("right", Residence.CLUSTER, RowGrid.ofChunks(1000, 5), 1000, 4096);
        Document svg = picture(apply("add", left, right));
        assertThat(lines(only(svg, "g", "tensor align"))).isEqualTo(6);
        assertThat(lines(only(svg, "g", "tensor re-slice"))).isEqualTo(4);
        assertThat(read(only(svg, "g", "tensor align"))).isCloseTo(0.143, within(0.002));
        assertThat(read(only(svg, "g", "tensor re-slice"))).isCloseTo(0.4, within(0.002));
    }

    /** The rows of the one cut the result down, those of the other across. */
    @Test
    void tensorsThatExpandEachOtherShowTheGridOfTheirBlocks() throws Exception {
        Expr a = file("a", 40_960, 1, 64);
        Expr b = local("b", 1, 30_000, 64);
        Expr distances = Expr.reduce(Reduction.AMAX, apply("sub", a, b), KeepDim.DROP, 2);
        Plan plan = new Planner(SETTINGS.withReplicateBytes(MIB)).plan(distances, Want.CHUNKS);
        ChunkGrid grid = plan.last().grid();
        assertThat(grid.cutDims()).isEqualTo(2);
        Document svg = parsed(Pictures.svg(plan));
        List<Element> drawings = elements(svg, "g", "").stream()
                .filter(g -> g.getAttribute("class").startsWith("tensor "))
                .toList();
        assertThat(drawings).hasSize(3);
        assertThat(lines(drawings.get(0))).isEqualTo(grid.along(0).chunks() - 1);
        assertThat(read(drawings.get(0))).isLessThan(0.1);
        assertThat(lines(drawings.get(1))).isBetween(20L, grid.along(1).chunks() - 1L);
        assertThat(read(drawings.get(1))).isEqualTo(1); // no larger than a chunk, so it travels whole
        assertThat(lines(drawings.get(2))).isEqualTo(lines(drawings.get(0)) + lines(drawings.get(1)));
    }

    /** A task of 8 of the transposed rows needs 8 of the 64 columns, out of every chunk. */
    @Test
    void ofAShuffleThePiecesThatATaskTakesAreDrawnStrong() throws Exception {
        Expr x = input("x", Residence.CLUSTER, RowGrid.ofChunks(4096, 64), 4096, 64);
        Plan plan =
                new Planner(SETTINGS.withChunkBytes(MIB / 8)).plan(apply("neg", ViewOps.permute(x, 1, 0)), Want.CHUNKS);
        assertThat(plan.last().operands().get(0).strategy()).isEqualTo(Strategy.SHUFFLE);
        assertThat(plan.last().grid().along(0).chunks()).isEqualTo(8);
        Element drawing = only(parsed(Pictures.svg(plan)), "g", "tensor shuffle");
        Element strong = elements(only(drawing, "g", "read"), "rect", "").get(0);
        Element whole = elements(drawing, "rect", "").get(0);
        assertThat(read(drawing)).isEqualTo(1);
        assertThat(width(strong) / width(whole)).isCloseTo(1.0 / 8, within(0.01));
    }

    @Test
    void stagesFollowEachOtherAndPartialResultsRunTogether() throws Exception {
        Expr x = file("x", 512, 3, 224, 224);
        Document svg = picture(apply("sub", x, mean(x, 0)));
        assertThat(elements(svg, "g", "stage")).hasSize(2);
        Element fold = elements(svg, "g", "stage").get(0);
        assertThat(texts(fold)).contains("1 · mean(x, dim=(0))", "result of step 1", "●588.0 KiB · on the driver");
        assertThat(lines(only(fold, "g", "tensor result"))).isZero();
        assertThat(elements(fold, "path", ""))
                .anySatisfy(path -> assertThat(path.getAttribute("d").chars().filter(c -> c == 'M'))
                        .hasSize(16));
        assertThat(texts(elements(svg, "g", "stage").get(1))).contains("2 · x - mean(x, dim=(0))", "result");
    }

    @Test
    void manyChunksAreThinnedUntilTheirLinesCanBeToldApart() throws Exception {
        Planner planner = new Planner(SETTINGS.withChunkBytes(1024));
        Plan plan = planner.plan(apply("neg", file("x", 100_000, 256)), Want.CHUNKS);
        assertThat(plan.last().grid().chunks()).isEqualTo(100_000);
        String svg = Pictures.svg(plan);
        Element x = only(parsed(svg), "g", "tensor align");
        double height = height(elements(x, "rect", "").get(0));
        assertThat(lines(x)).isBetween(20L, (long) (height / 3));
        assertThat(svg.length()).isLessThan(10_000);
    }

    @Test
    void aTensorThatIsOnlyReadIsDrawnAloneWithItsSizes() throws Exception {
        Document svg = parsed(Pictures.svg(new Planner(SETTINGS).plan(file("x", 512, 3, 224, 224), Want.CHUNKS)));
        assertThat(elements(svg, "g", "stage")).isEmpty();
        assertThat(lines(only(svg, "g", "tensor"))).isEqualTo(15);
        assertThat(texts(svg)).containsExactly("512", "3", "224 × 224");
    }

    @ParameterizedTest
    @CsvSource({"''", "0", "1", "7", "1 1", "0 5", "5 0 3", "2 3 4 5 6", "4000000000 2"})
    void anyShapeCanBeDrawn(String sizes) throws Exception {
        long[] shape = sizes.isEmpty()
                ? new long[0]
                : java.util.Arrays.stream(sizes.split(" "))
                        .mapToLong(Long::parseLong)
                        .toArray();
        Document svg = picture(apply("neg", file("x", shape)));
        assertThat(texts(svg)).contains("float32 " + Shape.of(shape));
        assertThat(svg.getDocumentElement().getAttribute("viewBox")).doesNotContain("NaN", "Infinity");
    }

    @Test
    void namesAreTextWhateverIsInThem() throws Exception {
        String name = "<script>alert(\"1\")</script>&\u0000\ud800.npy";
        Expr x = apply("neg", file(name, 5, 2));
        String harmless = "<script>alert(\"1\")</script>&\ufffd\ufffd.npy";
        Document svg = picture(x);
        assertThat(elements(svg, "script", "")).isEmpty();
        assertThat(svg.getElementsByTagName("title").item(0).getTextContent()).startsWith(harmless);
        Document html = parsed(Pictures.html(name, plan(x), "the plan of " + name));
        assertThat(elements(html, "script", "")).isEmpty();
        assertThat(elements(html, "td", "").get(0).getTextContent()).isEqualTo(harmless);
        assertThat(only(html, "pre", "").getTextContent()).isEqualTo("the plan of " + harmless);
    }

    @Test
    void theTableSaysWhatDasksDoes() throws Exception {
        Expr x = file("x", 512, 3, 224, 224);
        Document html = parsed(Pictures.html("y", plan(apply("sub", x, mean(x, 0))), "its plan"));
        assertThat(elements(html, "td", "").stream().map(Element::getTextContent))
                .containsExactly(
                        "y",
                        "float32",
                        "[512, 3, 224, 224]",
                        "294.0 MiB",
                        "16 of up to [32, 3, 224, 224]",
                        "2 jobs, 32 tasks",
                        "about 37.3 MiB",
                        "588.0 KiB");
        assertThat(elements(html, "svg", "broadloom")).hasSize(2);
    }

    @Test
    void whatCannotBePlannedSaysWhy() throws Exception {
        Document html = parsed(Pictures.refused("a - b", DType.FLOAT32, Shape.of(3, 2), "Cannot broadcast a < b"));
        assertThat(elements(html, "td", "").stream().map(Element::getTextContent))
                .containsExactly("a - b", "float32", "[3, 2]");
        assertThat(only(html, "p", "").getTextContent()).isEqualTo("Cannot broadcast a < b");
    }
}
