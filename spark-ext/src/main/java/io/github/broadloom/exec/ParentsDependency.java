package io.github.broadloom.exec;

import java.util.List;
import java.util.function.IntFunction;
import org.apache.spark.NarrowDependency;
import org.apache.spark.rdd.RDD;
import scala.collection.immutable.Seq;

/** A dependency by which each partition is made of some of the parent's, whatever their numbers are. */
public final class ParentsDependency<T> extends NarrowDependency<T> {
    private static final long serialVersionUID = 1L;

    private final transient IntFunction<List<Integer>> parents;

    /** @param parents of a partition; asked on the driver alone */
    public ParentsDependency(RDD<T> parent, IntFunction<List<Integer>> parents) {
        super(parent);
        this.parents = parents;
    }

    @Override
    public Seq<Object> getParents(int partition) {
        return Scala.seq(List.copyOf(parents.apply(partition)));
    }
}
