package io.github.broadloom.tools.commands;

import io.github.broadloom.tools.console.Tool;
import java.util.function.Supplier;
import picocli.CommandLine;

/** Prints a page of the documentation that is made of the code: Markdown. */
public final class PageTool extends Tool {
    private final Supplier<String> text;

    private PageTool(Supplier<String> text) {
        this.text = text;
    }

    /**
     * The tool of that name.
     *
     * @param what is on the page
     * @param page of the documentation
     * @param word that may be looked for on it
     */
    public static CommandLine of(String name, String what, String page, String word, Supplier<String> text) {
        CommandLine tool = new CommandLine(new PageTool(text));
        String file = "docs/" + page + ".md";
        String example = "  ${ROOT-COMMAND-NAME} " + name;
        tool.getCommandSpec()
                .name(name)
                .usageMessage()
                .header("Prints the page of " + what + ": Markdown.")
                .description(file + " is what this prints; a test holds the two together.")
                .footer(example + " | grep " + word, example + " > " + file);
        return tool;
    }

    @Override
    public Integer call() {
        console().out().print(text.get());
        return 0;
    }
}
