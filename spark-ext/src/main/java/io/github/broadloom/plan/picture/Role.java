package io.github.broadloom.plan.picture;

import io.github.broadloom.plan.Strategy;

/** How a tensor takes part in a stage, and the colour that says so: each is to be seen on light and on dark ground. */
record Role(String label, String colour) {
    static final Role RESULT = new Role("result", "#10b981");

    static Role of(Strategy strategy) {
        String colour = switch (strategy) {
            case ALIGN -> "#3b82f6";
            case RESLICE -> "#a855f7";
            case REPLICATE -> "#f59e0b";
            case GRID -> "#06b6d4";
            case SHUFFLE -> "#ec4899";
        };
        return new Role(strategy.toString(), colour);
    }
}
