/** Pictures made of arrays: contact sheets and animated GIFs, with nothing but the JDK. */
@NullMarked
package io.github.broadloom.examples.picture;

import org.jspecify.annotations.NullMarked;
