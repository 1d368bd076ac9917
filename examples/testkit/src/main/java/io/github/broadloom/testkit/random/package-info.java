/** Random expressions, and what has to hold for every one of them: for tests, and to try a device where it is. */
@NullMarked
package io.github.broadloom.testkit.random;

import org.jspecify.annotations.NullMarked;
