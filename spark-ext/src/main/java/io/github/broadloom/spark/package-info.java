@NullMarked
package io.github.broadloom.spark;

import org.jspecify.annotations.NullMarked;
