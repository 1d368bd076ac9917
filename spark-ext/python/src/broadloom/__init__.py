"""NumPy and PyTorch broadcasting for tensors on Apache Spark.

    loom = Broadloom.on(spark)
    x = loom.read_npy("hdfs:///images.npy")
    ((x - x.mean(0)) / x.std(0)).write_npy("hdfs:///normalised")

Beside it, ``broadloom.functions`` has the same operations for columns of a DataFrame, and ``broadloom.array_api`` the names
of the Python array API standard.
"""

from broadloom import functions
from broadloom._session import Broadloom
from broadloom._tensor import Tensor
from broadloom._version import VERSION as __version__

__all__ = ["Broadloom", "Tensor", "functions", "__version__"]
