/** Failures of HTTP/2 that HTTP/1.1 does not have. */
export const http2Errors = {
  H2_STREAM_RESET: {
    summary:
      "The target ended this request's stream (RST_STREAM); the cause is the name of the HTTP/2 error.",
    cause:
      "A handler that failed (INTERNAL_ERROR, CANCEL), or a proxy whose upstream did; HTTP_1_1_REQUIRED asks for HTTP/1.1.",
    remedy: 'Look into the target\'s log. For HTTP_1_1_REQUIRED: `protocol: "http1"`.',
    whose: "target",
    processed: "maybe",
  },
  H2_REFUSED_STREAM: {
    summary: "The target refused the stream before it did anything for it.",
    cause: "More streams at a time than the target takes, or a target that shuts down.",
    remedy:
      "Lower `maxConcurrentStreams`, or spread over more connections with `maxConnections`. The request is safe to repeat.",
    whose: "target",
    processed: "no",
  },
  H2_ENHANCE_YOUR_CALM: {
    summary: "The target says that this client asks too much of it.",
    cause: "A guard against floods: too many streams, resets or requests on one connection.",
    remedy:
      "Lower `maxConcurrentStreams`, set `maxRequestsPerConnection`, or have the target allow this client more.",
    whose: "target",
    processed: "maybe",
  },
  H2_GOAWAY: {
    summary:
      "The target closed the connection to new and unanswered streams (GOAWAY); the cause is the HTTP/2 error's name.",
    cause:
      "A restart or a limit of requests per connection (NO_ERROR), or a fault that the target found with the connection.",
    remedy:
      "NO_ERROR: set `maxRequestsPerConnection` below the target's own limit; the message says whether the request is safe to repeat. Else read the cause.",
    whose: "target",
    processed: "maybe",
  },
  H2_PROTOCOL_ERROR: {
    summary: "A frame or a header came that HTTP/2 does not allow, and the connection was closed.",
    cause:
      'A faulty server or proxy, or a port that does not speak HTTP/2 (`protocol: "h2c"` with an HTTP/1.1 server).',
    remedy: 'Use `protocol: "http1"` or `"auto"` where the target has no HTTP/2; else mend the target.',
    whose: "target",
    processed: "maybe",
  },
  H2_PING_TIMEOUT: {
    summary:
      "The connection fell silent: after a request on it had timed out, not even a PING was answered, and the connection was closed with all requests on it.",
    cause:
      "A server, proxy or firewall that lost the connection without saying so, or a server process that hangs.",
    remedy:
      "Look at the target, and at what lies between, at that time. New requests got another connection.",
    whose: "network",
    processed: "maybe",
  },
} as const;
