/** Pictures made of arrays: charts, contact sheets and animated GIFs; of Broadloom it knows tensors alone. */
@NullMarked
package io.github.broadloom.tools.picture;

import org.jspecify.annotations.NullMarked;
