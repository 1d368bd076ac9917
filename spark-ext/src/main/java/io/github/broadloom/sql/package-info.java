/** Tensors in SQL: functions over numeric columns and nested arrays of them, and the columns themselves. */
@NullMarked
package io.github.broadloom.sql;

import org.jspecify.annotations.NullMarked;
