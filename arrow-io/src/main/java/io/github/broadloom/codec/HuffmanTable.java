package io.github.broadloom.codec;

import java.util.Arrays;

/**
 * Decodes the codes of a canonical Huffman code, of up to 15 bits, by a look at the next {@code bits} of them: an entry of the first table tells a symbol, or a table for the bits behind.
 *
 * <p>An entry is one of
 * <ul>
 * <li>a literal: negative, a byte in bits 8 to 15, and where {@link #PAIR} is set the next one in bits 16 to 23;
 * <li>a number: its base in bits 16 to 30, the bits of its code in bits 8 to 11; the bits behind the code are added to the base;
 * <li>{@link #OTHER}: with {@link #END} the end of a block; without, a table that begins at the entry in bits 16 and up, for as many more bits as bits 8 to 11 say;
 * <li>0: no code.
 * </ul>
 * How many bits it takes stands in its lowest six, so that it can be a shift's distance as it is.
 */
final class HuffmanTable {
    static final int LITERAL = 1 << 31;
    static final int PAIR = 1 << 30;
    static final int OTHER = 1 << 15;
    static final int END = 1 << 14;
    /** The meaning of a symbol that must not occur. */
    static final int NOTHING = 1 << 13;

    private static final int MOST_BITS = 15;

    /** Whether the codes may leave some words without a meaning, where there are none, or a single one of a bit. */
    private final boolean mayBeIncomplete;

    private final int bits;
    private final int[] meanings;
    private final int[] entries;
    private final int[] count = new int[MOST_BITS + 1];
    private final int[] next = new int[MOST_BITS + 1];
    private final int[] sorted;

    /**
     * @param bits of the first table
     * @param most the entries that codes of so many symbols take at most, tables behind the first one included (zlib's {@code enough.c} counts them)
     * @param meanings an entry for each symbol, in which the bits that it takes are those behind its code
     */
    HuffmanTable(int bits, int most, int[] meanings, boolean mayBeIncomplete) {
        this.bits = bits;
        this.meanings = meanings;
        this.mayBeIncomplete = mayBeIncomplete;
        this.sorted = new int[meanings.length];
        this.entries = new int[most];
    }

    /** The entries that {@link #build} made; the same array always. */
    int[] entries() {
        return entries;
    }

    /** A meaning of a literal byte. */
    static int literal(int value) {
        return LITERAL | value << 8;
    }

    /** A meaning of {@code base} and the number in so many bits behind the code. */
    static int number(int base, int bitsBehind) {
        return base << 16 | bitsBehind;
    }

    /**
     * Makes the tables of a code.
     *
     * @param lengths those of the codes of all symbols, 0 of those that have none, from {@code start} on
     * @return whether there is such a code
     */
    boolean build(byte[] lengths, int start, int symbols) {
        Arrays.fill(count, 0);
        for (int i = 0; i < symbols; i++) {
            count[lengths[start + i]]++;
        }
        int used = symbols - count[0];
        int left = 1;
        for (int length = 1; length <= MOST_BITS; length++) {
            left = 2 * left - count[length];
            if (left < 0) {
                return false;
            }
        }
        if (left > 0) {
            if (!mayBeIncomplete || used > count[1]) {
                return false;
            }
            Arrays.fill(entries, 0, 1 << bits, 0);
        }
        sort(lengths, start, symbols);
        enter();
        pairLiterals();
        return true;
    }

    /** Symbols by the lengths of their codes, then by their numbers: the order of the codes. */
    private void sort(byte[] lengths, int start, int symbols) {
        next[1] = 0;
        for (int length = 1; length < MOST_BITS; length++) {
            next[length + 1] = next[length] + count[length];
        }
        for (int i = 0; i < symbols; i++) {
            if (lengths[start + i] != 0) {
                sorted[next[lengths[start + i]]++] = i;
            }
        }
    }

    private void enter() {
        int code = 0;
        int symbol = 0;
        int free = 1 << bits;
        int table = 0;
        int tableBits = 0;
        int tablePrefix = -1;
        for (int length = 1; length <= MOST_BITS; length++) {
            for (int i = 0; i < count[length]; i++, code++, symbol++) {
                int reversed = Integer.reverse(code) >>> Integer.SIZE - length; // the first bit is the lowest one
                int meaning = meanings[sorted[symbol]];
                if (length <= bits) {
                    fill(0, bits, reversed, meaning, length);
                    continue;
                }
                int prefix = reversed & (1 << bits) - 1;
                if (prefix != tablePrefix) {
                    tablePrefix = prefix;
                    table = free;
                    tableBits = bitsOfTable(length, count[length] - i);
                    free += 1 << tableBits;
                    entries[prefix] = OTHER | table << 16 | tableBits << 8 | bits;
                }
                fill(table, tableBits, reversed >>> bits, meaning, length - bits);
            }
            code <<= 1;
        }
    }

    /** The bits of a table whose first code is of that length: as many as it takes until codes fill it, of which so many of that length are left. */
    private int bitsOfTable(int length, int left) {
        int more = length - bits;
        int filled = left;
        while (filled < 1 << more && bits + more < MOST_BITS) {
            more++;
            filled = 2 * filled + count[bits + more];
        }
        return more;
    }

    /** Enters a code in a table wherever its bits are the lowest ones. */
    private void fill(int table, int tableBits, int code, int meaning, int length) {
        int entry = entry(meaning, length);
        for (int i = code; i < 1 << tableBits; i += 1 << length) {
            entries[table + i] = entry;
        }
    }

    private static int entry(int meaning, int length) {
        if (meaning == NOTHING) {
            return 0;
        }
        boolean isNumber = meaning >= 0 && (meaning & OTHER) == 0;
        return isNumber ? (meaning | length << 8) + length : meaning | length;
    }

    /** Two literals whose codes both fit the first table are one entry. What is behind a code is an entry before it, which is still a single one. */
    private void pairLiterals() {
        for (int i = (1 << bits) - 1; i >= 0; i--) {
            int entry = entries[i];
            if (entry < 0) {
                int length = entry & 63;
                int behind = entries[i >>> length];
                int both = length + (behind & 63);
                if (behind < 0 && both <= bits) {
                    entries[i] = LITERAL | PAIR | (behind & 0xff00) << 8 | entry & 0xff00 | both;
                }
            }
        }
    }
}
