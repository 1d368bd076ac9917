/** What runs a plan on Spark: blocks and their codec, RDDs, the tasks that read, compute, fold and write chunks. */
@NullMarked
package io.github.broadloom.exec;

import org.jspecify.annotations.NullMarked;
