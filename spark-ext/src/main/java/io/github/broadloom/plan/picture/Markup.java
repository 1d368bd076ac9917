package io.github.broadloom.plan.picture;

import java.io.StringWriter;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes elements of SVG and HTML as well-formed XML in which all text is escaped. */
final class Markup {
    private static final XMLOutputFactory FACTORY = XMLOutputFactory.newDefaultFactory();

    private final StringWriter out = new StringWriter();
    private final XMLStreamWriter xml;

    Markup() {
        try {
            xml = FACTORY.createXMLStreamWriter(out);
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Step {
        void run() throws XMLStreamException;
    }

    private Markup run(Step step) {
        try {
            step.run();
        } catch (XMLStreamException e) { // nothing is written to but memory
            throw new IllegalStateException(e);
        }
        return this;
    }

    /** Begins an element, with names and values of attributes by turns. */
    Markup open(String name, Object... attributes) {
        return run(() -> {
            xml.writeStartElement(name);
            attributes(attributes);
        });
    }

    /** More attributes of the element that was begun last, of which nothing is written yet. */
    Markup with(Object... attributes) {
        return run(() -> attributes(attributes));
    }

    /** Ends the element that was begun last. HTML wants an end tag even where nothing stands in between. */
    Markup close() {
        return run(() -> {
            xml.writeCharacters("");
            xml.writeEndElement();
        });
    }

    Markup rect(double x, double y, double width, double height, Object... attributes) {
        return run(() -> {
            xml.writeEmptyElement("rect");
            attributes("x", x, "y", y, "width", width, "height", height);
            attributes(attributes);
        });
    }

    /** @param d of {@link #move}s and {@link #line}s */
    Markup path(CharSequence d, Object... attributes) {
        return run(() -> {
            xml.writeEmptyElement("path");
            attributes("d", d);
            attributes(attributes);
        });
    }

    static String move(double x, double y) {
        return "M" + number(x) + " " + number(y);
    }

    static String line(double x, double y) {
        return "L" + number(x) + " " + number(y);
    }

    Markup text(String text) {
        return run(() -> xml.writeCharacters(printable(text)));
    }

    Markup element(String name, String text, Object... attributes) {
        return open(name, attributes).text(text).close();
    }

    private void attributes(Object... attributes) throws XMLStreamException {
        for (int i = 0; i < attributes.length; i += 2) {
            xml.writeAttribute((String) attributes[i], value(attributes[i + 1]));
        }
    }

    private static String value(Object value) {
        return value instanceof Double number ? number(number) : printable(value.toString());
    }

    /** A length in pixels, to a tenth. */
    static String number(double pixels) {
        double tenths = Math.round(pixels * 10) / 10.0;
        return tenths == Math.rint(tenths) ? String.valueOf((long) tenths) : String.format(Locale.ROOT, "%.1f", tenths);
    }

    /** XML has no place for control characters, not even escaped: a file's name may have them. */
    private static String printable(String text) {
        StringBuilder kept = new StringBuilder();
        text.codePoints()
                .map(c ->
                        c < 0x20 && c != '\n' && c != '\t' || isUnpaired(c) || c == 0xFFFE || c == 0xFFFF ? 0xFFFD : c)
                .forEach(kept::appendCodePoint);
        return kept.toString();
    }

    private static boolean isUnpaired(int c) {
        return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }

    @Override
    public String toString() {
        run(xml::flush);
        return out.toString();
    }
}
