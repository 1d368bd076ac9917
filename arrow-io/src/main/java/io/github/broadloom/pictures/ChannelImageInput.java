package io.github.broadloom.pictures;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import javax.imageio.stream.ImageInputStreamImpl;

/** A channel as Java's readers of pictures want it. Whoever opened the channel closes it. */
final class ChannelImageInput extends ImageInputStreamImpl {
    private static final int BUFFER_BYTES = 32 << 10;

    private final SeekableByteChannel in;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).limit(0);
    /** Of the buffer's end in the file. */
    private long bufferEnd;

    ChannelImageInput(SeekableByteChannel in) {
        this.in = in;
    }

    /** Whether there are bytes at the stream's position. */
    private boolean fill() throws IOException {
        long start = bufferEnd - buffer.limit();
        if (streamPos < start || streamPos >= bufferEnd) {
            in.position(streamPos);
            buffer.clear();
            int read = in.read(buffer);
            buffer.flip();
            bufferEnd = streamPos + buffer.limit();
            return read > 0;
        }
        buffer.position((int) (streamPos - start));
        return true;
    }

    @Override
    public int read() throws IOException {
        bitOffset = 0;
        if (!fill()) {
            return -1;
        }
        streamPos++;
        return buffer.get() & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        bitOffset = 0;
        if (length == 0) {
            return 0;
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, buffer.remaining());
        buffer.get(target, offset, count);
        streamPos += count;
        return count;
    }

    @Override
    public long length() {
        try {
            return in.size();
        } catch (IOException e) {
            return -1; // not known
        }
    }
}
