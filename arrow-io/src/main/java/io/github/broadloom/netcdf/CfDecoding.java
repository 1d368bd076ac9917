package io.github.broadloom.netcdf;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.format.UnsignedArray;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The values that the CF conventions mean by packed numbers: {@code x * scale_factor + add_offset}, and NaN for {@code _FillValue} and {@code missing_value}. The dtypes are those
 * that xarray chooses. Times stay numbers, with their {@code units}.
 */
public final class CfDecoding {
    private static final String SCALE = "scale_factor";
    private static final String OFFSET = "add_offset";
    private static final List<String> FILLS = List.of("_FillValue", "missing_value");
    private static final String UNSIGNED = "_Unsigned";

    private CfDecoding() {}

    /** The array of the decoded values; itself where its attributes ask for nothing. */
    public static StoredArray decode(StoredArray packed) {
        Map<String, Object> attributes = new LinkedHashMap<>(packed.attributes());
        StoredArray array = "true".equals(attributes.get(UNSIGNED)) ? unsigned(packed) : packed;
        Number scale = number(attributes.get(SCALE));
        Number offset = number(attributes.get(OFFSET));
        double[] fills = fills(attributes, packed, array.dtype());
        boolean bool = array.dtype() == DType.BOOL;
        if (bool || scale == null && offset == null && fills.length == 0) {
            return array;
        }
        attributes.keySet().removeAll(List.of(SCALE, OFFSET, UNSIGNED));
        attributes.keySet().removeAll(FILLS);
        DType dtype = dtype(array.dtype(), packed.dtype(), scale, offset);
        double factor = scale == null ? 1 : scale.doubleValue();
        double summand = offset == null ? 0 : offset.doubleValue();
        return with(
                array,
                dtype,
                attributes,
                new DecodedArray(array.reader(), array.dtype(), dtype, factor, summand, fills));
    }

    private static StoredArray with(
            StoredArray array, DType dtype, Map<String, Object> attributes, BlockReader reader) {
        return new StoredArray(
                array.key(),
                dtype,
                array.shape(),
                array.chunk(),
                array.dimensions(),
                attributes,
                array.encoding(),
                reader);
    }

    /** What NetCDF's classic formats could not say: that a signed integer's bits are those of one without a sign. */
    private static StoredArray unsigned(StoredArray packed) {
        DType bits = packed.dtype();
        if (bits != DType.INT8 && bits != DType.INT16 && bits != DType.INT32) {
            return packed;
        }
        UnsignedArray reader = new UnsignedArray(packed.reader(), bits);
        return with(packed, reader.dtype(), packed.attributes(), reader);
    }

    /**
     * The rules of xarray's {@code _choose_float_dtype}.
     *
     * @param packed the dtype of the bits, as wide as they are in the file
     */
    private static DType dtype(DType values, DType packed, @Nullable Number scale, @Nullable Number offset) {
        boolean integer = !values.isFloatingPoint();
        if (scale != null && offset != null && scale.getClass() == offset.getClass()) {
            boolean single = scale instanceof Float && !(integer && packed.bytes() == 4);
            return single ? DType.FLOAT32 : DType.FLOAT64;
        }
        if (offset != null) {
            return DType.FLOAT64;
        }
        if (scale != null) {
            return scale instanceof Float ? DType.FLOAT32 : DType.FLOAT64;
        }
        return packed.bytes() <= (integer ? 2 : 4) ? DType.FLOAT32 : DType.FLOAT64;
    }

    private static @Nullable Number number(@Nullable Object value) {
        Object only = value instanceof List<?> list && list.size() == 1 ? list.get(0) : value;
        return only instanceof Number number ? number : null;
    }

    /** The values that mean none. Of integers whose sign bit counts, one that is written with a sign means that of the same bits. */
    private static double[] fills(Map<String, Object> attributes, StoredArray packed, DType values) {
        List<Double> fills = new ArrayList<>();
        for (String name : FILLS) {
            Object value = attributes.get(name);
            for (Object fill : value instanceof List<?> list ? list : value == null ? List.of() : List.of(value)) {
                if (fill instanceof Number number) {
                    double as = values == DType.FLOAT32 ? number.floatValue() : number.doubleValue();
                    boolean wraps = as < 0 && values != packed.dtype();
                    fills.add(wraps ? as + Math.scalb(1.0, packed.dtype().bytes() * Byte.SIZE) : as);
                }
            }
        }
        return fills.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
