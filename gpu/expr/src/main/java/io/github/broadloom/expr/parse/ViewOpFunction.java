package io.github.broadloom.expr.parse;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.ViewOps;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A function of the string language that rearranges the elements of a value; see {@link ViewOps}.
 *
 * @param aliases its other names
 * @param arguments PyTorch's names of the arguments behind the value; the last may be several, where its signature says so
 * @param required how many of them must be given
 * @param signature all arguments with their defaults, for people
 * @param doc one line for the documentation
 * @param builder makes the expression of the values of a call
 */
record ViewOpFunction(
        String name,
        List<String> aliases,
        List<String> arguments,
        int required,
        String signature,
        String doc,
        Function<ViewOpCall, Expr> builder) {

    private static final Map<String, ViewOpFunction> BY_NAME = table(
            of(
                    "permute",
                    "input, *dims",
                    "The dimensions in another order.",
                    call -> ViewOps.permute(call.operand(), call.dims("dims"))),
            of(
                    "transpose swapaxes swapdims",
                    "input, dim0, dim1",
                    "Two dimensions exchanged.",
                    call -> ViewOps.transpose(call.operand(), call.dim("dim0", 0), call.dim("dim1", 0))),
            of("t", "input", "The transpose of a matrix.", call -> ViewOps.t(call.operand())),
            of(
                    "movedim moveaxis",
                    "input, source, destination",
                    "Dimensions moved to other places; the others keep their order.",
                    call -> ViewOps.movedim(call.operand(), call.dims("source"), call.dims("destination"))),
            of(
                    "unsqueeze",
                    "input, dim",
                    "A new dimension of size one.",
                    call -> ViewOps.unsqueeze(call.operand(), call.dim("dim", 0))),
            of(
                    "squeeze",
                    "input, dim=None",
                    "Without the dimensions of size one, or without those of these that are.",
                    call -> call.has("dim")
                            ? ViewOps.squeeze(call.operand(), call.dims("dim"))
                            : ViewOps.squeeze(call.operand())),
            of(
                    "reshape",
                    "input, *shape",
                    "The same elements in another shape; one size may be -1.",
                    call -> ViewOps.reshape(call.operand(), call.longs("shape"))),
            of(
                    "view",
                    "input, *shape",
                    "The same, but a tensor of which only a copy could have the shape is refused.",
                    call -> ViewOps.view(call.operand(), call.longs("shape"))),
            of(
                    "flatten",
                    "input, start_dim=0, end_dim=-1",
                    "Several dimensions as one.",
                    call -> ViewOps.flatten(call.operand(), call.dim("start_dim", 0), call.dim("end_dim", -1))),
            of(
                    "unflatten",
                    "input, dim, *sizes",
                    "One dimension as several; one size may be -1.",
                    call -> ViewOps.unflatten(call.operand(), call.dim("dim", 0), call.longs("sizes"))),
            of(
                    "flip",
                    "input, *dims",
                    "The order along these dimensions reversed.",
                    call -> ViewOps.flip(call.operand(), call.dims("dims"))),
            of(
                    "narrow",
                    "input, dim, start, length",
                    "Some indices of one dimension.",
                    call -> ViewOps.narrow(
                            call.operand(), call.dim("dim", 0), call.index("start"), call.index("length"))),
            of(
                    "select",
                    "input, dim, index",
                    "One index of a dimension, which goes away.",
                    call -> ViewOps.select(call.operand(), call.dim("dim", 0), call.index("index"))),
            of(
                    "expand broadcast_to",
                    "input, *size",
                    "Dimensions of size one repeated; -1 keeps a size.",
                    call -> Expr.expand(call.operand(), call.longs("size"))),
            of(
                    "repeat",
                    "input, *repeats",
                    "The whole repeated along each dimension.",
                    call -> ViewOps.repeat(call.operand(), call.longs("repeats"))),
            of(
                    "tile",
                    "input, *dims",
                    "The same, where counts for leading dimensions may be left out.",
                    call -> ViewOps.tile(call.operand(), call.longs("dims"))));

    private static ViewOpFunction of(String names, String signature, String doc, Function<ViewOpCall, Expr> builder) {
        List<String> all = List.of(names.split(" "));
        List<String> behind = Arrays.stream(signature.split(", ")).skip(1).toList();
        int required = (int)
                behind.stream().filter(argument -> !argument.contains("=")).count();
        List<String> arguments = behind.stream()
                .map(argument -> argument.replaceFirst("=.*", "").replace("*", ""))
                .toList();
        return new ViewOpFunction(all.get(0), all.subList(1, all.size()), arguments, required, signature, doc, builder);
    }

    private static Map<String, ViewOpFunction> table(ViewOpFunction... rows) {
        Map<String, ViewOpFunction> table = new LinkedHashMap<>();
        for (ViewOpFunction row : rows) {
            table.put(row.name(), row);
            row.aliases().forEach(alias -> table.put(alias, row));
        }
        return Collections.unmodifiableMap(table);
    }

    /** The function of that name, or of that other name. */
    static @Nullable ViewOpFunction find(String name) {
        return BY_NAME.get(name);
    }

    /** All functions, in the order of the documentation. */
    static List<ViewOpFunction> all() {
        return BY_NAME.values().stream().distinct().toList();
    }

    /** Whether the last argument may be several numbers without brackets. */
    boolean isVariadic() {
        return signature.contains("*");
    }
}
