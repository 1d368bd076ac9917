package io.github.broadloom.exec;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.TaskContext;
import org.jspecify.annotations.Nullable;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/** The few Scala types that Spark's core interface asks Java for. */
final class Scala {
    private Scala() {}

    static <T> Seq<T> seq(List<T> list) {
        return CollectionConverters.asScala(list).toSeq();
    }

    static <T> Iterator<T> iterator(List<T> elements) {
        return CollectionConverters.asScala(elements.iterator());
    }

    static <T> ClassTag<T> tag(Class<T> type) {
        return ClassTag$.MODULE$.apply(type);
    }

    /** What happens to the result of each task. */
    interface ResultHandler<U> {
        void accept(int chunk, U result);
    }

    /** A result handler for Spark, which calls it in the thread of its scheduler; it never leaves the driver. */
    static final class Handler<U> extends AbstractFunction2<Object, U, BoxedUnit> {
        private final ResultHandler<U> handler;

        Handler(ResultHandler<U> handler) {
            this.handler = handler;
        }

        @Override
        public BoxedUnit apply(Object index, U result) {
            handler.accept((Integer) index, result);
            return BoxedUnit.UNIT;
        }
    }

    /** What a task does with its chunk, metered. */
    abstract static class TaskFunction<T, U> extends AbstractFunction1<Iterator<T>, U> implements Serializable {
        private static final long serialVersionUID = 1L;
        private @Nullable Counters counters;

        /** Makes the tasks tell what they count. */
        final void tell(Counters whom) {
            counters = whom;
        }

        @Override
        public final U apply(Iterator<T> elements) {
            TaskContext context = TaskContext.get();
            Meter meter = Meter.of(context);
            if (counters != null) {
                meter.tell(counters);
            }
            return run(context, elements);
        }

        abstract U run(TaskContext context, Iterator<T> elements);
    }
}
