/** The client that the tests of HTTP run over: `pnpm test:peers` runs them over undici, too. */
export const testedTransport =
  process.env["BEARHUG_TEST_TRANSPORT"] === "undici" ? ("undici" as const) : ("bearhug" as const);
