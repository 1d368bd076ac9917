/**
 * What everything that runs on Spark stands on: blocks and their bytes, settings, the memory that Spark grants, what failures say, and the few Scala types that
 * Java needs. It touches plans as values, and no other package of {@code exec}.
 */
@NullMarked
package io.github.broadloom.exec;

import org.jspecify.annotations.NullMarked;
