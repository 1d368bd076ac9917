package io.github.broadloom.peers;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.HashMap;
import java.util.Map;

/** DJL over PyTorch's C++ library. A call works in a manager of its own, which frees its temporaries, as DJL advises. */
final class Djl implements Library {
    private static final int[] BY_CHANNEL = {0, 2, 3};

    private final Job job;
    private final NDManager root;
    private final Map<String, NDArray> named = new HashMap<>();
    private NDManager scope;
    private NDArray result;

    Djl(Job job) {
        System.setProperty("ai.djl.offline", "true");
        System.setProperty("OPT_OUT_TRACKING", "true");
        System.setProperty("ai.djl.pytorch.num_threads", Integer.toString(job.threads()));
        this.job = job;
        this.root = Engine.getEngine("PyTorch").newBaseManager(Device.cpu());
        for (int i = 0; i < job.operands().size(); i++) {
            Job.Operand operand = job.operands().get(i);
            NDArray array = array(i, operand);
            named.put(operand.name(), operand.transposed() ? array.transpose() : array);
        }
        this.scope = root.newSubManager();
        this.result = root.create(0f);
    }

    private NDArray array(int number, Job.Operand operand) {
        Shape shape = new Shape(operand.shape());
        return switch (operand.dtype()) {
            case "uint8" -> root.create(Values.bytes(job, number), shape, DataType.UINT8);
            case "bool" -> root.create(Values.booleans(job, number), shape, DataType.BOOLEAN);
            case "float16" ->
                root.create(Values.floats(job, number), shape, DataType.FLOAT32).toType(DataType.FLOAT16, true);
            default -> root.create(Values.floats(job, number), shape, DataType.FLOAT32);
        };
    }

    @Override
    public String version() {
        return Versions.of(Engine.class) + "/" + Engine.getEngine("PyTorch").getVersion();
    }

    @Override
    public void compute() {
        scope.close();
        scope = root.newSubManager();
        // A result belongs to the manager of the array that it was computed from.
        Map<String, NDArray> operands = new HashMap<>();
        named.forEach((name, array) -> {
            array.tempAttach(scope);
            operands.put(name, array);
        });
        result = value(operands);
        operands.values().forEach(array -> array.attach(root));
    }

    private NDArray value(Map<String, NDArray> in) {
        return switch (job.workload()) {
            case "W1" -> of(in, "x").sub(of(in, "mean")).mul(of(in, "inv"));
            case "W2" -> chain(of(in, "x"), of(in, "m"), of(in, "s"));
            case "W3" -> standardised(of(in, "x"));
            case "W4" -> of(in, "a").sub(of(in, "b")).pow(2).sum(new int[] {-1});
            case "W5" -> of(in, "a").mul(of(in, "b")).add(of(in, "a")).max(new int[] {1});
            case "W6" ->
                of(in, "u")
                        .toType(DataType.FLOAT32, false)
                        .div(255)
                        .sub(of(in, "mean"))
                        .div(of(in, "std"));
            case "W7" -> of(in, "x").add(of(in, "y")).add(of(in, "z"));
            case "W8" -> of(in, "a").sub(of(in, "b"));
            case "W9" ->
                NDArrays.where( // it does not broadcast
                        of(in, "mask").broadcast(of(in, "h").getShape()),
                        of(in, "h").mul(of(in, "scale")),
                        of(in, "h").sub(of(in, "shift")));
            case "W10" -> fortySteps(of(in, "x"));
            default -> throw new InexpressibleException("it does not know " + job.workload());
        };
    }

    private static NDArray of(Map<String, NDArray> operands, String name) {
        NDArray array = operands.get(name);
        if (array == null) {
            throw new InexpressibleException("the workload has no operand " + name);
        }
        return array;
    }

    private static NDArray chain(NDArray x, NDArray m, NDArray s) {
        NDArray above = x.sub(m).mul(s).tanh().add(x.neg().mul(x).exp());
        return NDArrays.where(x.gt(m), above, x.mul(0.1f));
    }

    /** It has no standard deviation, and a mean of one dimension or of all, but sums of some. */
    private static NDArray standardised(NDArray x) {
        long channel = x.size() / x.getShape().get(1);
        NDArray centred = x.sub(x.sum(BY_CHANNEL, true).div(channel));
        NDArray variance = centred.square().sum(BY_CHANNEL, true).div(channel - 1);
        return centred.div(variance.sqrt());
    }

    private static NDArray fortySteps(NDArray x) {
        NDArray value = x;
        for (int i = 1; i <= 10; i++) {
            value = NDArrays.maximum(
                    value.mul(Float.parseFloat("0.9" + i))
                            .sub(Float.parseFloat("0." + i))
                            .abs(),
                    x);
        }
        return value;
    }

    @Override
    public long[] shape() {
        return result.getShape().getShape();
    }

    @Override
    public double[] elements(long[] indices) {
        double[] elements = new double[indices.length];
        NDArray flat = result.flatten(); // once: of a transposed result it is a copy
        for (int i = 0; i < elements.length; i++) {
            try (NDArray one = flat.get(indices[i]);
                    NDArray wide = one.toType(DataType.FLOAT32, true)) {
                elements[i] = wide.getFloat();
            }
        }
        return elements;
    }
}
