package io.github.broadloom.lazy;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.expr.fluent.TensorOps;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensors;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Rearrangements and joins that make no sense, of x [2, 3, 4]. */
class RearrangeRefusalsTest {
    private static LazyTensor matrix(LazyTensor cube) {
        return cube.select(2, 0);
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                refusal(
                        h -> h.permute(0, 1),
                        "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = 3 is not equal to len(dims) = 2"),
                refusal(h -> h.add(1).permute(0, 1, 1), "permute(): duplicate dims are not allowed."),
                refusal(
                        h -> h.transpose(0, 3),
                        "Dimension out of range (expected to be in range of [-3, 2], but got 3)"),
                refusal(h -> h.t(), "t() expects a tensor with <= 2 dimensions, but self is 3D"),
                refusal(
                        h -> h.movedim(new int[] {0, 1}, new int[] {1}),
                        "movedim: Invalid source or destination dims: source ([0, 1] dims) should contain the same number of dims as destination ([1] dims)"),
                refusal(
                        h -> h.movedim(new int[] {0, -3}, new int[] {1, 2}),
                        "movedim: repeated dim in `source` ([0, -3])"),
                refusal(
                        h -> h.movedim(new int[] {0, 1}, new int[] {1, 1}),
                        "movedim: repeated dim in `destination` ([1, 1])"),
                refusal(h -> h.unsqueeze(4), "Dimension out of range (expected to be in range of [-4, 3], but got 4)"),
                refusal(h -> h.squeeze(0, -3), "dim 0 appears multiple times in the list of dims"),
                refusal(h -> h.reshape(5, -1), "shape '[5, -1]' is invalid for input of size 24"),
                refusal(
                        h -> h.transpose(1, 2).view(-1),
                        "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous subspaces). Use .reshape(...) instead."),
                refusal(h -> h.flatten(2, 1), "flatten() has invalid args: start_dim cannot come after end_dim"),
                refusal(
                        h -> matrix(h).unflatten(1, 2, 2),
                        "unflatten: Provided sizes [2, 2] don't multiply up to the size of dim 1 (3) in the input tensor"),
                refusal(h -> matrix(h).unflatten(1), "unflatten: sizes must be non-empty"),
                refusal(h -> matrix(h).unflatten(1, -1, -1), "unflatten got an unexpected error:"),
                refusal(h -> h.flip(0, -3), "dim 0 appears multiple times in the list of dims"),
                refusal(
                        h -> h.select(0, 5),
                        "select(): index 5 out of range for tensor of size [2, 3, 4] at dimension 0"),
                refusal(h -> h.sum().select(0, 0), "select() cannot be applied to a 0-dim tensor."),
                refusal(h -> h.sum().narrow(0, 0, 1), "narrow() cannot be applied to a 0-dim tensor."),
                refusal(h -> h.narrow(0, 1, 5), "start (1) + length (5) exceeds dimension size (2)."),
                refusal(h -> h.narrow(0, 3, 0), "start out of range (expected to be in range of [-2, 2], but got 3)"),
                refusal(h -> h.slice(0, 0L, 1L, 0), "slice step must be positive"),
                refusal(
                        h -> h.index(Slice.all(), Slice.all(), Slice.all(), Slice.all()),
                        "too many indices for tensor of dimension 3"),
                refusal(
                        h -> h.repeat(2),
                        "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"),
                refusal(h -> matrix(h).repeat(2, -1), "Trying to create tensor with negative dimension -3: [4, -3]"),
                refusal(h -> matrix(h).concat(0, h), "Tensors must have same number of dimensions: got 2 and 3"),
                refusal(
                        h -> matrix(h).concat(0, matrix(h).t()),
                        "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 2 for tensor number 1 in the list."),
                refusal(
                        h -> matrix(h).concat(5, matrix(h).t()),
                        "Dimension out of range (expected to be in range of [-2, 1], but got 5)"),
                refusal(
                        h -> matrix(h).concat(0, h.sum()),
                        "zero-dimensional tensor (at position 1) cannot be concatenated"),
                refusal(
                        h -> matrix(h).concat(2, Tensors.zeros(0)),
                        "Dimension out of range (expected to be in range of [-2, 1], but got 2)"),
                refusal(
                        h -> matrix(h).stack(0, matrix(h).t()),
                        "stack expects each tensor to be equal size, but got [2, 3] at entry 0 and [3, 2] at entry 1"),
                refusal(
                        h -> matrix(h).stack(3, matrix(h).t()),
                        "Dimension out of range (expected to be in range of [-3, 2], but got 3)"),
                refusal(
                        h -> TensorOps.concat(List.<LazyTensor>of(), 0),
                        "torch.cat(): expected a non-empty list of Tensors"),
                refusal(h -> TensorOps.stack(List.<LazyTensor>of(), 0), "stack expects a non-empty TensorList"));
    }

    private static Arguments refusal(UnaryOperator<LazyTensor> call, String text) {
        return Arguments.of(text, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusals")
    void whatDoesNotFitIsRefusedInPyTorchsWordsWhereItIsWritten(String text, UnaryOperator<LazyTensor> call) {
        LazyTensor handle = LazyTensor.of(Tensors.arange(0, 24, 1, DType.INT64).view(2, 3, 4));
        assertThatThrownBy(() -> call.apply(handle)).hasMessage(text);
    }
}
