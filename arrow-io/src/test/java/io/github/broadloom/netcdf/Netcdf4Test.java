package io.github.broadloom.netcdf;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.ArrayFormats;
import io.github.broadloom.format.Damage;
import io.github.broadloom.format.FormatFiles;
import io.github.broadloom.format.Formula;
import io.github.broadloom.format.LocalStore;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.shape.Shape;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class Netcdf4Test {
    private static final NetcdfFormat FORMAT = new NetcdfFormat();

    private static LocalStore store(String name) {
        return FormatFiles.store("netcdf/" + name + ".nc");
    }

    @Test
    void variablesGroupsAndDimensionsAreThoseOfTheFile() throws IOException {
        assertThat(ArrayFormats.of(store("version4"))).get().isInstanceOf(NetcdfFormat.class);
        assertThat(FORMAT.keys(store("version4"))).containsExactly("field", "inner/mask", "time");
        StoredArray field = FORMAT.open(store("version4"), "field");
        assertThat(field.dimensions()).containsExactly("time", "y", "x");
        assertThat(field.shape()).isEqualTo(Shape.of(7, 3, 5));
        assertThat(field.chunk()).isEqualTo(Shape.of(2, 3, 5));
        assertThat(field.attributes()).isEqualTo(Map.of("units", "K"));
        Formula.assertHolds(field, "int16");
        StoredArray mask = FORMAT.open(store("version4"), "inner/mask");
        assertThat(mask.dimensions()).containsExactly("y", "x");
        Formula.assertHolds(mask, "uint8");
        StoredArray time = FORMAT.open(store("version4"), "time");
        assertThat(time.dimensions()).containsExactly("time");
        Formula.assertHolds(time, "float64");
    }

    @Test
    void packedNumbersAreDecodedAsXarrayDoes() throws IOException {
        JsonNode all = new ObjectMapper()
                .readTree(FormatFiles.path("netcdf/packed4.json").toFile());
        for (Iterator<String> keys = all.fieldNames(); keys.hasNext(); ) {
            String key = keys.next();
            StoredArray decoded = FORMAT.open(store("packed4"), key + "?decode");
            assertThat(decoded.dtype())
                    .as(key)
                    .isEqualTo(DType.of(all.get(key).get("dtype").asText()));
            assertThat(decoded.attributes()).isEqualTo(Map.of("units", "K"));
            Formula.assertHolds(decoded, i -> {
                JsonNode value = all.get(key).get("values").get((int) i);
                return value.isNull() ? Double.NaN : value.asDouble();
            });
        }
    }

    @Test
    void damageIsSurvived() throws IOException {
        Damage.survives(FORMAT, FormatFiles.path("netcdf/version4.nc"), 100);
    }

    @Tag("full")
    @Test
    void muchDamageIsSurvived() throws IOException {
        Damage.survives(FORMAT, FormatFiles.path("netcdf/version4.nc"), 5_000);
    }
}
