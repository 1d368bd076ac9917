package io.github.broadloom.hdf5;

import io.github.broadloom.format.Store;
import io.github.broadloom.io.TensorFormatException;
import io.jhdf.Constants;
import io.jhdf.FractalHeap;
import io.jhdf.GroupSymbolTableNode;
import io.jhdf.LocalHeap;
import io.jhdf.ObjectHeader;
import io.jhdf.Superblock;
import io.jhdf.SymbolTableEntry;
import io.jhdf.Utils;
import io.jhdf.btree.BTreeV1;
import io.jhdf.btree.BTreeV2;
import io.jhdf.btree.record.LinkNameForIndexedGroupRecord;
import io.jhdf.exceptions.HdfException;
import io.jhdf.object.message.DataSpaceMessage;
import io.jhdf.object.message.LinkInfoMessage;
import io.jhdf.object.message.LinkMessage;
import io.jhdf.object.message.SymbolTableMessage;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The tree of groups of an open file. Its objects are known by their addresses. Unlike jHDF's own groups these are walked one by one, so that an object of a kind that is not
 * known does not hide its neighbours, and a group that contains itself ends.
 */
final class Hdf5File implements Closeable {
    private static final int MOST_DEPTH = 100;
    private static final int MOST_LINKS = 16;

    private final Hdf5Storage storage;

    private Hdf5File(Hdf5Storage storage) {
        this.storage = storage;
    }

    /** What is asked of jHDF. */
    interface Question<T> {
        T answer() throws IOException;
    }

    /**
     * Asks jHDF, which trusts files: whatever it throws where one is damaged becomes one sentence here.
     *
     * @param name what the message calls the file, or an array of it
     */
    static <T> T checked(String name, Question<T> question) throws IOException {
        try {
            return question.answer();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (RuntimeException | StackOverflowError e) {
            throw TensorFormatException.cannotRead(name, reason(e), e);
        }
    }

    static Hdf5File open(Store store, String name) throws IOException {
        return checked(name, () -> new Hdf5File(Hdf5Storage.open(store)));
    }

    /** Something that is done with an open file. */
    interface Use<T> {
        T with(Hdf5File file) throws IOException;
    }

    /** Opens a file, asks jHDF about it, and closes it. */
    static <T> T use(Store store, String name, Use<T> use) throws IOException {
        try (Hdf5File file = open(store, name)) {
            return checked(name, () -> use.with(file));
        }
    }

    /** The innermost of jHDF's own messages, which says most. */
    private static String reason(Throwable failure) {
        String reason = "its structures cannot be read; the file is damaged";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof HdfException && cause.getMessage() != null) {
                reason = cause.getMessage();
            }
        }
        return TensorFormatException.quoted(reason);
    }

    Hdf5Storage storage() {
        return storage;
    }

    long root() {
        Superblock superblock = storage.getSuperblock();
        if (superblock instanceof Superblock.SuperblockV2V3 later) {
            return later.getRootGroupObjectHeaderAddress();
        }
        long entry = ((Superblock.SuperblockV0V1) superblock).getRootGroupSymbolTableAddress();
        return new SymbolTableEntry(storage, entry).getObjectHeaderAddress();
    }

    ObjectHeader header(long address) {
        return ObjectHeader.readObjectHeader(storage, address);
    }

    /** What a name in a group leads to: an object at an address, or another path. */
    record Link(long address, @Nullable String path) {}

    /** By name; none where the object is no group. */
    Map<String, Link> links(ObjectHeader group) {
        if (group.hasMessageOfType(SymbolTableMessage.class)) {
            return symbols(group.getMessageOfType(SymbolTableMessage.class));
        }
        List<LinkMessage> messages = new ArrayList<>(group.getMessagesOfType(LinkMessage.class));
        for (LinkInfoMessage info : group.getMessagesOfType(LinkInfoMessage.class)) {
            if (info.getBTreeNameIndexAddress() != Constants.UNDEFINED_ADDRESS) {
                messages.addAll(dense(info));
            }
        }
        Map<String, Link> links = new TreeMap<>();
        for (LinkMessage message : messages) {
            switch (message.getLinkType()) {
                case HARD -> links.put(message.getLinkName(), new Link(message.getHardLinkAddress(), null));
                case SOFT -> links.put(message.getLinkName(), new Link(0, message.getSoftLink()));
                case EXTERNAL -> {} // of another file
            }
        }
        return links;
    }

    private List<LinkMessage> dense(LinkInfoMessage info) {
        IndexClaims.checkTree(storage, info.getBTreeNameIndexAddress());
        BTreeV2<LinkNameForIndexedGroupRecord> tree = new BTreeV2<>(storage, info.getBTreeNameIndexAddress());
        FractalHeap heap = new FractalHeap(storage, info.getFractalHeapAddress());
        return tree.getRecords().stream()
                .map(found -> LinkMessage.fromBuffer(heap.getId(found.getId()), storage.getSuperblock()))
                .toList();
    }

    private Map<String, Link> symbols(SymbolTableMessage table) {
        Map<String, Link> links = new TreeMap<>();
        ByteBuffer names = new LocalHeap(storage, table.getLocalHeapAddress()).getDataBuffer();
        for (long node :
                BTreeV1.createGroupBTree(storage, table.getBTreeAddress()).getChildAddresses()) {
            for (SymbolTableEntry entry : new GroupSymbolTableNode(storage, node).getSymbolTableEntries()) {
                String name = name(names, entry.getLinkNameOffset());
                String path = entry.getCacheType() == 2 ? name(names, entry.getLinkValueOffset()) : null;
                links.put(name, new Link(entry.getObjectHeaderAddress(), path));
            }
        }
        return links;
    }

    private static String name(ByteBuffer names, int offset) {
        return Utils.readUntilNull(names.duplicate().position(offset));
    }

    /** The paths of all datasets, without a leading slash, sorted; of one that is linked twice, the first. */
    List<String> datasets() {
        List<String> paths = new ArrayList<>();
        walk(root(), "", 0, new HashSet<>(), paths);
        return paths;
    }

    private void walk(long address, String path, int depth, Set<Long> seen, List<String> paths) {
        if (!seen.add(address)) {
            return;
        }
        if (depth > MOST_DEPTH) {
            throw new HdfException("it has more than " + MOST_DEPTH + " groups in each other");
        }
        ObjectHeader header;
        try {
            header = header(address);
        } catch (RuntimeException e) {
            if (depth == 0) {
                throw e;
            }
            paths.add(path); // Whoever opens it learns why not.
            return;
        }
        if (header.hasMessageOfType(DataSpaceMessage.class)) {
            paths.add(path);
            return;
        }
        links(header).forEach((name, link) -> {
            if (link.path() == null) {
                walk(link.address(), path.isEmpty() ? name : path + "/" + name, depth + 1, seen, paths);
            }
        });
    }

    /** Whether a dataset stands for one of NetCDF's dimensions, and for nothing else. */
    boolean isOnlyDimension(String path) {
        try {
            return new Hdf5Attributes(this, header(find(path)))
                    .text("NAME")
                    .startsWith("This is a netCDF dimension but not a netCDF variable");
        } catch (HdfException e) {
            return false; // Whoever opens it learns what is wrong.
        }
    }

    /** The address of an object, with or without a leading slash; -1 where there is none. */
    long find(String path) {
        return find(path, 0);
    }

    private long find(String path, int followed) {
        if (followed > MOST_LINKS) {
            throw new HdfException("more than " + MOST_LINKS + " links lead to each other");
        }
        long address = root();
        String passed = "";
        for (String part : path.split("/", -1)) {
            if (part.isEmpty() || part.equals(".")) {
                continue;
            }
            Link link = links(header(address)).get(part);
            if (link == null) {
                return -1;
            }
            address = link.path() == null
                    ? link.address()
                    : find(link.path().startsWith("/") ? link.path() : passed + "/" + link.path(), followed + 1);
            if (address < 0) {
                return -1;
            }
            passed = passed + "/" + part;
        }
        return address;
    }

    @Override
    public void close() {
        storage.close();
    }
}
