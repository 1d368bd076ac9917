package io.github.broadloom.exec;

import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The CRC-32C of what is written, which is written with it, and of what is read. Spark checks none of the bytes that it keeps on disk or shuffles, unless it compresses them; and where they end early, it
 * takes that for the end of the elements.
 */
public final class Checksum {
    private final CRC32C sum = new CRC32C();

    /** What is written there goes to {@code out}, which is neither buffered nor closed. */
    public DataOutputStream over(DataOutput out) {
        return new DataOutputStream(new CheckedOutputStream(new Sink(out), sum));
    }

    /** What is read there is exactly what is taken from {@code in}. */
    public DataInputStream over(DataInput in) {
        return new DataInputStream(new CheckedInputStream(new Origin(in), sum));
    }

    /** Writes the sum so far. */
    public void write(DataOutput out) throws IOException {
        out.writeInt((int) sum.getValue());
    }

    /** @throws DamagedException where the sum that comes next is another one than that of what was read, which is called {@code what} */
    public void check(DataInput in, String what) throws IOException {
        int seen = (int) sum.getValue();
        int sent = new DataInputStream(new Origin(in)).readInt();
        if (seen != sent) {
            throw DamagedException.arrived(
                    what,
                    "with CRC-32C " + Integer.toHexString(seen) + " where " + Integer.toHexString(sent) + " was sent");
        }
    }

    private static final class Sink extends OutputStream {
        private final DataOutput out;

        Sink(DataOutput out) {
            this.out = out;
        }

        @Override
        public void write(int b) throws IOException {
            out.write(b);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }
    }

    private static final class Origin extends InputStream {
        private final DataInput in;

        Origin(DataInput in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            try {
                return in.readUnsignedByte();
            } catch (EOFException e) {
                throw endsEarly();
            }
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                in.readFully(bytes, offset, length);
            } catch (EOFException e) {
                throw endsEarly();
            }
            return length;
        }

        private static DamagedException endsEarly() {
            return DamagedException.arrived("a piece of a tensor", "with its end missing");
        }
    }
}
