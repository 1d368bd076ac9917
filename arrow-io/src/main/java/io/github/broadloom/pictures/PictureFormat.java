package io.github.broadloom.pictures;

import io.github.broadloom.format.ArrayFormat;
import io.github.broadloom.format.FileBytes;
import io.github.broadloom.format.Store;
import io.github.broadloom.format.StoredArray;
import io.github.broadloom.io.TensorFormatException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads PNG and JPEG files as {@code [h, w, c]}, and folders of nothing but pictures of one size as {@code [n, h, w, c]}, sorted by name. */
public final class PictureFormat implements ArrayFormat {
    @Override
    public String name() {
        return "pictures";
    }

    @Override
    public List<String> suffixes() {
        return List.of(".png", ".jpg", ".jpeg");
    }

    private boolean isPicture(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return suffixes().stream().anyMatch(lower::endsWith);
    }

    @Override
    public boolean recognizes(Store store) throws IOException {
        if (!store.isFolder("")) {
            return Picture.format(FileBytes.first(store, Picture.HEADER_BYTES)) != null;
        }
        List<Store.Entry> visible = visible(store);
        return !visible.isEmpty() && visible.stream().allMatch(entry -> !entry.folder() && isPicture(entry.name()));
    }

    /** What file systems do not hide: names that begin with a dot are nobody's pictures. */
    private static List<Store.Entry> visible(Store store) throws IOException {
        return store.list("").stream()
                .filter(entry -> !entry.name().startsWith("."))
                .toList();
    }

    @Override
    public List<String> keys(Store store) {
        return List.of("");
    }

    @Override
    public StoredArray open(Store store, String key) throws IOException {
        if (!key.isEmpty()) {
            throw TensorFormatException.noArray(store.name(), key, List.of());
        }
        return store.isFolder("") ? folder(store) : array(PictureArray.one(store, Picture.header(store, "")));
    }

    /** The headers of all of them are read. */
    private StoredArray folder(Store store) throws IOException {
        String[] names = visible(store).stream()
                .map(Store.Entry::name)
                .filter(this::isPicture)
                .sorted()
                .toArray(String[]::new);
        if (names.length == 0) {
            throw TensorFormatException.cannotRead(
                    store.name(), "the folder has no pictures, whose names end in " + String.join(", ", suffixes()));
        }
        Picture first = Picture.header(store, names[0]);
        for (String name : names) {
            Picture other = Picture.header(store, name);
            if (!other.equals(first)) {
                throw TensorFormatException.cannotRead(
                        store.name(name),
                        "it has " + other.dtype() + " " + other.shape() + " where " + names[0] + " has " + first.dtype()
                                + " " + first.shape() + "; pictures of a folder are of one size");
            }
        }
        return array(PictureArray.folder(store, names, first));
    }

    private static StoredArray array(PictureArray reader) {
        return new StoredArray(
                "", reader.dtype(), reader.shape(), reader.chunk(), List.of(), Map.of(), "pictures", reader);
    }
}
