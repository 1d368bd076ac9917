package io.github.broadloom.spark;

import com.esotericsoftware.kryo.Kryo;
import io.github.broadloom.exec.Block;
import io.github.broadloom.exec.compute.GatherAnswer;
import io.github.broadloom.exec.exchange.BroadcastPiece;
import io.github.broadloom.exec.exchange.ChunkBytes;
import io.github.broadloom.exec.files.Part;
import org.apache.spark.serializer.KryoRegistrator;

/**
 * Registers what Broadloom sends through Kryo; needed only where {@code spark.kryo.registrationRequired} is true. It is
 * the value of {@code spark.kryo.registrator}.
 */
public final class KryoClasses implements KryoRegistrator {
    /** Made by Spark. */
    public KryoClasses() {}

    @Override
    public void registerClasses(Kryo kryo) {
        kryo.register(GatherAnswer.class);
        kryo.register(Block.class);
        kryo.register(BroadcastPiece.class);
        kryo.register(ChunkBytes.class);
        kryo.register(Part.class);
        kryo.register(byte[].class);
        kryo.register(byte[][].class);
    }
}
