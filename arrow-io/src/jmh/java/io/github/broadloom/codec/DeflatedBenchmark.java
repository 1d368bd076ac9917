package io.github.broadloom.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A chunk of HDF5, 1.8 MB of float32 whose bytes were shuffled and deflated at level 4, by zlib and by our decoder. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 6, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class DeflatedBenchmark {
    private static final int TIMES = 24;
    private static final int ROWS = 103;
    private static final int COLUMNS = 180;

    public enum Field {
        SMOOTH {
            @Override
            double value(double smooth, Random random) {
                return smooth;
            }
        },
        NOISE {
            @Override
            double value(double smooth, Random random) {
                return Math.round((smooth + random.nextGaussian()) * 100) / 100.0;
            }
        },
        WHOLE_NUMBERS {
            @Override
            double value(double smooth, Random random) {
                return Math.round(smooth);
            }
        },
        RANDOM {
            @Override
            double value(double smooth, Random random) {
                return random.nextDouble();
            }
        };

        abstract double value(double smooth, Random random);
    }

    @Param
    public Field field;

    private ByteBuffer packed;
    private ByteBuffer plain;

    @Setup
    public void deflate() {
        int count = TIMES * ROWS * COLUMNS;
        ByteBuffer elements = ByteBuffer.allocateDirect(4 * count).order(ByteOrder.LITTLE_ENDIAN);
        Random random = new Random(1);
        for (int i = 0; i < count; i++) {
            int time = i / (ROWS * COLUMNS);
            double smooth =
                    280 + 20 * Math.sin(i / COLUMNS % ROWS * 0.01) + 5 * Math.cos(i % COLUMNS * 0.02 + time * 0.3);
            elements.putFloat(4 * i, (float) field.value(smooth, random));
        }
        byte[] shuffled = new byte[4 * count];
        for (int i = 0; i < shuffled.length; i++) {
            shuffled[i] = elements.get(4 * (i % count) + i / count);
        }
        Deflater deflater = new Deflater(4);
        deflater.setInput(shuffled);
        deflater.finish();
        byte[] out = new byte[5 * count];
        int length = deflater.deflate(out);
        deflater.end();
        packed = ByteBuffer.allocateDirect(length).put(out, 0, length).flip();
        plain = ByteBuffer.allocateDirect(4 * count);
    }

    @Benchmark
    public ByteBuffer zlib() throws DataFormatException {
        Inflater inflater = new Inflater();
        inflater.setInput(packed.duplicate());
        while (!inflater.finished()) {
            inflater.inflate(plain);
        }
        inflater.end();
        return plain.clear();
    }

    @Benchmark
    public ByteBuffer ours() throws DamagedBytes {
        Deflated.decodeZlib(packed, plain);
        return plain.clear();
    }
}
