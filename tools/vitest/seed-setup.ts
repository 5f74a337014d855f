import fc from "fast-check";

// Every check uses the same examples, so that a failure repeats; the nightly run uses a new seed each time.
fc.configureGlobal({ seed: Number(process.env["BEARHUG_PROPERTY_SEED"] ?? 1) });
