package io.github.broadloom.hdf5;

/** LibLZF's compression, which h5py brings as a filter. Spark's library of it has another method for the same in each of its versions. */
final class Lzf {
    private static final int LITERALS = 32;
    private static final int LONG_MATCH = 7;

    private Lzf() {}

    /** Decodes all of the bytes; returns how many there were, or -1 where they are damaged or do not fit. */
    static int decode(byte[] bytes, byte[] out) {
        int in = 0;
        int done = 0;
        while (in < bytes.length) {
            int control = bytes[in++] & 0xff;
            if (control < LITERALS) {
                int count = control + 1;
                if (count > bytes.length - in || count > out.length - done) {
                    return -1;
                }
                System.arraycopy(bytes, in, out, done, count);
                in += count;
                done += count;
                continue;
            }
            int count = control / LITERALS;
            if (bytes.length - in < (count == LONG_MATCH ? 2 : 1)) {
                return -1;
            }
            count += 2 + (count == LONG_MATCH ? bytes[in++] & 0xff : 0);
            int from = done - (control % LITERALS << 8) - (bytes[in++] & 0xff) - 1;
            if (from < 0 || count > out.length - done) {
                return -1;
            }
            for (int i = 0; i < count; i++) { // one by one: a match may reach into what it makes
                out[done + i] = out[from + i];
            }
            done += count;
        }
        return done;
    }
}
