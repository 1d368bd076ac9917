package io.github.broadloom.exec.read;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.format.BlockReader;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.spark.Bits;
import io.github.broadloom.spark.LocalSpark;
import io.github.broadloom.tensor.Box;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NpyFileTest {
    @TempDir
    Path folder;

    private static Location location(Path path) throws IOException {
        return Location.of(path.toString(), LocalSpark.session().sparkContext());
    }

    private BlockReader reader(Tensor x, Path path) throws IOException {
        Npy.write(x, path, WriteMode.CREATE);
        return NpyFile.open(location(path));
    }

    private static Box rows(Tensor x, long start, long end) {
        return Box.whole(x.shape()).with(0, start, end);
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT64", "INT16", "BOOL"})
    void blocksOfAFileInEitherOrderAreGatheredFromTheirPlaces(DType dtype) throws IOException {
        Tensor columns = Tensors.arange(120).view(4, 5, 6).to(dtype);
        int number = 0;
        for (Tensor x : new Tensor[] {columns, columns.permute(2, 1, 0)}) {
            BlockReader reader = reader(x, folder.resolve("f" + number++ + ".npy"));
            Bits.assertSame(reader.read(Box.whole(x.shape())), x);
            Bits.assertSame(reader.read(rows(x, 2, 4)), x.narrow(0, 2, 2));
            Box inner = rows(x, 1, 3).with(1, 2, 5).with(2, 3, 4);
            Bits.assertSame(reader.read(inner), inner.of(x));
            Bits.assertSame(
                    reader.read(inner.with(1, 2, 2)), inner.with(1, 2, 2).of(x));
        }
    }

    @Test
    void aBlockOfSeveralFilesIsPutTogether() throws IOException {
        Tensor x = Tensors.arange(60).view(10, 6);
        NpyFile[] files = new NpyFile[3];
        long[] bounds = {0, 3, 4, 10};
        for (int i = 0; i < files.length; i++) {
            Path path = folder.resolve("part-" + i + ".npy");
            Npy.write(x.narrow(0, bounds[i], bounds[i + 1] - bounds[i]), path, WriteMode.CREATE);
            files[i] = NpyFile.open(location(path));
        }
        BlockReader reader = new JoinedReader(x.dtype(), 0, files, new FileRows(bounds));
        for (long start = 0; start < 10; start++) {
            for (long end = start; end <= 10; end++) {
                Box box = rows(x, start, end).with(1, 2, 5);
                Bits.assertSame(reader.read(box), box.of(x));
            }
        }
    }
}
