package io.github.broadloom.exec;

import java.util.List;
import org.jspecify.annotations.Nullable;
import scala.Product;

/** An expression or a plan of which Spark makes copies by calling its constructor with its parts, as it does with Scala's case classes. */
public interface ProductOfParts extends Product {
    /** What the constructor takes. */
    List<@Nullable Object> parts();

    @Override
    default int productArity() {
        return parts().size();
    }

    @Override
    default @Nullable Object productElement(int index) {
        return parts().get(index);
    }

    @Override
    default boolean canEqual(Object other) {
        return other.getClass() == getClass();
    }
}
