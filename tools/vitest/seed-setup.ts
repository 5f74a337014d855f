import fc from "fast-check";

// The same examples in every check, so that a red one is red again; the nightly run gives another seed each time.
fc.configureGlobal({ seed: Number(process.env["BEARHUG_PROPERTY_SEED"] ?? 1) });
