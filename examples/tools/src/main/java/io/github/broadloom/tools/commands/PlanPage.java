package io.github.broadloom.tools.commands;

import io.github.broadloom.device.Backend;
import io.github.broadloom.plan.Explanation;
import io.github.broadloom.plan.RunReport;
import io.github.broadloom.plan.picture.Pictures;
import io.github.broadloom.tools.console.Console;
import io.github.broadloom.tools.console.OutputFile;
import io.github.broadloom.tools.session.OutputFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A page for a browser: the plans of actions that ran, each drawn, told, and beside it what was measured. */
final class PlanPage {
    static final String FILE = "plan.html";

    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="color-scheme" content="light dark">
            <title>TITLE</title>
            <style>
            body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
            pre { overflow-x: auto; font-size: 13px; }
            </style>
            </head>
            <body>
            <h1>TITLE</h1>
            <p>FACT</p>
            """;

    private final String title;
    private final String fact;
    private final List<Section> sections = new ArrayList<>();

    private record Section(String heading, RunReport run, String picture) {}

    /** A page without sections; {@code fact} is a sentence below the title. */
    PlanPage(String title, String fact) {
        this.title = title;
        this.fact = fact;
    }

    /** Adds an action that ran; {@code picture} names the file with its plan alone. */
    PlanPage add(String heading, RunReport run, String picture) {
        sections.add(new Section(heading, run, picture));
        return this;
    }

    void leave(OutputFolder folder, Console console) throws IOException {
        for (Section section : sections) {
            console.say("%s", explanation(section.run));
        }
        for (Section section : sections) {
            OutputFile.write(folder.file(section.picture), Pictures.svg(section.run.plan()));
            console.wrote(folder.file(section.picture), "the plan of " + section.heading);
        }
        OutputFile.write(folder.file(FILE), page());
        console.wrote(folder.file(FILE), "plans and figures");
    }

    private String page() {
        StringBuilder page =
                new StringBuilder(HEAD.replace("TITLE", escaped(title)).replace("FACT", escaped(fact)));
        for (Section section : sections) {
            page.append("<h2>").append(escaped(section.heading)).append("</h2>\n");
            page.append(Pictures.html(section.heading, section.run.plan(), explanation(section.run)));
            page.append("\n<pre>").append(escaped(figures(section.run))).append("</pre>\n");
        }
        return page.append("</body>\n</html>\n").toString();
    }

    private static String explanation(RunReport run) {
        return Explanation.of(run.plan(), Backend.Detail.PLAN, Optional.of(run.figures()))
                .stripTrailing();
    }

    /** The table below the run's title, which is as long as its expression. */
    private static String figures(RunReport run) {
        return run.toString().lines().skip(1).collect(Collectors.joining("\n"));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
