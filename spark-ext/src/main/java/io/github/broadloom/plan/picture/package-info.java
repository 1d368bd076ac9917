/** Plans as pictures: the chunk grids of tensors, and which block of each operand meets which in a task. Pure, as the plan is. */
@NullMarked
package io.github.broadloom.plan.picture;

import org.jspecify.annotations.NullMarked;
