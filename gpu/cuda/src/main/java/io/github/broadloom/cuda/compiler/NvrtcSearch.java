package io.github.broadloom.cuda.compiler;

import io.github.broadloom.device.DeviceSettings;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where NVRTC may be, in the order in which it is looked for: where the system property {@code broadloom.nvrtc.path} says, and then
 * nowhere else; in CUDA toolkits; in the linker's folders; in the jar {@code org.bytedeco:cuda-redist} on the class path, or where that was unpacked once. Version 12
 * comes before later ones wherever it is, because JCuda is linked to it.
 *
 * @param chosen the value of the property
 * @param environment the variables of this process
 * @param root of the file system: {@code /}
 * @param jar what the class path has
 */
record NvrtcSearch(@Nullable String chosen, Map<String, String> environment, Path root, NvrtcSearch.Jar jar) {
    /** In words, for who has none of them. */
    static final String PLACES = DeviceSettings.NVRTC_PATH
            + ", CUDA_HOME, CUDA_PATH, /usr/local/cuda*, the linker's folders and the class path";

    private static final List<String> TOOLKIT_FOLDERS = List.of("lib64", "lib", "targets/x86_64-linux/lib");
    private static final int JCUDAS_MAJOR = 12;

    /** What {@link NvrtcJar} does: the last place, and one that costs time. */
    @FunctionalInterface
    interface Jar {
        Optional<NvrtcFiles> unpacked() throws IOException;
    }

    static NvrtcSearch ofThisProcess() {
        return new NvrtcSearch(
                DeviceSettings.NVRTC_PATH.inJvm().orElse(null),
                System.getenv(),
                Path.of("/"),
                NvrtcJar.onTheClassPath()::unpacked);
    }

    /**
     * Every NVRTC found, the first choice first; none where there is none. Unpacks the jar's, if no toolkit has a version 12.
     *
     * @throws IOException where {@code broadloom.nvrtc.path} names nothing, or the jar cannot be unpacked
     */
    List<NvrtcFiles> find() throws IOException {
        if (chosen != null) {
            return chosen(Path.of(chosen));
        }
        List<NvrtcFiles> found = new ArrayList<>();
        for (Path folder : folders()) {
            found.addAll(NvrtcFiles.at(folder));
        }
        if (found.stream().noneMatch(files -> files.major() == JCUDAS_MAJOR)) {
            jar.unpacked().ifPresent(found::add);
        }
        found.removeIf(files -> files.major() < JCUDAS_MAJOR);
        found.sort(Comparator.comparingInt(NvrtcFiles::major)); // stable: of one version, the first place's
        return found;
    }

    private static List<NvrtcFiles> chosen(Path path) throws IOException {
        List<NvrtcFiles> found = NvrtcFiles.at(path);
        if (found.isEmpty()) {
            throw new IOException(DeviceSettings.NVRTC_PATH + " is " + path + ", where no libnvrtc.so.12 is");
        }
        return found;
    }

    private Set<Path> folders() throws IOException {
        Set<Path> folders = new LinkedHashSet<>();
        for (Path toolkit : toolkits()) {
            TOOLKIT_FOLDERS.forEach(folder -> folders.add(toolkit.resolve(folder)));
        }
        addPath(folders, environment.get("LD_LIBRARY_PATH"));
        for (Path list : list(root.resolve("etc/ld.so.conf.d"), "*.conf")) {
            for (String line : Files.readAllLines(list)) {
                addPath(folders, line.strip());
            }
        }
        for (String folder : List.of("usr/lib/x86_64-linux-gnu", "usr/lib64", "usr/lib")) {
            folders.add(root.resolve(folder));
        }
        return folders;
    }

    private List<Path> toolkits() throws IOException {
        List<Path> toolkits = new ArrayList<>();
        for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
            String value = environment.get(variable);
            if (value != null && !value.isBlank()) {
                toolkits.add(Path.of(value));
            }
        }
        toolkits.addAll(list(root.resolve("usr/local"), "cuda*"));
        return toolkits;
    }

    /** Adds the folders of a list with colons; relative ones, comments and includes are left out. */
    private static void addPath(Set<Path> folders, @Nullable String list) {
        if (list != null) {
            for (String folder : list.split(File.pathSeparator)) {
                if (folder.startsWith("/")) {
                    folders.add(Path.of(folder));
                }
            }
        }
    }

    /** What a folder holds by a pattern, {@code cuda-12.8} before {@code cuda-12.2}; nothing where it cannot be read. */
    private static List<Path> list(Path folder, String glob) throws IOException {
        if (!Files.isDirectory(folder) || !Files.isReadable(folder)) {
            return List.of();
        }
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, glob)) {
            files.forEach(found::add);
        }
        found.sort(Comparator.reverseOrder());
        return found;
    }
}
