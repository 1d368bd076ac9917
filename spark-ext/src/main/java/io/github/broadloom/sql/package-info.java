/**
 * Tensors in SQL: functions over numeric columns and nested arrays of them, and the columns themselves. It touches {@code table}, and of {@code exec} only settings and a
 * task's GPU.
 */
@NullMarked
package io.github.broadloom.sql;

import org.jspecify.annotations.NullMarked;
