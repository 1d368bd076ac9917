package io.github.broadloom.plan.picture;

import io.github.broadloom.plan.Operand;
import io.github.broadloom.plan.Stage;
import io.github.broadloom.plan.Strategy;
import io.github.broadloom.plan.Transport;

/** How a tensor takes part in a stage, and the colour that says so: each is to be seen on light and on dark ground. */
enum Role {
    ALIGNED("align", "#3b82f6"),
    RESLICED("re-slice", "#a855f7"),
    REPLICATED("replicate", "#f59e0b"),
    RESULT("result", "#10b981");

    private final String label;
    private final String colour;

    Role(String label, String colour) {
        this.label = label;
        this.colour = colour;
    }

    static Role of(Operand operand, Stage stage) {
        if (operand.strategy() == Strategy.REPLICATE) {
            return REPLICATED;
        }
        boolean otherCuts =
                operand.transport() == Transport.PARENT && !operand.source().hasGrid(stage.grid());
        return otherCuts ? RESLICED : ALIGNED;
    }

    String label() {
        return label;
    }

    String colour() {
        return colour;
    }
}
