/**
 * Functions of whole arrays, for what the JIT compiler does not vectorise in a plain loop: transcendental functions, choices and comparisons, conversions between element
 * sizes. Each has two twins that give the same bits, one on the Vector API and one in plain loops, and both are made from one function of a number ({@code OfArrays}) when the project is built. Touches dtypes alone.
 */
@NullMarked
package io.github.broadloom.cpu.simd;

import org.jspecify.annotations.NullMarked;
