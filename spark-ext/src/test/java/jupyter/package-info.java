/** What stands in for a notebook kernel. */
@NullMarked
package jupyter;

import org.jspecify.annotations.NullMarked;
