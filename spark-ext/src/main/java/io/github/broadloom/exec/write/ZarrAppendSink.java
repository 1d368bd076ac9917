package io.github.broadloom.exec.write;

import io.github.broadloom.exec.Failures;
import io.github.broadloom.exec.files.Location;
import io.github.broadloom.exec.files.Lock;
import io.github.broadloom.exec.files.Part;
import io.github.broadloom.exec.files.Temporaries;
import io.github.broadloom.exec.read.StoredSources;
import io.github.broadloom.format.ChunkedArray;
import io.github.broadloom.format.Store;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.plan.ChunkGrid;
import io.github.broadloom.zarr.ZarrAppend;
import io.github.broadloom.zarr.ZarrWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The new end of an array of Zarr. The tasks write into a folder beside it; when all is there, the driver moves the files to their places, where the array's metadata does not
 * reach yet, or where they hold what was there as well, and then replaces the metadata. Whatever ends it before that leaves the array as it was; files beyond its shape, which a
 * driver that was killed may leave, are replaced or deleted by the next append that gets there.
 */
final class ZarrAppendSink extends Sink {
    /** In the store's folder, while files are moved. */
    private static final String LOCK = ".append.tmp";

    private final Location top;
    private final Store store;
    private final ZarrAppend append;
    private final ChunkGrid grid;
    private final OpenFolder folder;
    /** Perhaps, also where that failed: from then on no file is taken back. */
    private boolean described;

    /**
     * @param top the folder of the store, with the topmost group that has the array
     * @param array the folder of the array
     * @param append with keys of the store
     * @param grid the chunks that are written, each of whole files
     */
    ZarrAppendSink(Location top, Location array, ZarrAppend append, ChunkGrid grid) {
        super(array, WriteMode.OVERWRITE);
        this.top = top;
        this.store = StoredSources.store(top);
        this.append = append;
        this.grid = grid;
        this.folder = new OpenFolder(Temporaries.of(array));
    }

    @Override
    public void begin() throws IOException {
        checkUnchanged();
        Targets.prepare(target, mode, 0);
        folder.create();
    }

    private void checkUnchanged() throws IOException {
        if (!append.isUnchanged(store)) {
            throw new IOException("Cannot append to " + target
                    + ": another writer has changed it since this append began; append again");
        }
    }

    @Override
    public ChunkWriter writer() {
        return new ZarrSink.Writer(folder, append.writer(), grid, append.written());
    }

    @Override
    public void commit(List<Part> written) throws IOException {
        List<Part> files = ZarrSink.files(written);
        folder.close(files, target, name -> !name.startsWith("."));
        Lock lock = Lock.take(top.child(LOCK), folder.location());
        List<Location> beyond = new ArrayList<>();
        try {
            checkUnchanged();
            move(files.stream().map(Part::name).collect(Collectors.toSet()), beyond);
            Location metadata = staged(append.metadata());
            described = true;
            metadata.replace(top.child(append.file()));
            describeInGroups();
        } finally {
            if (!described) {
                beyond.forEach(file -> Temporaries.tidy(file, file::delete));
            }
            lock.release();
        }
        Temporaries.discard(folder.location());
    }

    /**
     * Every file that belongs to what is written, whoever wrote it before, is replaced, or deleted where it would have the fill value alone.
     *
     * @param beyond takes those that hold nothing of what was stored
     */
    private void move(Set<String> names, List<Location> beyond) throws IOException {
        ZarrWriter array = append.writer();
        Set<Location> folders = new HashSet<>();
        ChunkedArray.forEachChunk(append.written(), array.filed(), (index, whole, part) -> {
            String key = array.key(index);
            Location place = target.child(key);
            if (!names.contains(ZarrSink.flat(key))) {
                place.delete();
                return;
            }
            if (key.contains("/") && folders.add(place.folder())) {
                place.folder().createDirectories();
            }
            if (!append.holdsStored(whole)) {
                beyond.add(place);
            }
            folder.location().child(ZarrSink.flat(key)).replace(place);
        });
    }

    private Location staged(byte[] content) throws IOException {
        Location own = folder.location().child("_metadata");
        try (OutputStream out = own.create()) {
            out.write(content);
        }
        return own;
    }

    private void describeInGroups() throws IOException {
        for (Map.Entry<String, byte[]> copy : append.copies(store).entrySet()) {
            try {
                staged(copy.getValue()).replace(top.child(copy.getKey()));
            } catch (IOException e) {
                throw new IOException(
                        "Cannot write " + store.name(copy.getKey()) + ": " + Failures.sentence(e) + "; " + target
                                + " has grown, and who reads that copy of its metadata sees it as it was: consolidate it again",
                        e);
            }
        }
    }

    @Override
    public void abort() {
        Temporaries.discard(folder.location());
    }

    @Override
    public String sentence(String problem) {
        return "Cannot append to " + target + ": " + problem
                + (described ? "; its metadata tells whether it has grown" : "; it is as it was");
    }
}
