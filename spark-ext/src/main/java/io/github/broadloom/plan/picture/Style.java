package io.github.broadloom.plan.picture;

/** The style sheets of pictures, for their own elements alone. */
enum Style {
    /** By itself in a file: it brings its colour of text, one for each kind of ground. */
    FILE(".broadloom{color:#1f2937}@media(prefers-color-scheme:dark){.broadloom{color:#e5e7eb}}" + Style.TEXT),
    /** Inside a page, whose colour of text it takes. */
    INLINE(Style.TEXT
            + "div.broadloom{font-family:" + Style.FONTS + "}"
            + "div.broadloom .row{display:flex;align-items:center;flex-wrap:wrap;gap:8px}"
            + "div.broadloom table{border-collapse:collapse;font-size:13px}"
            + "div.broadloom th{text-align:left;font-weight:600;padding:3px 14px 3px 8px;white-space:nowrap}"
            + "div.broadloom td{text-align:left;padding:3px 8px;overflow-wrap:anywhere;max-width:32em}"
            + "div.broadloom summary{cursor:pointer;font-size:13px;padding:3px 8px}"
            + "div.broadloom pre{font-size:12px;overflow-x:auto;padding:3px 8px}"
            + "div.broadloom svg{max-width:100%;height:auto}"),
    /** Where another one of these holds already. */
    NONE("");

    static final String NAMESPACE = "http://www.w3.org/2000/svg";

    private static final String FONTS = "system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";

    private static final String TEXT = ".broadloom text{fill:currentColor;"
            + "font-family:" + FONTS + "}"
            + ".broadloom .title{font-size:13px;font-weight:600}"
            + ".broadloom .name{font-size:12px;font-weight:600}"
            + ".broadloom .small{font-size:11px;fill-opacity:.72}";

    private final String css;

    Style(String css) {
        this.css = css;
    }

    String css() {
        return css;
    }
}
