package io.github.broadloom.exec.compute;

import io.github.broadloom.cpu.reduce.ContractionFold;
import io.github.broadloom.cpu.reduce.RowFold;
import io.github.broadloom.exec.JavaBytes;
import io.github.broadloom.expr.Contraction;
import io.github.broadloom.expr.Expr;
import io.github.broadloom.expr.Reduce;
import io.github.broadloom.kernels.reduce.ContractionNode;
import io.github.broadloom.kernels.reduce.FoldNode;
import io.github.broadloom.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** The trees in which the partial results of a fold's outputs come together, in tasks and on the driver: in any order, and always to the same bits. */
sealed interface FoldMerge {
    /** The trees of the whole outputs, of which only dtypes, shapes and dimensions are looked at. */
    static FoldMerge of(List<Expr> outputs) {
        return outputs.get(0) instanceof Contraction product
                ? new OfPanels(new ContractionFold(product))
                : new OfRows(outputs.stream()
                        .map(output -> RowFold.of((Reduce) output))
                        .toList());
    }

    /** Takes a partial result. */
    void push(byte[] partial);

    /** What came so far, joined as far as it can be: a partial result. */
    byte[] partial();

    /** The bytes of what came so far, array by array. */
    LongStream sizes();

    /** The outputs, once everything has come. */
    List<Tensor> finish();

    /** Of reductions over the rows. */
    record OfRows(List<RowFold> folds) implements FoldMerge {
        /** The partial result of some rows: the nodes of each reduction. */
        static byte[] partial(List<List<FoldNode>> nodes) {
            return JavaBytes.of(
                    nodes.stream().map(own -> own.toArray(FoldNode[]::new)).toArray(FoldNode[][]::new));
        }

        @Override
        public void push(byte[] partial) {
            FoldNode[][] nodes = JavaBytes.read(partial, FoldNode[][].class);
            for (int i = 0; i < nodes.length; i++) {
                Arrays.stream(nodes[i]).forEach(folds.get(i)::push);
            }
        }

        @Override
        public byte[] partial() {
            return partial(folds.stream().map(RowFold::nodes).toList());
        }

        @Override
        public LongStream sizes() {
            return folds.stream().flatMap(fold -> fold.nodes().stream()).mapToLong(FoldNode::sizeBytes);
        }

        @Override
        public List<Tensor> finish() {
            return folds.stream().map(RowFold::finish).toList();
        }
    }

    /** Of products. */
    record OfPanels(ContractionFold fold) implements FoldMerge {
        /** The partial result of some panels. */
        static byte[] partial(List<ContractionNode> nodes) {
            return JavaBytes.of(nodes.toArray(ContractionNode[]::new));
        }

        @Override
        public void push(byte[] partial) {
            Arrays.stream(JavaBytes.read(partial, ContractionNode[].class)).forEach(fold::push);
        }

        @Override
        public byte[] partial() {
            return partial(fold.nodes());
        }

        @Override
        public LongStream sizes() {
            return fold.nodes().stream().mapToLong(ContractionNode::sizeBytes);
        }

        @Override
        public List<Tensor> finish() {
            return List.of(fold.finish());
        }
    }
}
