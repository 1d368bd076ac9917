/**
 * Spark's {@code NEAREST BY}: joins of each row with the rows of another table that a ranking puts first, by blocks of scores. Touches the functions of SQL and the search for nearest rows.
 */
@NullMarked
package io.github.broadloom.sql.nearest;

import org.jspecify.annotations.NullMarked;
