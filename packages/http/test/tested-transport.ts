/** The transport that the tests of HTTP use; `pnpm test:peers` runs them with undici, too. */
export const testedTransport =
  process.env["BEARHUG_TEST_TRANSPORT"] === "undici" ? ("undici" as const) : ("bearhug" as const);
