/** What stands along dimensions that have names: coordinates, by which indices are found. */
@NullMarked
package io.github.broadloom.named;

import org.jspecify.annotations.NullMarked;
