/**
 * From an expression over distributed sources to what will run: row cuts, a strategy for every operand, stages, an
 * estimate and its explanation. Pure: nothing here knows Spark, opens a file or starts a job.
 */
@NullMarked
package io.github.broadloom.plan;

import org.jspecify.annotations.NullMarked;
