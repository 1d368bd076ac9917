@NullMarked
package io.github.broadloom.plan;

import org.jspecify.annotations.NullMarked;
