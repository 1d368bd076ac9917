package io.github.broadloom.tools.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.broadloom.tools.ChildJvm;
import io.github.broadloom.tools.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program in a JVM of its own. */
class ShellProgramTest {
    private static final String PROGRAM = """
            val x = loom.tensor(Tensors.of(1f, 2f, 3f, 4f, 5f, 6f).reshape(3, 2), 3)
            val y = (x - x.mean(0)) / x.std(0)
            y.head(2)

            /* A statement goes on
               where a line begins with a dot. */
            val z = 2 * x
              // for instance here
              .add(1)
            z.collect()
            println("masked " + (x > 2 & x < 5).sum().collect().item())
            println("row " + x(-1).collect() + ", column " + x("..., None, 0").shape)
            val t = Tensors.of(1, 2)
            println("local " + (1 - t * 3).compute() + (t === 2).compute() + (t - x).sum().collect().item())
            println("left " + (t / t.amax(0)).compute() + (t < x)(1).collect() + (t + t).compute() + (t * 2 + t).compute() + ((t + 1) * x)(0).collect())
            println("right " + (x - (t - 1))(0).collect() + (x >= (t + 2)).sum().collect().item() + (x - t)(0).collect())
            println("written " + Tensors.of(1.5, 2).dtype + Tensors.of(1.5f).dtype + t.dtype + Tensors.copyOf(Array(1.5)).dtype)
            println("parsed " + LazyTensor.eval("t * 10", java.util.Map.of("t", t)).compute())
            sql("SELECT tensor_add(array(1, 2), 0.5)").as[Seq[Double]].head()
            case class Pair(a: Int, b: Int)
            val k = 3
            println("datasets " + Seq(Pair(1, 2), Pair(3, 4)).toDS().map(p => p.a * p.b + k).collect().sum)
            def twice(t: DistributedTensor) = {
              val one = t + 0

              one + one
            }
            println("function " + twice(x).sum().collect().item())
            println(before)
            x +
              loom.tensor(Tensors.ones(3))
            println("not reached")
            """;

    @TempDir
    private Path folder;

    @Test
    void aProgramRunsUpToTheStatementThatFails() throws Exception {
        Path first = Files.writeString(folder.resolve("first.scala"), "val before = 7\n");
        Path input = Files.writeString(folder.resolve("program.scala"), PROGRAM);
        List<String> options = new ArrayList<>(ChildJvm.QUICK_START);
        options.add("-Xmx1g");
        Cli shell = ChildJvm.run(options, folder, input, "shell", "--master", "local[2]", "-i", first.toString());
        assertThat(shell.out())
                .startsWith("val before: Int = 7\n")
                .contains(
                        "val y: io.github.broadloom.spark.DistributedTensor = DistributedTensor((tensor - mean(tensor, dim=(0))) /"
                                + " std(tensor, dim=(0)), dtype=float32, shape=[3, 2], chunks=3)\n",
                        "tensor([[-1., -1.],\n        [ 0.,  0.]])\n",
                        "tensor([[ 4.,  6.],\n        [ 8., 10.],\n        [12., 14.]])\n",
                        "masked 2\n",
                        "row tensor([5., 6.]), column [3, 1]\n",
                        "local tensor([-2, -5])tensor([False,  True])-12.0\n",
                        "left tensor([0.5000, 1.0000])tensor([True, True])tensor([2, 4])tensor([3, 6])tensor([2., 6.])\n",
                        "right tensor([1., 1.])4tensor([0., 0.])\n",
                        "written float32float32int64float64\n",
                        "parsed tensor([10, 20])\n",
                        "Seq[Double] = List(1.5, 2.5)\n",
                        "datasets 20\n",
                        "function 42.0\n")
                .endsWith("\n7\n")
                .doesNotContain("scala>");
        assertThat(shell.err().lines().filter(line -> !line.startsWith("WARNING: Using incubator")))
                .containsExactly("broadloom: line 30: The size of tensor a (2) must match the size of tensor b (3) at"
                        + " non-singleton dimension 1");
        assertThat(shell.exitCode()).isEqualTo(2);
    }
}
