package io.github.broadloom.cuda;

import io.github.broadloom.cuda.code.CudaSource;
import io.github.broadloom.cuda.compiler.CudaCompileException;
import io.github.broadloom.cuda.compiler.CudaCompiler;
import io.github.broadloom.cuda.compiler.NoCudaCompilerException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Compiles kernels for the stand-in driver: CUDA C through g++ and {@code cuda-host.h}. The image of a kernel is the path of a shared
 * object, {@code #}, and the kernel's key in it.
 *
 * <p>Without optimisation, since g++ takes longer than the kernels: a fifth of a second for a text, and ten milliseconds for each kernel in it. So tests of many kernels
 * call {@link #compileAll} first. Kernels are kept by their content, whichever of them were compiled together.
 */
public final class HostCompiler implements CudaCompiler {
    /** The system property of a JVM that is to have no compiler. */
    public static final String MISSING = "broadloom.test.compiler.missing";

    /** The system property of a JVM whose compiler refuses every kernel. */
    public static final String REFUSING = "broadloom.test.compiler.refusing";

    /** Of the kernels in one text: with fewer g++ does little but start, with more the processors end at different times. */
    private static final int LEAST_TOGETHER = 20;

    private static final int MOST_TOGETHER = 160;
    private static final int TEXTS_EACH = 2;
    private static final List<String> OPTIONS = List.of("-O0", "-ffp-contract=off");
    private static final Pattern ASSEMBLY = Pattern.compile(
            "asm\\s*(?:volatile)?\\s*\\(\"([a-z0-9.]+) %0, %1;\"\\s*:\\s*\"=\\w\"\\((\\w+)\\)\\s*:\\s*\"\\w\"\\((.+?)\\)\\);");
    private static final Map<String, String> INSTRUCTIONS = Map.of(
            "cvt.f32.f16", "cuda_host::halfToFloat",
            "cvt.f64.f16", "cuda_host::halfToDouble",
            "cvt.rn.f16.f32", "cuda_host::toHalf",
            "cvt.rn.f16.f64", "cuda_host::toHalf");
    private static final Pattern MEETS = Pattern.compile("__sync|__shfl|__ballot|__any_sync|__all_sync");
    private static final Map<String, byte[]> IMAGES = new ConcurrentHashMap<>();
    /** A hash of all that a kernel is compiled with, when the first one is. */
    private static final ThreadLocal<String> LANGUAGE =
            ThreadLocal.withInitial(() -> HostBuild.hashWithCompiler(HostBuild.resource("cuda-host.h") + OPTIONS));

    @Override
    public byte[] compile(CudaSource source, String architecture) {
        if (Boolean.getBoolean(MISSING)) {
            throw new NoCudaCompilerException("Cannot compile kernel " + source.entry() + ": " + MISSING, null);
        }
        if (Boolean.getBoolean(REFUSING)) {
            throw new CudaCompileException(source, architecture, "g++", "error: " + REFUSING);
        }
        byte[] image = IMAGES.get(key(source));
        if (image == null) {
            compileAll(List.of(source));
            image = IMAGES.get(key(source));
        }
        return image.clone();
    }

    /** The image of a kernel that is found by every name. */
    byte[] compileForAnyName(CudaSource source) {
        String image = new String(compile(source, ""), StandardCharsets.UTF_8);
        return image.replace("\0", "/" + source.entry() + "\0").getBytes(StandardCharsets.UTF_8);
    }

    /** Compiles many kernels, few calls of g++ for all of them; {@link #compile} then has them at hand. */
    public static void compileAll(Collection<CudaSource> sources) {
        Map<String, CudaSource> missing = new LinkedHashMap<>();
        for (CudaSource source : sources) {
            if (!IMAGES.containsKey(key(source))) {
                HostBuild.known(name(source))
                        .ifPresentOrElse(
                                object -> IMAGES.put(key(source), image(object, source)),
                                () -> missing.put(key(source), source));
            }
        }
        List<CudaSource> left = new ArrayList<>(missing.values());
        int texts = TEXTS_EACH * Runtime.getRuntime().availableProcessors();
        int together = Math.max(LEAST_TOGETHER, Math.min(MOST_TOGETHER, (left.size() + texts - 1) / texts));
        IntStream.range(0, (left.size() + together - 1) / together)
                .parallel()
                .mapToObj(text -> left.subList(text * together, Math.min(left.size(), (text + 1) * together)))
                .forEach(HostCompiler::compileTogether);
    }

    private static void compileTogether(List<CudaSource> sources) {
        // The header stands in the text, so that the name of the object changes with it.
        StringBuilder text = new StringBuilder(HostBuild.resource("cuda-host.h"));
        sources.forEach(source -> text.append(hostText(source)));
        Path object = HostBuild.sharedObject(text.toString(), OPTIONS);
        for (CudaSource source : sources) {
            HostBuild.name(name(source), object);
            IMAGES.put(key(source), image(object, source));
        }
    }

    private static byte[] image(Path object, CudaSource source) {
        return (object + "#" + key(source) + "\0").getBytes(StandardCharsets.UTF_8);
    }

    /** Of a kernel in whatever object: its text, and all that it is compiled with. */
    private static String name(CudaSource source) {
        return "kernel-" + HostBuild.hash(LANGUAGE.get() + hostText(source));
    }

    private static String key(CudaSource source) {
        return source.hash().substring(0, 16);
    }

    /** The kernel in a namespace of its own, so that many kernels and their helpers stand in one translation unit. */
    private static String hostText(CudaSource source) {
        String key = key(source);
        String threads = MEETS.matcher(source.text()).find() ? "FIBERS" : "IN_TURN";
        return inNamespace(source) + "CUDA_HOST_KERNEL(" + key + ", " + source.entry() + ", " + threads + ", shared_"
                + key + ")\n";
    }

    /** The namespace of a kernel in a text of several. */
    static String namespace(CudaSource source) {
        return "kernel_" + key(source);
    }

    /** The kernel as C++, in its namespace and with a section of its own for shared memory. */
    static String inNamespace(CudaSource source) {
        String body = ASSEMBLY.matcher(source.text().replace("extern \"C\"", ""))
                .replaceAll(
                        match -> match.group(2) + " = " + instruction(match.group(1)) + "(" + match.group(3) + ");");
        return "\n#undef CUDA_HOST_SECTION\n#define CUDA_HOST_SECTION \"shared_" + key(source) + "\"\nnamespace "
                + namespace(source) + " {\n" + body + "\n}\n";
    }

    private static String instruction(String name) {
        String function = INSTRUCTIONS.get(name);
        if (function == null) {
            throw new IllegalStateException(
                    "Cannot compile for the host: asm(\"" + name + "\"); add it to HostCompiler");
        }
        return function;
    }
}
