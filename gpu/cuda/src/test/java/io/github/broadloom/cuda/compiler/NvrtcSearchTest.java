package io.github.broadloom.cuda.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks in folders that have files of the right names; nothing is loaded. */
class NvrtcSearchTest {
    @TempDir
    Path root;

    private Path file(String name) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.createFile(file);
    }

    private List<NvrtcFiles> search(@Nullable String chosen, Map<String, String> environment) throws IOException {
        return new NvrtcSearch(chosen, environment, root, Optional::empty).find();
    }

    private @Nullable Path first(Map<String, String> environment) throws IOException {
        return search(null, environment).stream()
                .map(NvrtcFiles::library)
                .findFirst()
                .orElse(null);
    }

    @Test
    void aMachineWithoutAnyHasNone() throws IOException {
        assertThat(search(null, Map.of())).isEmpty();
    }

    @Test
    void theToolkitOfTheEnvironmentComesBeforeThoseInTheUsualPlace() throws IOException {
        Path mine = file("opt/cuda/lib64/libnvrtc.so.12");
        Path usual = file("usr/local/cuda-12.4/lib64/libnvrtc.so.12");
        assertThat(first(Map.of("CUDA_HOME", root.resolve("opt/cuda").toString())))
                .isEqualTo(mine);
        assertThat(first(Map.of("CUDA_PATH", root.resolve("opt/cuda").toString())))
                .isEqualTo(mine);
        assertThat(first(Map.of())).isEqualTo(usual);
    }

    @Test
    void theLaterOfTwoToolkitsIsTaken() throws IOException {
        file("usr/local/cuda-12.2/lib64/libnvrtc.so.12");
        Path later = file("usr/local/cuda-12.8/targets/x86_64-linux/lib/libnvrtc.so.12");
        assertThat(first(Map.of())).isEqualTo(later);
    }

    @Test
    void version12ComesFirstWhereverItIs() throws IOException {
        Path thirteen = file("usr/local/cuda-13.0/lib64/libnvrtc.so.13");
        assertThat(first(Map.of())).isEqualTo(thirteen);
        Path twelve = file("usr/lib/x86_64-linux-gnu/libnvrtc.so.12");
        assertThat(first(Map.of())).isEqualTo(twelve);
    }

    @Test
    void versionsBefore12AreLeftOut() throws IOException {
        file("usr/local/cuda-11.8/lib64/libnvrtc.so.11.2");
        assertThat(search(null, Map.of())).isEmpty();
    }

    @Test
    void theFoldersOfTheLinkerAreSearched() throws IOException {
        Path configured = file("opt/nvidia/libnvrtc.so.12");
        file("etc/ld.so.conf.d/unrelated.txt");
        Files.writeString(
                root.resolve("etc/ld.so.conf.d/cuda.conf"),
                "# NVIDIA\n" + configured.getParent() + "\ninclude other\n");
        assertThat(first(Map.of())).isEqualTo(configured);
        Path own = file("home/lib/libnvrtc.so.12");
        assertThat(first(Map.of("LD_LIBRARY_PATH", "::relative:" + own.getParent())))
                .isEqualTo(own);
    }

    @Test
    void aChosenFolderOrFileIsTheOnlyPlace() throws IOException {
        file("usr/local/cuda/lib64/libnvrtc.so.12");
        Path chosen = file("chosen/libnvrtc.so.13");
        assertThat(search(chosen.toString(), Map.of()))
                .extracting(NvrtcFiles::library)
                .containsExactly(chosen);
        assertThat(search(chosen.getParent().toString(), Map.of()))
                .extracting(NvrtcFiles::library)
                .containsExactly(chosen);
        assertThatThrownBy(() -> search(root.resolve("none").toString(), Map.of()))
                .isInstanceOf(IOException.class)
                .hasMessage("broadloom.nvrtc.path is %s/none, where no libnvrtc.so.12 is", root);
    }

    @Test
    void theBuiltinsBesideTheLibraryComeWithIt() throws IOException {
        Path library = file("usr/local/cuda/lib64/libnvrtc.so.12.9.86");
        Path builtins = file("usr/local/cuda/lib64/libnvrtc-builtins.so.12.9");
        file("usr/local/cuda/lib64/libnvrtc-builtins.alt.so.12.9");
        file("usr/local/cuda/lib64/libnvrtc-builtins.so.13.0");
        file("usr/local/cuda/lib64/libnvrtc_static.a");
        assertThat(search(null, Map.of())).containsExactly(new NvrtcFiles(library, List.of(builtins), 12));
    }

    @Test
    void theVersionMayBeInTheNameThatALinkLeadsTo() throws IOException {
        Path builtins = file("lib/libnvrtc-builtins.so.12.9");
        Path library = file("lib/libnvrtc.so.12.9.86");
        Path link = Files.createSymbolicLink(root.resolve("libnvrtc.so"), library);
        assertThat(search(link.toString(), Map.of())).containsExactly(new NvrtcFiles(link, List.of(builtins), 12));
    }

    @Test
    void theVersionIsThatOfTheNamesWhereverTheFilesLie() throws IOException {
        assertThat(NvrtcFiles.at(file("a/libnvrtc.so.12.9.86")).get(0).version())
                .isEqualTo("12.9");
        file("b/libnvrtc-builtins.so.12.9");
        Path library = file("b/libnvrtc.so.12");
        assertThat(NvrtcFiles.at(library).get(0).version()).isEqualTo("12.9");
        Files.setLastModifiedTime(library, FileTime.fromMillis(1_000));
        assertThat(NvrtcFiles.at(library).get(0).version()).isEqualTo("12.9");
    }

    @Test
    void withoutNamesTheVersionIsTheContents() throws IOException {
        Path library = file("lib/libnvrtc.so.12");
        file("lib/libnvrtc-builtins.so.12.2");
        file("lib/libnvrtc-builtins.so.12.9");
        Path same = file("elsewhere/libnvrtc.so.12");
        String before = NvrtcFiles.at(library).get(0).version();
        assertThat(NvrtcFiles.at(same).get(0).version()).isEqualTo(before);
        Files.writeString(library, "another");
        assertThat(NvrtcFiles.at(library).get(0).version()).isNotEqualTo(before);
    }
}
