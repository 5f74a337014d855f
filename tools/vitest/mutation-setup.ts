import fc from "fast-check";

// One failing example kills a mutant; looking for the smallest takes most of the time.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
