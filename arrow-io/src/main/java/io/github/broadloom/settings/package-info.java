/** What can be set from outside: names, values, and sentences about wrong ones. */
@NullMarked
package io.github.broadloom.settings;

import org.jspecify.annotations.NullMarked;
