package io.github.broadloom.peers;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.memory.MemoryWorkspace;
import org.nd4j.linalg.api.memory.conf.WorkspaceConfiguration;
import org.nd4j.linalg.api.memory.enums.LearningPolicy;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.ops.transforms.Transforms;

/** ND4J on the CPU. A call works in a workspace, which keeps its memory for the next one; temporaries are written over. */
final class Nd4jLibrary implements Library {
    private static final WorkspaceConfiguration RECYCLED = WorkspaceConfiguration.builder()
            .policyLearning(LearningPolicy.FIRST_LOOP)
            .build();

    private final Job job;
    private final Map<String, INDArray> named = new HashMap<>();
    private final List<ByteBuffer> buffers = new ArrayList<>(); // its arrays do not keep them
    private INDArray result;

    Nd4jLibrary(Job job) {
        System.setProperty("org.bytedeco.javacpp.maxbytes", "0"); // no limit but the machine's
        System.setProperty("org.bytedeco.javacpp.maxphysicalbytes", "0");
        this.job = job;
        for (int i = 0; i < job.operands().size(); i++) {
            Job.Operand operand = job.operands().get(i);
            INDArray array = array(i, operand);
            named.put(operand.name(), operand.transposed() ? array.transpose() : array);
        }
        this.result = Nd4j.scalar(0f);
    }

    private INDArray array(int number, Job.Operand operand) {
        return switch (operand.dtype()) {
            case "uint8" -> of(Values.bytes(job, number), DataType.UINT8, operand);
            // A buffer of its own bool shows other values than were put in.
            case "bool" ->
                of(Values.booleans(job, number), DataType.UINT8, operand).castTo(DataType.BOOL);
            case "float16" ->
                of(Values.floats(job, number), DataType.FLOAT, operand).castTo(DataType.FLOAT16);
            default -> of(Values.floats(job, number), DataType.FLOAT, operand);
        };
    }

    private INDArray of(ByteBuffer values, DataType type, Job.Operand operand) {
        buffers.add(values);
        return Nd4j.create(Nd4j.createBuffer(values, type, (int) operand.count(), 0), operand.shape());
    }

    @Override
    public String version() {
        return Versions.of(Nd4j.class);
    }

    @Override
    public void compute() {
        try (MemoryWorkspace workspace = Nd4j.getWorkspaceManager().getAndActivateWorkspace(RECYCLED, "BENCH")) {
            result = value();
        }
    }

    private INDArray value() {
        return switch (job.workload()) {
            case "W1" -> in("x").sub(along(in("mean"))).muli(along(in("inv")));
            case "W2" -> chain(in("x"), along(in("m")), along(in("s")));
            case "W3" -> standardised(in("x"));
            case "W4" -> Transforms.pow(in("a").sub(in("b")), 2, false).sum(2);
            case "W5" -> in("a").mul(in("b")).addi(in("a")).max(1);
            case "W6" ->
                in("u").castTo(DataType.FLOAT).divi(255).subi(along(in("mean"))).divi(along(in("std")));
            case "W7" -> in("x").add(in("y")).addi(along(in("z")));
            case "W8" -> in("a").sub(in("b"));
            case "W9" -> chosen(in("mask"), in("h").mul(along(in("scale"))), in("h").sub(along(in("shift"))));
            case "W10" -> fortySteps(in("x"));
            default -> throw new InexpressibleException("it does not know " + job.workload());
        };
    }

    private INDArray in(String name) {
        INDArray array = named.get(name);
        if (array == null) {
            throw new InexpressibleException("the workload has no operand " + name);
        }
        return array;
    }

    /** With as many dimensions as the first operand has: it broadcasts equal ranks only. */
    private INDArray along(INDArray operand) {
        int rank = job.operands().get(0).shape().length;
        long[] shape = new long[rank];
        for (int i = 0; i < rank; i++) {
            int own = i - (rank - operand.rank());
            shape[i] = own < 0 ? 1 : operand.size(own);
        }
        return operand.reshape(shape);
    }

    private static INDArray chain(INDArray x, INDArray m, INDArray s) {
        INDArray above = Transforms.tanh(x.sub(m).muli(s), false)
                .addi(Transforms.exp(x.neg().muli(x), false));
        return chosen(x.gt(m), above, x.mul(0.1f));
    }

    /** Where the mask is set, the first, else the second; both are written over. */
    private static INDArray chosen(INDArray mask, INDArray first, INDArray second) {
        return first.subi(second).muli(mask.castTo(first.dataType())).addi(second); // its where lists indices
    }

    private static INDArray standardised(INDArray x) {
        return x.sub(x.mean(true, 0, 2, 3)).divi(x.std(true, true, 0, 2, 3));
    }

    private static INDArray fortySteps(INDArray x) {
        INDArray value = x;
        for (int i = 1; i <= 10; i++) {
            INDArray step = value.mul(Float.parseFloat("0.9" + i)).subi(Float.parseFloat("0." + i));
            value = Transforms.max(Transforms.abs(step, false), x, false);
        }
        return value;
    }

    @Override
    public long[] shape() {
        result = value().dup('c'); // outside the workspace, whose memory is not to be read later
        return result.shape();
    }

    @Override
    public double[] elements(long[] indices) {
        return Arrays.stream(indices).mapToDouble(result::getDouble).toArray();
    }
}
