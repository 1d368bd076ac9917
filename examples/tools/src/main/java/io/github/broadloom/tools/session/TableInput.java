package io.github.broadloom.tools.session;

import io.github.broadloom.format.ReadOptions;
import io.github.broadloom.io.Npy;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tools.console.UserError;
import java.io.IOException;
import java.nio.file.Path;

/** A matrix [rows, columns] that an example works on, with a name for people. */
public record TableInput(String name, DistributedTensor values) {
    /** A npy file, a folder of parts, an array of an archive or a column of a table; a {@link UserError} when it is no matrix, or an empty one. */
    public static TableInput read(Sessions.Session session, Broadloom broadloom, String path) throws IOException {
        return checked(path, session.read(broadloom, path, ReadOptions.DEFAULT));
    }

    /** A matrix that was made, in a file, so that all goes on as with a user's. */
    public static TableInput made(Broadloom broadloom, Tensor values, Path file) throws IOException {
        Npy.write(values, file, WriteMode.OVERWRITE);
        return checked(file.toString(), broadloom.readNpy("file://" + file.toAbsolutePath()));
    }

    private static TableInput checked(String name, DistributedTensor values) {
        Shape shape = values.shape();
        if (shape.rank() != 2) {
            throw new UserError("Cannot use " + name + ": it has the shape " + shape
                    + ", and rows and columns are two dimensions; reshape it");
        }
        if (shape.numel() == 0) {
            throw new UserError("Cannot use " + name + ": it has the shape " + shape + ", so there is nothing in it");
        }
        return new TableInput(name, values);
    }

    public long count() {
        return values.shape().size(0);
    }

    public long columns() {
        return values.shape().size(1);
    }

    /** For instance {@code a.npy: float32 [1000, 2]}. */
    public String described() {
        return name + ": " + values.dtype() + " " + values.shape();
    }
}
