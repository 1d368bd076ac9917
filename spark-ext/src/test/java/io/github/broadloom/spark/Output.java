package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.io.WriteMode;
import io.github.broadloom.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Every way in which a tensor is written: to this machine's files, and to those that meet {@link Faults}. */
enum Output {
    ONE_NPY("y.npy", ""),
    NPY_PARTS("y-npy", ""),
    ONE_ARROW("y.arrow", ""),
    ARROW_PARTS("y-arrow", ""),
    ZARR("y.zarr", ""),
    FAR_NPY("y.npy", "faulty://"),
    FAR_NPY_PARTS("y-npy", "faulty://"),
    FAR_ARROW("y.arrow", "faulty://"),
    FAR_ARROW_PARTS("y-arrow", "faulty://"),
    FAR_ZARR("y.zarr", "faulty://");

    private final String name;
    private final String scheme;

    Output(String name, String scheme) {
        this.name = name;
        this.scheme = scheme;
    }

    static Stream<Output> far() {
        return Stream.of(values()).filter(output -> !output.scheme.isEmpty());
    }

    boolean isFolder() {
        return !name.contains(".") || name.endsWith(".zarr");
    }

    private String path(Path folder) {
        return scheme + folder.resolve(name);
    }

    void write(DistributedTensor tensor, Path folder, WriteMode mode) throws IOException {
        if (name.equals("y-arrow")) {
            tensor.writeArrow(path(folder), mode);
        } else {
            tensor.write(path(folder), mode);
        }
    }

    DistributedTensor open(Path folder, Broadloom broadloom) throws IOException {
        return broadloom.read(path(folder));
    }

    /** Everything there is in the folder is this output, and that is whole. */
    void assertWhole(Path folder, Broadloom broadloom, Tensor expected) throws IOException {
        assertThat(folder.toFile().list()).containsExactly(name);
        if (Files.isDirectory(folder.resolve(name))) {
            assertThat(folder.resolve(name).toFile().list())
                    .allMatch(part -> part.matches("part-.*|_broadloom\\.json|c\\..*|zarr\\.json"));
        }
        Bits.assertSame(open(folder, broadloom).collect(), expected);
    }
}
