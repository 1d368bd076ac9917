package io.github.broadloom;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.spark.Broadloom;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.package$;
import org.apache.xbean.asm9.ClassReader;
import org.apache.xbean.asm9.ClassVisitor;
import org.apache.xbean.asm9.FieldVisitor;
import org.apache.xbean.asm9.Handle;
import org.apache.xbean.asm9.MethodVisitor;
import org.apache.xbean.asm9.Opcodes;
import org.apache.xbean.asm9.Type;
import org.junit.jupiter.api.Test;

/**
 * Every class, method and field of Spark, Arrow and Scala that the compiled classes name is in the jars that are here, every abstract method has a body, and no
 * final one is overridden: what else would be an error of linking, of some user, on another version of Spark.
 */
class SparkLinksTest {
    private static final List<String> CHECKED = List.of("org/apache/spark/", "org/apache/arrow/", "scala/");

    private final Map<String, Optional<Found>> classes = new HashMap<>();
    private final Set<String> broken = new TreeSet<>();
    private int links;

    /** What a class file says of its class; members by name and descriptor, with their flags. */
    private record Found(int flags, List<String> above, Map<String, Integer> members) {
        boolean isAbstract() {
            return (flags & Opcodes.ACC_ABSTRACT) != 0;
        }
    }

    @Test
    void whatTheClassesNameIsThere() throws Exception {
        String spark = System.getProperty("broadloom.test.spark");
        if (spark != null) {
            assertThat(package$.MODULE$.SPARK_VERSION()).isEqualTo(spark);
        }
        for (Class<?> one : List.of(DType.class, Broadloom.class)) {
            Path place = Path.of(
                    one.getProtectionDomain().getCodeSource().getLocation().toURI());
            if (Files.isDirectory(place)) {
                check(place);
            } else {
                try (FileSystem jar = FileSystems.newFileSystem(URI.create("jar:" + place.toUri()), Map.of())) {
                    check(jar.getPath("/"));
                }
            }
        }
        assertThat(links).isGreaterThan(2000);
        assertThat(broken).isEmpty();
    }

    private void check(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".class")).toList()) {
                check(Files.readAllBytes(file));
            }
        }
    }

    private void check(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        String name = reader.getClassName();
        Found own = find(name).orElseThrow();
        own.above.forEach(above -> type(name, above));
        overridden(name, own);
        reader.accept(new References(name), ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    }

    private void overridden(String name, Found own) {
        own.members.forEach((member, flags) -> {
            boolean overrides = !member.startsWith("<") && (flags & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0;
            own.above.stream()
                    .flatMap(above -> members(above, member).stream())
                    .filter(above -> overrides
                            && (above & Opcodes.ACC_FINAL) != 0
                            && (above & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0)
                    .forEach(above -> broken.add(name + " overrides the final " + member));
        });
        if (!own.isAbstract()) {
            inherited(name).stream()
                    .filter(member -> !member.contains("$$super$")) // of traits, which classes of Scala alone have
                    .filter(member ->
                            members(name, member).stream().allMatch(flags -> (flags & Opcodes.ACC_ABSTRACT) != 0))
                    .forEach(member -> broken.add(name + " lacks " + member));
        }
    }

    /** The methods of a class and those above it. */
    private Set<String> inherited(String name) {
        Set<String> all = new TreeSet<>();
        find(name).ifPresent(found -> {
            found.members.keySet().stream()
                    .filter(member -> member.contains("("))
                    .forEach(all::add);
            found.above.forEach(above -> all.addAll(inherited(above)));
        });
        return all;
    }

    /** The flags of a member in a class and in all above it. */
    private List<Integer> members(String name, String member) {
        List<Integer> flags = new ArrayList<>();
        find(name).ifPresent(found -> {
            Optional.ofNullable(found.members.get(member)).ifPresent(flags::add);
            found.above.forEach(above -> flags.addAll(members(above, member)));
        });
        return flags;
    }

    private Optional<Found> find(String name) {
        Optional<Found> known = classes.get(name);
        if (known == null) {
            known = read(name);
            classes.put(name, known);
        }
        return known;
    }

    private static Optional<Found> read(String name) {
        try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
            return in == null ? Optional.empty() : Optional.of(read(new ClassReader(in.readAllBytes())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Found read(ClassReader reader) {
        List<String> above = new ArrayList<>(List.of(reader.getInterfaces()));
        if (reader.getSuperName() != null) {
            above.add(reader.getSuperName());
        }
        Map<String, Integer> members = new HashMap<>();
        reader.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public MethodVisitor visitMethod(int flags, String name, String type, String s, String[] thrown) {
                        members.put(name + type, flags);
                        return null;
                    }

                    @Override
                    public FieldVisitor visitField(int flags, String name, String type, String s, Object value) {
                        members.put(name + ":" + type, flags);
                        return null;
                    }
                },
                ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
        return new Found(reader.getAccess(), above, members);
    }

    private void type(String user, String name) {
        String element =
                name.startsWith("[") ? Type.getType(name).getElementType().getInternalName() : name;
        if (isChecked(element)) {
            links++;
            if (find(element).isEmpty()) {
                broken.add(user + " names class " + element);
            }
        }
    }

    private static boolean isChecked(String name) {
        return CHECKED.stream().anyMatch(name::startsWith);
    }

    /** A member of a class of others, or of one of ours that may have it from above. */
    private void member(String user, String owner, String member) {
        boolean isOurs = owner.startsWith("io/github/broadloom/");
        if (isChecked(owner) || isOurs) {
            type(user, owner);
            links++;
            Function<String, Boolean> has = name -> !members(name, member).isEmpty();
            boolean isObjects = find(owner).isPresent() && has.apply("java/lang/Object"); // of interfaces, too
            if (find(owner).isPresent() && !isObjects && !has.apply(owner) && !member.startsWith("$")) {
                broken.add(user + " names " + owner + "." + member);
            }
        }
    }

    /** What a class names. */
    private final class References extends ClassVisitor {
        private final String user;

        References(String user) {
            super(Opcodes.ASM9);
            this.user = user;
        }

        private void types(String descriptor) {
            for (Type argument : Type.getArgumentTypes(descriptor)) {
                type(argument);
            }
            type(Type.getReturnType(descriptor));
        }

        private void type(Type type) {
            Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
            if (element.getSort() == Type.OBJECT) {
                SparkLinksTest.this.type(user, element.getInternalName());
            }
        }

        @Override
        public FieldVisitor visitField(int flags, String name, String type, String signature, Object value) {
            type(Type.getType(type));
            return null;
        }

        @Override
        public MethodVisitor visitMethod(int flags, String name, String type, String signature, String[] thrown) {
            types(type);
            return new MethodVisitor(Opcodes.ASM9) {
                @Override
                public void visitMethodInsn(int op, String owner, String name, String type, boolean isInterface) {
                    if (!owner.startsWith("[")) {
                        member(user, owner, name + type);
                    }
                }

                @Override
                public void visitFieldInsn(int op, String owner, String name, String type) {
                    member(user, owner, name + ":" + type);
                }

                @Override
                public void visitTypeInsn(int op, String type) {
                    SparkLinksTest.this.type(user, type);
                }

                @Override
                public void visitInvokeDynamicInsn(String name, String type, Handle maker, Object... arguments) {
                    types(type);
                    for (Object argument : arguments) {
                        if (argument instanceof Handle handle) {
                            boolean isField = handle.getTag() <= Opcodes.H_PUTSTATIC;
                            member(user, handle.getOwner(), handle.getName() + (isField ? ":" : "") + handle.getDesc());
                        }
                    }
                }

                @Override
                public void visitLdcInsn(Object value) {
                    if (value instanceof Type constant && constant.getSort() != Type.METHOD) {
                        type(constant);
                    }
                }
            };
        }
    }
}
