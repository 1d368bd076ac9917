/** A GPU for dry runs: the CPU computes, and the kernels that a GPU would run are noted; it stands on the devices and knows no Spark. */
@NullMarked
package io.github.broadloom.bench.dryrun;

import org.jspecify.annotations.NullMarked;
