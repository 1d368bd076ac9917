package io.github.broadloom.cuda.code;

/**
 * The device function {@code write}, which computes the values of a line, each by itself, and puts them one behind the other: into the result,
 * or near to the team that will read them again.
 */
final class LineWriteText {
    private final FoldForm form;
    private final long length;
    final FoldLineText line;
    private final String type;
    private final String store;
    private final String packetStore;

    LineWriteText(FoldSource source, FoldForm form, String type, boolean near) {
        this.form = form;
        this.length = source.length();
        this.line = new FoldLineText(source, form, type);
        this.type = type;
        this.store = near ? "bl_keep" : "__stcs";
        this.packetStore = near ? "bl_keep" : "bl_store";
    }

    void declare(KernelParameters parameters) {
        line.declare(parameters);
        parameters.index("count", length);
    }

    String functions() {
        StringBuilder text = new StringBuilder(line.functions());
        text.append("\nBL_DEVICE void write(const Par& p, const Line& at, %s* to, u32 lane%s) {\n"
                .formatted(type, line.errorParameter()));
        text.append("  Index j = 0;\n");
        if (form.unroll() > 1) {
            text.append(packets(form.unroll()));
        }
        if (form.packet() > 1) {
            text.append(packets(1));
        }
        String element = line.call("element", "j");
        return text.append("  for (j += lane; j < p.count; j += %du) {\n    %s(to + j, %s);\n  }\n}\n"
                        .formatted(form.lanes(), store, element))
                .toString();
    }

    /** All loads of a step stand before what is stored. */
    private String packets(int unroll) {
        String packets = """
              for (; p.count - j >= STEPu; j += STEPu) {
                bl_Packet<TYPE, WIDTH> y[UNROLL];
            #pragma unroll
                for (u32 u = 0; u < UNROLLu; u++) {
                  const Neighbours values = NEIGHBOURS;
            #pragma unroll
                  for (u32 k = 0; k < WIDTHu; k++) {
                    y[u].e[k] = values.e[k];
                  }
                }
            #pragma unroll
                for (u32 u = 0; u < UNROLLu; u++) {
                  STORE(to + j + (u * LANESu + lane) * WIDTHu, y[u]);
                }
              }
            """;
        return packets.replace("NEIGHBOURS", line.call("neighbours", "j + (u * LANESu + lane) * WIDTHu"))
                .replace("STEP", "" + form.lanes() * form.packet() * unroll)
                .replace("UNROLL", "" + unroll)
                .replace("LANES", "" + form.lanes())
                .replace("WIDTH", "" + form.packet())
                .replace("TYPE", type)
                .replace("STORE", packetStore);
    }
}
