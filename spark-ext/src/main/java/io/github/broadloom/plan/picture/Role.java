package io.github.broadloom.plan.picture;

import io.github.broadloom.plan.Operand;

/** How a tensor takes part in a stage, and the colour that says so: each is to be seen on light and on dark ground. */
enum Role {
    ALIGNED("align", "#3b82f6"),
    RESLICED("re-slice", "#a855f7"),
    REPLICATED("replicate", "#f59e0b"),
    GRID("grid", "#06b6d4"),
    SHUFFLED("shuffle", "#ec4899"),
    RESULT("result", "#10b981");

    private final String label;
    private final String colour;

    Role(String label, String colour) {
        this.label = label;
        this.colour = colour;
    }

    static Role of(Operand operand) {
        return switch (operand.strategy()) {
            case REPLICATE -> REPLICATED;
            case ALIGN -> ALIGNED;
            case RESLICE -> RESLICED;
            case GRID -> GRID;
            case SHUFFLE -> SHUFFLED;
        };
    }

    String label() {
        return label;
    }

    String colour() {
        return colour;
    }
}
