package io.github.broadloom.hdf5;

import io.jhdf.Constants;
import io.jhdf.FractalHeap;
import io.jhdf.ObjectHeader;
import io.jhdf.btree.BTreeV2;
import io.jhdf.btree.record.AttributeNameForIndexedAttributesRecord;
import io.jhdf.dataset.DatasetReader;
import io.jhdf.exceptions.HdfException;
import io.jhdf.object.datatype.Reference;
import io.jhdf.object.datatype.VariableLength;
import io.jhdf.object.message.AttributeInfoMessage;
import io.jhdf.object.message.AttributeMessage;
import io.jhdf.object.message.DataSpace;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The attributes of an object: numbers, texts and lists of these. Others are left out, and so is what the libraries of HDF5 and NetCDF keep for themselves. */
final class Hdf5Attributes {
    private static final Set<String> PRIVATE = Set.of(
            "CLASS",
            "NAME",
            "DIMENSION_LIST",
            "REFERENCE_LIST",
            "DIMENSION_LABELS",
            "_Netcdf4Dimid",
            "_Netcdf4Coordinates",
            "_NCProperties",
            "_nc3_strict");

    private final Hdf5Storage storage;
    private final Map<String, AttributeMessage> messages = new LinkedHashMap<>();

    Hdf5Attributes(Hdf5File file, ObjectHeader header) {
        this.storage = file.storage();
        for (AttributeInfoMessage info : header.getMessagesOfType(AttributeInfoMessage.class)) {
            if (info.getFractalHeapAddress() != Constants.UNDEFINED_ADDRESS) {
                dense(info);
            }
        }
        header.getMessagesOfType(AttributeMessage.class).forEach(message -> messages.put(message.getName(), message));
    }

    private void dense(AttributeInfoMessage info) {
        IndexClaims.checkTree(storage, info.getAttributeNameBTreeAddress());
        FractalHeap heap = new FractalHeap(storage, info.getFractalHeapAddress());
        BTreeV2<AttributeNameForIndexedAttributesRecord> tree =
                new BTreeV2<>(storage, info.getAttributeNameBTreeAddress());
        for (AttributeNameForIndexedAttributesRecord found : tree.getRecords()) {
            ByteBuffer bytes = heap.getId(found.getHeapId());
            AttributeMessage message = new AttributeMessage(bytes, storage, found.getFlags());
            messages.put(message.getName(), message);
        }
    }

    /** Those that are somebody's. */
    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        messages.forEach((name, message) -> {
            Object value = PRIVATE.contains(name) ? null : value(message);
            if (value != null) {
                values.put(name, value);
            }
        });
        return values;
    }

    /** A text; empty where there is none of that name. */
    String text(String name) {
        AttributeMessage message = messages.get(name);
        return message != null && value(message) instanceof String text ? text : "";
    }

    /** Texts; empty where there are none of that name. */
    List<?> list(String name) {
        AttributeMessage message = messages.get(name);
        Object value = message == null ? null : value(message);
        return value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
    }

    /** The addresses of the first scales of the dimensions, as dimension scales are attached; 0 where one has none, and no list where nothing is attached. */
    List<Long> scales() {
        AttributeMessage message = messages.get("DIMENSION_LIST");
        List<Long> scales = new ArrayList<>();
        if (message != null
                && message.getDataType() instanceof VariableLength sequences
                && sequences.getParent() instanceof Reference
                && data(message) instanceof Object[] dimensions) {
            for (Object dimension : dimensions) {
                scales.add(dimension instanceof long[] addresses && addresses.length > 0 ? addresses[0] : 0L);
            }
        }
        return scales;
    }

    private @Nullable Object data(AttributeMessage message) {
        ByteBuffer bytes = message.getDataBuffer();
        DataSpace space = message.getDataSpace();
        return bytes == null
                ? null
                : DatasetReader.readDataset(message.getDataType(), bytes, space.getDimensions(), storage);
    }

    private @Nullable Object value(AttributeMessage message) {
        Object data;
        try {
            data = message.getDataType() instanceof Reference ? null : data(message);
        } catch (HdfException e) {
            return null; // of a type that is not known, which is nothing to keep its array from anyone
        }
        List<Object> values = new ArrayList<>();
        boolean known = data != null && flatten(data, values);
        return !known || values.isEmpty() ? null : values.size() == 1 ? values.get(0) : List.copyOf(values);
    }

    /** Adds the numbers and texts of arrays in arrays; false where there is something else. */
    private static boolean flatten(@Nullable Object data, List<Object> values) {
        if (data != null && data.getClass().isArray()) {
            for (int i = 0; i < Array.getLength(data); i++) {
                if (!flatten(Array.get(data, i), values)) {
                    return false;
                }
            }
            return true;
        }
        if (data instanceof Byte || data instanceof Short) {
            return values.add(((Number) data).intValue());
        }
        return (data instanceof Number || data instanceof String || data instanceof Boolean) && values.add(data);
    }
}
