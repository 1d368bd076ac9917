package io.github.broadloom.cuda.compiler;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A shared library for Linux on x86-64 that bears one name and passes every call on to another: {@code f}, in version A, is one jump to
 * {@code f}, in version B. So a program that is linked to {@code libnvrtc.so.12} runs on {@code libnvrtc.so.13}, though neither a
 * compiler is at hand nor may NVIDIA's file be changed.
 *
 * <p>It is ELF at its plainest, two pages without sections: what the linker reads and the jumps, then what it writes, the dynamic
 * section and the table of addresses. Both libraries name the version of their symbols as they name themselves, which keeps
 * the two namesakes apart. The numbers are those of the System V ABI, of its supplement for AMD64, and of the GNU symbol versions in
 * the Linux Standard Base.
 */
final class ForwardingLibrary {
    private static final int PAGE = 0x1000;
    private static final int ELF_HEADER = 64;
    private static final int PROGRAM_HEADER = 56;
    private static final int SYMBOL = 24;
    private static final int RELOCATION = 24;
    private static final int WORD = 8;

    /** {@code jmp *[rip + displacement]}, two bytes and a displacement. */
    private static final int JUMP = 6;

    private static final int OWN_VERSION = 2;
    private static final int TARGET_VERSION = 3;

    private final String name;
    private final String target;
    private final List<String> functions;

    private final Map<String, Integer> strings = new LinkedHashMap<>();
    private final ByteBuffer image = ByteBuffer.allocate(2 * PAGE).order(ByteOrder.LITTLE_ENDIAN);
    private final List<long[]> dynamic = new ArrayList<>();

    private ForwardingLibrary(String name, String target, List<String> functions) {
        this.name = name;
        this.target = target;
        this.functions = functions;
    }

    /**
     * The bytes of a library called {@code name} that forwards these functions to the library {@code target}. The target must be loaded
     * before, or be where the dynamic linker looks.
     */
    static byte[] image(String name, String target, List<String> functions) {
        return new ForwardingLibrary(name, target, functions).build();
    }

    private byte[] build() {
        image.position(ELF_HEADER + 4 * PROGRAM_HEADER);
        putStrings();
        putSymbols();
        putHash();
        putVersions();
        int table = PAGE; // of addresses, which the linker fills in
        putRelocations(table);
        putJumps(table);
        int dynamicStart = table + functions.size() * WORD;
        putDynamic(dynamicStart);
        putHeaders(dynamicStart);
        return image.array();
    }

    private void putStrings() {
        int start = image.position();
        image.put((byte) 0);
        List<String> all = new ArrayList<>(functions);
        all.add(name);
        all.add(target);
        for (String string : all) {
            strings.put(string, image.position() - start);
            image.put(string.getBytes(StandardCharsets.US_ASCII)).put((byte) 0);
        }
        dynamic(5, start); // STRTAB
        dynamic(10, image.position() - start); // STRSZ
        dynamic(1, string(target)); // NEEDED
        dynamic(14, string(name)); // SONAME
    }

    private int string(String text) {
        return strings.getOrDefault(text, 0);
    }

    /** The nameless one, each function as it is defined here, and each as it is looked for. */
    private void putSymbols() {
        dynamic(6, align()); // SYMTAB
        dynamic(11, SYMBOL); // SYMENT
        image.position(image.position() + SYMBOL);
        for (int section = 1; section >= 0; section--) { // any but 0, which says undefined
            for (int i = 0; i < functions.size(); i++) {
                image.putInt(string(functions.get(i)));
                image.put((byte) 0x12).put((byte) 0).putShort((short) section); // global, a function
                image.putLong(section == 0 ? 0 : jump(i)).putLong(section == 0 ? 0 : JUMP);
            }
        }
    }

    /** One chain through all symbols: there are few. */
    private void putHash() {
        dynamic(4, align()); // HASH
        int symbols = 1 + 2 * functions.size();
        image.putInt(1).putInt(symbols).putInt(symbols - 1);
        for (int i = 0; i < symbols; i++) {
            image.putInt(Math.max(i - 1, 0));
        }
    }

    private void putVersions() {
        dynamic(0x6ffffff0, align()); // VERSYM
        image.putShort((short) 0);
        functions.forEach(function -> image.putShort((short) OWN_VERSION));
        functions.forEach(function -> image.putShort((short) TARGET_VERSION));
        dynamic(0x6ffffffc, align()); // VERDEF: of the file, and of the functions
        dynamic(0x6ffffffd, 2); // VERDEFNUM
        for (int index = 1; index <= OWN_VERSION; index++) {
            image.putShort((short) 1).putShort((short) (index == 1 ? 1 : 0)); // the first is the base
            image.putShort((short) index).putShort((short) 1);
            image.putInt(hash(name)).putInt(20).putInt(index == 1 ? 28 : 0);
            image.putInt(string(name)).putInt(0);
        }
        dynamic(0x6ffffffe, align()); // VERNEED
        dynamic(0x6fffffff, 1); // VERNEEDNUM
        image.putShort((short) 1)
                .putShort((short) 1)
                .putInt(string(target))
                .putInt(16)
                .putInt(0);
        image.putInt(hash(target)).putShort((short) 0).putShort((short) TARGET_VERSION);
        image.putInt(string(target)).putInt(0);
    }

    private void putRelocations(int table) {
        dynamic(7, align()); // RELA
        dynamic(8, (long) functions.size() * RELOCATION); // RELASZ
        dynamic(9, RELOCATION); // RELAENT
        for (int i = 0; i < functions.size(); i++) {
            long symbol = 1L + functions.size() + i;
            image.putLong(table + (long) i * WORD).putLong(symbol << 32 | 6).putLong(0); // GLOB_DAT
        }
    }

    /** At the end of the first page, so that their place is known before what stands in front of them is written. */
    private int jump(int function) {
        return PAGE - (functions.size() - function) * WORD;
    }

    private void putJumps(int table) {
        if (image.position() > jump(0)) {
            throw new IllegalArgumentException("Cannot forward " + functions.size() + " functions: a page is full");
        }
        for (int i = 0; i < functions.size(); i++) {
            image.position(jump(i));
            image.put((byte) 0xff).put((byte) 0x25).putInt(table + i * WORD - (jump(i) + JUMP));
        }
    }

    private void dynamic(long tag, long value) {
        dynamic.add(new long[] {tag, value});
    }

    private void putDynamic(int start) {
        image.position(start);
        dynamic(0, 0);
        dynamic.forEach(entry -> image.putLong(entry[0]).putLong(entry[1]));
    }

    private void putHeaders(int dynamicStart) {
        image.position(0);
        image.put(new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
        image.putShort((short) 3).putShort((short) 62).putInt(1); // a shared object for AMD64
        image.putLong(0).putLong(ELF_HEADER).putLong(0).putInt(0);
        image.putShort((short) ELF_HEADER).putShort((short) PROGRAM_HEADER).putShort((short) 4);
        image.putShort((short) 64).putShort((short) 0).putShort((short) 0);
        int read = 4;
        int write = 2;
        int execute = 1;
        putSegment(1, read | execute, 0, PAGE, PAGE); // LOAD
        putSegment(1, read | write, PAGE, PAGE, PAGE); // LOAD
        putSegment(2, read | write, dynamicStart, dynamic.size() * 16L, WORD); // DYNAMIC
        putSegment(0x6474e551, read | write, 0, 0, 16); // GNU_STACK: not executable
    }

    private void putSegment(int type, int flags, long start, long size, long alignment) {
        image.putInt(type).putInt(flags).putLong(start).putLong(start).putLong(start);
        image.putLong(size).putLong(size).putLong(alignment);
    }

    private int align() {
        image.position((image.position() + WORD - 1) / WORD * WORD);
        return image.position();
    }

    private static int hash(String text) {
        int hash = 0;
        for (byte character : text.getBytes(StandardCharsets.US_ASCII)) {
            hash = (hash << 4) + character;
            int high = hash & 0xf0000000;
            hash = (hash ^ high >>> 24) & ~high;
        }
        return hash;
    }
}
