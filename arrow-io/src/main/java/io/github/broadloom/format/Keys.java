package io.github.broadloom.format;

import io.github.broadloom.io.TensorFormatException;

/** The names of files in a {@link Store}, which come out of files that nobody vouches for. */
public final class Keys {
    private Keys() {}

    /**
     * The key itself, where it names something inside a store.
     *
     * @param store for the message
     * @throws TensorFormatException where a part of it is empty, {@code .} or {@code ..}, or has a character that file systems understand otherwise
     */
    public static String checked(String key, String store) throws TensorFormatException {
        if (!key.isEmpty()) {
            for (String part : key.split("/", -1)) {
                boolean plain = !part.isEmpty() && !part.equals(".") && !part.equals("..");
                if (!plain || part.indexOf('\\') >= 0 || part.chars().anyMatch(Character::isISOControl)) {
                    throw new TensorFormatException("Cannot read " + store + ": '" + key.replaceAll("\\p{Cntrl}", "?")
                            + "' does not name anything in it");
                }
            }
        }
        return key;
    }
}
