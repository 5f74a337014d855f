/** Failures that come of the request itself, or of what the test wants of it. */
export const requestErrors = {
  TOO_MANY_REDIRECTS: {
    summary: "There were more redirects than `redirects` allows; the last one was not followed.",
    cause: "A loop, often between http and https or between two hosts, or a log-in that does not take.",
    remedy:
      "Follow the addresses in the message. Raise `redirects` where the chain is meant, or set it to 0 to look at the redirect itself.",
    whose: "target",
    processed: "yes",
  },
  HOST_NOT_ALLOWED: {
    summary:
      "A redirect or a connection leads to a host that the test does not name, and was not followed or opened.",
    cause:
      "Only the host of `baseUrl` and those in `allowHosts` and `siteHosts` are contacted. A request to another host throws with this code; so does, in scenarios, a connection of `fetch`, `node:http`, a package or a socket.",
    remedy:
      "Add the host to `allowHosts`, if you may load it. `allowUnmeasured: true` lets what does not go through `http` connect anywhere, unmeasured.",
    whose: "test",
    processed: "no",
  },
  REQUEST_ABORTED: {
    summary: "The test gave the request up, through its own `signal`.",
    cause: "An `AbortController` of the test.",
    remedy: "None is needed where that was meant.",
    whose: "test",
    processed: "maybe",
  },
  REQUEST_BODY_FAILED: {
    summary: "The request's own body could not be read to its end.",
    cause:
      "A file that is missing or may not be read, a stream that failed or was read before, or a length that was announced and not kept.",
    remedy:
      "Give `body` or `multipart` something that can be read each time; a stream serves one request alone.",
    whose: "test",
    processed: "maybe",
  },
  INVALID_REQUEST: {
    summary: "The request cannot be written as HTTP.",
    cause:
      "A header with a line break or another control character, a method that is no token, or options that contradict each other.",
    remedy: "The message names the option. The call throws, and nothing is sent.",
    whose: "test",
    processed: "no",
  },
  REQUEST_FAILED: {
    summary: "The request failed in a way that bearhug does not know.",
    cause: "The message has the words of the system.",
    remedy: "Please report it: whatever can happen to a request is to have a code of its own.",
    whose: "generator",
    processed: "maybe",
  },
} as const;
