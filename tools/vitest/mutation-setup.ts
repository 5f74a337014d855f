import fc from "fast-check";

// One failing example kills a mutant; shrinking it would take most of the time.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
