@NullMarked
package io.github.broadloom.codegen;

import org.jspecify.annotations.NullMarked;
