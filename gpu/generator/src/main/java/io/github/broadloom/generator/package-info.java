/** Programs that write sources of other modules when the project is built. Each may touch what stands below the module it writes for. */
@NullMarked
package io.github.broadloom.generator;

import org.jspecify.annotations.NullMarked;
