package io.github.broadloom.hdf5;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The names of a dataset's dimensions: those of the dimension scales that are attached to it, else its labels; of a scale itself its own name. */
record DimensionNames(Hdf5File file, String key, long address, Hdf5Attributes attributes) {
    /** As many as there are dimensions, or none. */
    List<String> of(int rank) {
        List<String> names = scales();
        if (names.isEmpty()) {
            names = attributes.list("DIMENSION_LABELS").stream()
                    .map(String::valueOf)
                    .toList();
        }
        if (names.isEmpty() && rank == 1 && attributes.text("CLASS").equals("DIMENSION_SCALE")) {
            names = List.of(key.substring(key.lastIndexOf('/') + 1));
        }
        return names.size() == rank && names.stream().noneMatch(String::isEmpty) ? names : List.of();
    }

    private List<String> scales() {
        List<Long> scales = attributes.scales();
        if (scales.isEmpty()) {
            return List.of();
        }
        List<String> names = new ArrayList<>();
        scales.forEach(scale -> names.add(""));
        // They lie in the dataset's own group, or in one that this is in.
        for (String group = key; !group.isEmpty(); ) {
            group = group.contains("/") ? group.substring(0, group.lastIndexOf('/')) : "";
            Map<String, Hdf5File.Link> links = file.links(file.header(file.find(group)));
            links.forEach((name, link) -> {
                for (int d = 0; d < scales.size(); d++) {
                    boolean found = link.path() == null && link.address() == scales.get(d);
                    names.set(d, found && names.get(d).isEmpty() ? name : names.get(d));
                }
            });
        }
        return names;
    }
}
