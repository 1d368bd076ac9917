package io.github.broadloom.safetensors;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.github.broadloom.format.FileBytes;
import io.github.broadloom.format.Store;
import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a safetensors file says of its tensors, by the format's description: eight bytes with the length of a JSON object, the object, and the elements of all tensors, one after
 * the other without gaps.
 *
 * @param dataOffset bytes from the beginning of the file to the first element
 * @param tensors by name
 * @param metadata the texts of {@code __metadata__}
 */
record SafetensorsHeader(long dataOffset, SortedMap<String, Entry> tensors, SortedMap<String, String> metadata) {
    static final int LENGTH_BYTES = Long.BYTES;
    /** The limit of the format's own library. */
    private static final int LONGEST = 100_000_000;

    static final String METADATA = "__metadata__";

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /**
     * One tensor.
     *
     * @param begin bytes from the first element of all to its own
     */
    record Entry(String dtype, long[] shape, long begin, long end) {
        long bytes() {
            return end - begin;
        }
    }

    /** Whether a file that begins so is one, be it a broken one. */
    static boolean begins(byte[] start) {
        return start.length > LENGTH_BYTES && start[LENGTH_BYTES] == '{' && isLength(length(start));
    }

    private static boolean isLength(long length) {
        return length >= 2 && length <= LONGEST;
    }

    private static long length(byte[] start) {
        return ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    /** @throws TensorFormatException where it is not one whole file of that format */
    static SafetensorsHeader read(Store store, String file) throws IOException {
        String name = store.name(file);
        try (SeekableByteChannel in = store.open(file)) {
            byte[] start = FileBytes.exactly(in, 0, LENGTH_BYTES, name);
            long length = length(start);
            if (!isLength(length)) {
                throw TensorFormatException.cannotRead(
                        name,
                        "its header claims to be " + Long.toUnsignedString(length) + " bytes long; 2 to " + LONGEST
                                + " are known of safetensors files");
            }
            byte[] json = FileBytes.exactly(in, LENGTH_BYTES, (int) length, name);
            SafetensorsHeader header = new Reading(name).header(json);
            header.check(in.size(), name);
            return header;
        } catch (JsonProcessingException e) {
            throw TensorFormatException.cannotRead(
                    name,
                    "its header is not the JSON object of a safetensors file ("
                            + TensorFormatException.quoted(e.getOriginalMessage()) + ")",
                    e);
        }
    }

    Entry entry(String tensor) {
        Entry entry = tensors.get(tensor);
        if (entry == null) {
            throw new IllegalArgumentException("No tensor " + tensor);
        }
        return entry;
    }

    /** Every byte behind the header belongs to one tensor: what two share, or none has, could be anything. */
    private void check(long fileBytes, String name) throws TensorFormatException {
        List<Map.Entry<String, Entry>> inOrder = new ArrayList<>(tensors.entrySet());
        inOrder.sort(Comparator.comparingLong(
                        (Map.Entry<String, Entry> tensor) -> tensor.getValue().begin())
                .thenComparingLong(tensor -> tensor.getValue().end()));
        long end = 0;
        for (Map.Entry<String, Entry> tensor : inOrder) {
            Entry entry = tensor.getValue();
            if (entry.begin() != end || entry.end() < entry.begin()) {
                throw TensorFormatException.cannotRead(
                        name,
                        "its tensor '" + TensorFormatException.quoted(tensor.getKey()) + "' lies from byte "
                                + entry.begin() + " to " + entry.end() + " where the one before it ends at " + end
                                + "; the file is damaged");
            }
            end = entry.end();
        }
        if (fileBytes - dataOffset != end) {
            throw TensorFormatException.cannotRead(
                    name,
                    "its header tells of " + end + " bytes of elements, but " + (fileBytes - dataOffset)
                            + " follow; the file is truncated or damaged");
        }
    }

    /** The JSON object, token by token: nothing is kept of it but what is known. */
    private record Reading(String name) {
        SafetensorsHeader header(byte[] json) throws IOException {
            SortedMap<String, Entry> tensors = new TreeMap<>();
            SortedMap<String, String> metadata = new TreeMap<>();
            try (JsonParser in = JSON.createParser(json)) {
                require(in.nextToken() == JsonToken.START_OBJECT, "it is no JSON object");
                while (in.nextToken() == JsonToken.FIELD_NAME) {
                    String key = in.currentName();
                    in.nextToken();
                    if (key.equals(METADATA)) {
                        metadata(in, metadata);
                    } else {
                        tensors.put(key, entry(in, key));
                    }
                }
                require(in.nextToken() == null, "something follows its JSON object");
            }
            return new SafetensorsHeader(LENGTH_BYTES + (long) json.length, tensors, metadata);
        }

        private void metadata(JsonParser in, Map<String, String> metadata) throws IOException {
            require(in.currentToken() == JsonToken.START_OBJECT, METADATA + " is no JSON object");
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String key = in.currentName();
                require(in.nextToken() == JsonToken.VALUE_STRING, METADATA + " has something else than texts");
                metadata.put(key, in.getText());
            }
        }

        private Entry entry(JsonParser in, String key) throws IOException {
            String of = "what it says of '" + TensorFormatException.quoted(key) + "'";
            require(in.currentToken() == JsonToken.START_OBJECT, of + " is no JSON object");
            String dtype = null;
            long[] shape = null;
            long[] offsets = null;
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String field = in.currentName();
                in.nextToken();
                switch (field) {
                    case "dtype" -> dtype = in.currentToken() == JsonToken.VALUE_STRING ? in.getText() : null;
                    case "shape" -> shape = numbers(in);
                    case "data_offsets" -> offsets = numbers(in);
                    default -> in.skipChildren();
                }
            }
            if (dtype == null || shape == null || offsets == null || offsets.length != 2) {
                throw bad(of + " is not a dtype, a shape and two offsets");
            }
            return new Entry(dtype, shape, offsets[0], offsets[1]);
        }

        /** A list of numbers that are not negative; null where it is something else. */
        private static long @Nullable [] numbers(JsonParser in) throws IOException {
            if (in.currentToken() != JsonToken.START_ARRAY) {
                in.skipChildren();
                return null;
            }
            long[] numbers = new long[8];
            int count = 0;
            while (in.nextToken() == JsonToken.VALUE_NUMBER_INT) {
                if (in.getNumberType() == JsonParser.NumberType.BIG_INTEGER || in.getLongValue() < 0) {
                    return null;
                }
                numbers = count == numbers.length ? Arrays.copyOf(numbers, 2 * count) : numbers;
                numbers[count++] = in.getLongValue();
            }
            return in.currentToken() == JsonToken.END_ARRAY ? Arrays.copyOf(numbers, count) : null;
        }

        private void require(boolean holds, String otherwise) throws TensorFormatException {
            if (!holds) {
                throw bad(otherwise);
            }
        }

        private TensorFormatException bad(String problem) {
            return TensorFormatException.cannotRead(
                    name, "its header is not that of a safetensors file: " + problem + "; the file is damaged");
        }
    }
}
