package io.github.broadloom.dtype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.Golden;
import io.github.broadloom.dtype.Promotion.Term;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PromotionTest {

    static Stream<Named<JsonNode>> resultTypes() {
        return Golden.lines("promote.jsonl", "result_type");
    }

    static Stream<Named<JsonNode>> casts() {
        return Golden.lines("promote.jsonl", "can_cast");
    }

    static Stream<Named<JsonNode>> pairs() {
        return Golden.lines("promote.jsonl", "promote_types");
    }

    static Stream<Named<JsonNode>> floats() {
        return Golden.lines("promote.jsonl", "finfo");
    }

    static Stream<Named<JsonNode>> integers() {
        return Golden.lines("promote.jsonl", "iinfo");
    }

    @ParameterizedTest
    @MethodSource("resultTypes")
    void resultTypeIsPyTorchs(JsonNode line) {
        Term second = line.has("b") ? tensor(line.get("b")) : Term.number(number(line.get("scalar")));
        assertThat(Promotion.resultType(List.of(tensor(line.get("a")), second)))
                .isEqualTo(DType.of(line.get("expect").asText()));
    }

    private static Term tensor(JsonNode node) {
        return Term.tensor(
                DType.of(node.get("dtype").asText()), node.get("dims").intValue());
    }

    private static Object number(JsonNode node) {
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        return node.isIntegralNumber() ? (Object) node.longValue() : (Object) node.doubleValue();
    }

    @ParameterizedTest
    @MethodSource("casts")
    void canCastIsPyTorchs(JsonNode line) {
        assertThat(Promotion.canCast(dtype(line, "from"), dtype(line, "to")))
                .isEqualTo(line.get("expect").booleanValue());
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void promoteTypesIsPyTorchs(JsonNode line) {
        assertThat(Promotion.promoteTypes(dtype(line, "a"), dtype(line, "b"))).isEqualTo(dtype(line, "expect"));
    }

    private static DType dtype(JsonNode line, String field) {
        return DType.of(line.get(field).asText());
    }

    @ParameterizedTest
    @MethodSource("floats")
    void finfoIsPyTorchs(JsonNode line) {
        assertThat(FloatInfo.of(dtype(line, "dtype")))
                .isEqualTo(new FloatInfo(
                        dtype(line, "dtype"),
                        line.get("bits").intValue(),
                        line.get("eps").doubleValue(),
                        line.get("max").doubleValue(),
                        line.get("min").doubleValue(),
                        line.get("tiny").doubleValue(),
                        line.get("resolution").doubleValue()));
    }

    @ParameterizedTest
    @MethodSource("integers")
    void iinfoIsPyTorchs(JsonNode line) {
        assertThat(IntInfo.of(dtype(line, "dtype")))
                .isEqualTo(new IntInfo(
                        dtype(line, "dtype"),
                        line.get("bits").intValue(),
                        line.get("max").longValue(),
                        line.get("min").longValue()));
    }

    @Test
    void numbersAloneTakeTheDefaultDtypes() {
        assertThat(Promotion.resultType(List.of(Term.number(2.5), Term.number(1L))))
                .isEqualTo(DType.FLOAT32);
        assertThat(Promotion.resultType(List.of(Term.number(true), Term.number(1))))
                .isEqualTo(DType.INT64);
    }

    @Test
    void aZeroDimTensorLiftsTheCategoryWithItsOwnDtype() {
        Term bytes = Term.tensor(DType.UINT8, 1);
        assertThat(Promotion.resultType(List.of(bytes, Term.tensor(DType.FLOAT64, 0))))
                .isEqualTo(DType.FLOAT64);
        assertThat(Promotion.resultType(List.of(bytes, Term.tensor(DType.INT64, 0))))
                .isEqualTo(DType.UINT8);
    }

    @Test
    void everyIntegerOfJavaIsAnInt64AndEveryFloatingNumberAFloat64() {
        for (Object integer : List.of((byte) 1, (short) 1, 1, 1L)) {
            assertThat(Term.number(integer)).isEqualTo(new Term(DType.INT64, Term.Level.NUMBER));
        }
        for (Object real : List.of(1f, 1.0)) {
            assertThat(Term.number(real)).isEqualTo(new Term(DType.FLOAT64, Term.Level.NUMBER));
        }
    }

    @Test
    void tensorsOfOneLevelPromoteAmongThemselves() {
        Term bytes = Term.tensor(DType.UINT8, 1);
        Term signedBytes = Term.tensor(DType.INT8, 1);
        Term zeroDimReal = Term.tensor(DType.FLOAT64, 0);
        assertThat(Promotion.resultType(List.of(bytes, signedBytes))).isEqualTo(DType.INT16);
        assertThat(Promotion.resultType(List.of(zeroDimReal, Term.tensor(DType.FLOAT16, 0), bytes)))
                .isEqualTo(DType.FLOAT64);
        assertThat(Promotion.resultType(List.of(Term.tensor(DType.FLOAT16, 1), zeroDimReal, Term.number(1.0))))
                .isEqualTo(DType.FLOAT16);
    }

    @Test
    void noTermHasNoDtype() {
        assertThatThrownBy(() -> Promotion.resultType(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("result_type requires at least one argument");
    }

    @Test
    void aNumberNeedsANumber() {
        assertThatThrownBy(() -> Term.number(BigDecimal.ONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("BigDecimal");
    }

    @ParameterizedTest
    @EnumSource
    void limitsExistForOneKindEach(DType dtype) {
        if (dtype.kind() != DType.Kind.FLOATING) {
            assertThatThrownBy(() -> FloatInfo.of(dtype))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("torch.finfo() requires a floating point input type. Use torch.iinfo to handle '"
                            + dtype + "'");
        }
        if (dtype.kind() != DType.Kind.INTEGER) {
            assertThatThrownBy(() -> IntInfo.of(dtype))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            dtype == DType.BOOL
                                    ? "torch.bool is not supported by torch.iinfo"
                                    : "torch.iinfo() requires an integer input type. Use torch.finfo to handle '"
                                            + dtype + "'");
        }
    }
}
