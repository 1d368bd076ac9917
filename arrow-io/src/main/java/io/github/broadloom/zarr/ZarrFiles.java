package io.github.broadloom.zarr;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.broadloom.format.Keys;
import io.github.broadloom.format.Store;
import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which arrays and groups lie in a store: their metadata, each in its folder, and consolidated copies of it at the top. */
final class ZarrFiles {
    private static final List<String> MARKS = List.of(ZarrV3.FILE, ZarrV2.FILE, ZarrV2.GROUP, ZarrV2.CONSOLIDATED);
    private static final int DEEPEST = 32;
    private static final int MOST_FOLDERS = 100_000;

    private ZarrFiles() {}

    static String child(String folder, String name) {
        return folder.isEmpty() ? name : folder + "/" + name;
    }

    static boolean isThere(Store store) throws IOException {
        if (!store.isFolder("")) {
            return false;
        }
        for (String mark : MARKS) {
            try (SeekableByteChannel in = store.open(mark)) {
                return true;
            } catch (NoSuchFileException e) {
                continue; // perhaps the next one is there
            }
        }
        return false;
    }

    /** What {@code zarr.json} says its folder is. */
    private static boolean isArray(Document json) throws TensorFormatException {
        String type = json.text("node_type");
        if (!type.equals("array") && !type.equals("group")) {
            throw json.wrong("node_type", "array or group");
        }
        return type.equals("array");
    }

    /** The keys of all arrays, in order. */
    static List<String> arrays(Store store) throws IOException {
        List<String> keys = new ArrayList<>();
        Optional<Document> root = Document.read(store, ZarrV3.FILE);
        if (root.isPresent() && !isArray(root.get()) && root.get().has("consolidated_metadata")) {
            Document all = root.get().object("consolidated_metadata").object("metadata");
            for (var entry : all.node().properties()) {
                if (isArray(new Document(root.get().name(), entry.getValue()).requireObject())) {
                    keys.add(Keys.checked(entry.getKey(), store.name()));
                }
            }
        } else if (root.isEmpty() && consolidated(store).isPresent()) {
            for (var entry : consolidated(store).get().node().properties()) {
                String file = entry.getKey();
                if (file.equals(ZarrV2.FILE)) {
                    keys.add("");
                } else if (file.endsWith("/" + ZarrV2.FILE)) {
                    String key = file.substring(0, file.length() - ZarrV2.FILE.length() - 1);
                    keys.add(Keys.checked(key, store.name()));
                }
            }
        } else {
            new Walk(store, keys).visit("", 0);
        }
        return keys.stream().sorted().toList();
    }

    private static Optional<Document> consolidated(Store store) throws IOException {
        Optional<Document> all = Document.read(store, ZarrV2.CONSOLIDATED);
        return all.isEmpty() ? all : Optional.of(all.get().object("metadata"));
    }

    /** Looks into all folders; links may lead in circles, but not for ever. */
    private static final class Walk {
        private final Store store;
        private final List<String> keys;
        private int visited;

        Walk(Store store, List<String> keys) {
            this.store = store;
            this.keys = keys;
        }

        void visit(String folder, int depth) throws IOException {
            Optional<Document> json = Document.read(store, child(folder, ZarrV3.FILE));
            boolean array = json.isPresent()
                    ? isArray(json.get())
                    : Document.read(store, child(folder, ZarrV2.FILE)).isPresent();
            if (array) {
                keys.add(folder);
                return;
            }
            if (depth > DEEPEST || ++visited > MOST_FOLDERS) {
                throw TensorFormatException.cannotRead(
                        store.name(folder),
                        "its groups are more than " + MOST_FOLDERS + ", or more than " + DEEPEST + " deep");
            }
            for (Store.Entry entry : store.list(folder)) {
                if (entry.folder()) {
                    visit(child(folder, entry.name()), depth + 1);
                }
            }
        }
    }

    /** The metadata of an array. */
    static ZarrMetadata metadata(Store store, String key) throws IOException {
        Optional<Document> json = Document.read(store, child(key, ZarrV3.FILE));
        if (json.isPresent() && isArray(json.get())) {
            return ZarrV3.read(json.get());
        }
        Optional<Document> array = v2(store, key, ZarrV2.FILE);
        if (array.isPresent()) {
            Optional<Document> attributes = v2(store, key, ZarrV2.ATTRIBUTES);
            return ZarrV2.read(array.get(), attributes.orElse(new Document("", Document.MAPPER.createObjectNode())));
        }
        List<String> keys = arrays(store);
        throw TensorFormatException.cannotRead(
                store.name(key),
                "there is no array of Zarr"
                        + (keys.isEmpty() ? "" : "; in " + store.name() + " are " + String.join(", ", keys)));
    }

    private static Optional<Document> v2(Store store, String key, String file) throws IOException {
        String path = child(key, file);
        Optional<Document> own = Document.read(store, path);
        if (own.isPresent()) {
            return own;
        }
        Optional<Document> all = consolidated(store);
        JsonNode copy = all.isPresent() ? all.get().node().get(path) : null;
        return copy == null ? Optional.empty() : Optional.of(new Document(store.name(path), copy).requireObject());
    }
}
