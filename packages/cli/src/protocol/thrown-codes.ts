/** The name of errors whose iteration is not known. */
export const outsideIterations = "(outside an iteration)";

/** Codes of errors that nobody awaited or caught. */
export const strayCodes: ReadonlySet<string> = new Set(["UNHANDLED_REJECTION", "UNCAUGHT_EXCEPTION"]);

/** Codes of errors of the test's own code that make an iteration fail. */
export const failingCodes: ReadonlySet<string> = new Set(["TEST_THREW", "PAUSE_NOT_AWAITED", ...strayCodes]);
