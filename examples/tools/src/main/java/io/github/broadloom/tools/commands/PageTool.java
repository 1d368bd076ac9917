package io.github.broadloom.tools.commands;

import io.github.broadloom.tools.console.Tool;
import java.util.function.Supplier;
import picocli.CommandLine;

/** Prints a page of the documentation that is made of the code: Markdown. */
public final class PageTool extends Tool {
    private final Supplier<String> page;

    private PageTool(Supplier<String> page) {
        this.page = page;
    }

    /**
     * The tool of that name.
     *
     * @param what is on the page
     * @param file of the documentation
     * @param word that may be looked for on it
     */
    public static CommandLine of(String name, String what, String file, String word, Supplier<String> page) {
        CommandLine tool = new CommandLine(new PageTool(page));
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
        console().out().print(page.get());
        return 0;
    }
}
