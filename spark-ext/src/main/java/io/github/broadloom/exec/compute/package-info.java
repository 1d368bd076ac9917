/** Runs plans: the RDDs whose tasks compute, fold and scan chunks, and the actions that compute a value, keep it or write it. It touches everything in {@code exec}. */
@NullMarked
package io.github.broadloom.exec.compute;

import org.jspecify.annotations.NullMarked;
