/** Failures caused by the request itself, or by what the test allows. */
export const requestErrors = {
  TOO_MANY_REDIRECTS: {
    summary: "The request was redirected more often than `redirects` allows.",
    cause:
      "A redirect loop, often between http and https or between two hosts, or a login that does not succeed.",
    remedy:
      "Check the addresses in the message. If the chain is intended, raise `redirects`. To inspect the redirect itself, set it to 0.",
    whose: "target",
    processed: "yes",
    hint: "the redirects never end",
  },
  HOST_NOT_ALLOWED: {
    summary: "A redirect or connection to a host that the test does not name was blocked.",
    cause:
      "Tests may contact only the host of `baseUrl` and those in `allowHosts` and `siteHosts`. A request to another host throws this error. In scenarios, so does a connection by `fetch`, `node:http`, a package or a socket.",
    remedy:
      "If you may load the host, add it to `allowHosts`. `allowUnmeasured: true` lets traffic outside `http` connect anywhere, unmeasured.",
    whose: "test",
    processed: "no",
  },
  REQUEST_ABORTED: {
    summary: "The test aborted the request through its own `signal`.",
    cause: "The test called `abort()` on its `AbortController`.",
    remedy: "If that was intended, nothing needs to change.",
    whose: "test",
    processed: "maybe",
  },
  REQUEST_BODY_FAILED: {
    summary: "The request body could not be read to its end.",
    cause:
      "A file is missing or unreadable; a stream failed or was already read; the body does not have its announced length.",
    remedy:
      "Pass a `body` or `multipart` that can be read for each request. A stream serves only one request.",
    whose: "test",
    processed: "maybe",
  },
  INVALID_REQUEST: {
    summary: "The request is not valid HTTP, or a value is missing in it.",
    cause:
      "A header contains a line break or another control character, a value is missing in a header or body (`Bearer undefined`), the method is not a valid token, or options contradict each other.",
    remedy: "Fix the option that the message names. The call throws, and nothing is sent.",
    whose: "test",
    processed: "no",
  },
  REQUEST_FAILED: {
    summary: "The request failed in a way that bearhug does not recognize.",
    cause: "Unknown. The message contains the operating system's own words.",
    remedy: "Please report it as a bug: every failure should have a code of its own.",
    whose: "generator",
    processed: "maybe",
  },
} as const;
