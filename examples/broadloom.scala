// Tensors in a Scala shell of Spark: what a session of it begins with. examples/run shell reads this file, and so does the shell of any Spark from 4.0 to 4.2:
//
//   spark-shell --jars broadloom-spark-0.2.0.jar -I broadloom.scala
//       --conf spark.sql.extensions=io.github.broadloom.sql.BroadloomExtensions
//
// The first releases of Spark 4.0 pass over -I; there `:load broadloom.scala` is the first line. It needs only `spark`. Without the setting the SQL functions are there, too, and compute row by row.

import scala.language.implicitConversions

import io.github.broadloom.dtype.DType
import io.github.broadloom.expr.KeepDim
import io.github.broadloom.expr.fluent.LeftOperand
import io.github.broadloom.io.{Npy, WriteMode}
import io.github.broadloom.shape.{Shape, Slice}
import io.github.broadloom.spark.{Broadloom, DistributedTensor}
import io.github.broadloom.sql.BroadloomExtensions
import io.github.broadloom.tensor.{Device, Tensor, Tensors}

BroadloomExtensions.register(spark)

@transient val loom: Broadloom = Broadloom.on(spark)

// What is in the package `lazy`, whose name is a word of Scala's.
type LazyTensor = io.github.broadloom.`lazy`.LazyTensor
object LazyTensor {
  def of(tensor: Tensor): LazyTensor = io.github.broadloom.`lazy`.LazyTensor.of(tensor)
  def eval(text: String, names: java.util.Map[String, _]): LazyTensor = io.github.broadloom.`lazy`.LazyTensor.eval(text, names)
}

// Operators and methods of local tensors: (t - t.mean(0)).compute(); and t - x or x - t, which is distributed where x is.
implicit def expression(tensor: Tensor): LazyTensor = LazyTensor.of(tensor)

// 2 * x, 1 - x, 0 < x: a number keeps its kind, which decides the dtype of the result.
implicit def leftOperand(number: Int): LeftOperand = LeftOperand.of(number)
implicit def leftOperand(number: Long): LeftOperand = LeftOperand.of(number)
implicit def leftOperand(number: Float): LeftOperand = LeftOperand.of(number)
implicit def leftOperand(number: Double): LeftOperand = LeftOperand.of(number)
