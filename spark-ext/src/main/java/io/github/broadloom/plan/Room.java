package io.github.broadloom.plan;

import io.github.broadloom.expr.Expr;
import io.github.broadloom.plan.Operands.Found;
import io.github.broadloom.plan.Source.Residence;
import io.github.broadloom.shape.Shape;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Whether there is room for the operands of a stage in the tasks, and on the driver.
 *
 * @param domain what the stage goes over
 * @param cutDims the dimensions along which that is cut
 */
record Room(Settings settings, Shape domain, int[] cutDims, List<Found> operands) {

    /** Whether each operand is cut, finely enough, or small enough to be copied to every task. */
    boolean forReplicas() {
        return operands.stream().allMatch(operand -> leastBytes(operand) <= settings.replicateBytes());
    }

    /** What a task has to hold of an operand, where the cuts are as fine as can be. */
    private long leastBytes(Found operand) {
        if (Arrays.stream(cutDims).allMatch(operand.access()::follows)) {
            return 0;
        }
        long bytes = operand.wholeBytes(domain);
        for (int dim : cutDims) {
            bytes /= operand.access().follows(dim) ? Math.max(1, domain.size(dim)) : 1;
        }
        return bytes;
    }

    /** Whether the driver computes {@code root} faster than it starts a job: only small things, none of them cut into chunks. */
    boolean onDriver(Expr root) {
        long bytes = Sizes.bytes(root.dtype(), root.shape());
        for (Found operand : operands) {
            if (operand.isCut(cutDims) && operand.source().residence() != Residence.RESULT) {
                return false;
            }
            bytes = Sizes.sum(bytes, operand.source().sizeBytes());
        }
        return !settings.device().startsWith("cuda") && bytes <= settings.chunkBytes();
    }

    /** Whether the foremost operand is too large for one chunk, and follows the stage along its own rows. */
    boolean isLedByRows() {
        Found first = operands.stream()
                .min(Comparator.comparing(Found::source, RowCuts.PRECEDENCE))
                .orElseThrow();
        Source source = first.source();
        boolean isAway = source.residence() == Residence.CLUSTER || source.residence() == Residence.FILE;
        if (!isAway || source.sizeBytes() <= settings.chunkBytes() || domain.size(0) < 2) {
            return false;
        }
        Box half = first.access().box(Box.whole(Shape.of(domain.size(0) / 2)));
        return half.size(0) < source.shape().size(0);
    }

    /** What the driver would have to send step by step, along the second cut dimension: in chunks on the cluster, tasks find it themselves. */
    List<Expr> sentInSteps() {
        return operands.stream()
                .filter(operand -> operand.isCut(cutDims[1]) && !operand.isCut(cutDims[0]))
                .filter(operand -> operand.source().residence() == Residence.DRIVER
                        || operand.source().residence() == Residence.RESULT)
                .map(operand -> (Expr) operand.leaf().input())
                .toList();
    }
}
