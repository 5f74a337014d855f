/** Failures once the request was on its way: no answer, or none that can be read. */
export const responseErrors = {
  RESPONSE_TIMEOUT: {
    summary: "No answer came, or not all of it, within the time-out.",
    cause:
      "A target that is overloaded or stuck, a network that loses packets, or a response that does not end: an event stream or a long poll. The phase tells them apart.",
    remedy:
      "Waiting: look at what the target waits for. Receiving: a stream is not to be read to its end; otherwise allow a longer `timeout`. `timeout.firstByte` bounds the wait alone.",
    whose: "target",
    processed: "maybe",
  },
  UNANSWERED: {
    summary:
      "No answer had begun when the scenario's graceful stop, or a graceful ramp-down, ran out by itself.",
    cause:
      "A target that hangs: it accepted the request, or the connection, or the look-up of its name, and then said nothing. The request had waited longer than the graceful stop, longer than 1 s, and longer than any answered request of its name.",
    remedy:
      "Find out what the target waits for. Its age is in `http_req_duration` as a lower bound, if it was sent. Where answers may take that long, allow a longer `gracefulStop`.",
    whose: "target",
    processed: "maybe",
  },
  RESPONSE_TRUNCATED: {
    summary: "The peer closed the connection before the response was complete.",
    cause:
      "A server that crashed in mid-response, a wrong `content-length`, or a proxy that gave up on its upstream.",
    remedy:
      "Look into the logs of the server and of what stands before it. The message says how many bytes came.",
    whose: "target",
    processed: "maybe",
  },
  MALFORMED_RESPONSE: {
    summary: "What came is not HTTP to the letter; the message has the reason and the first bytes.",
    cause:
      "A port that speaks another protocol, a faulty server or proxy, or two lengths that contradict each other. What can be read in two ways is not guessed at.",
    remedy:
      'Mend the server. Where the first bytes are of TLS, use `https`; where they are of HTTP/2, `protocol: "h2c"`.',
    whose: "target",
    processed: "maybe",
  },
  HEADERS_TOO_LARGE: {
    summary: "The head of the response is larger than 64 KiB, or has more than 1,000 headers.",
    cause: "Cookies or debugging headers that pile up, or a header that is written in a loop.",
    remedy: "Have the target send less: browsers and proxies refuse such heads too.",
    whose: "target",
    processed: "maybe",
  },
  BODY_TOO_LARGE: {
    summary: "The body is longer than `maxBodySize` allows.",
    cause: "The bound that the test sets.",
    remedy: "Raise `maxBodySize`, or leave it out: without it bodies of any length are received and counted.",
    whose: "test",
    processed: "yes",
  },
  TOO_MANY_INTERIM_RESPONSES: {
    summary: "More than 20 interim responses (1xx) came, and not yet an answer.",
    cause: "A server that sends `100 Continue` or `103 Early Hints` in a loop.",
    remedy: "Mend the server, or what stands before it.",
    whose: "target",
    processed: "maybe",
  },
  UPGRADE_REFUSED: {
    summary: "The target changed the protocol (status 101); bearhug speaks HTTP alone.",
    cause: "A WebSocket address, or `upgrade` among the headers of the request.",
    remedy:
      "Leave WebSocket addresses out of the test, and `upgrade` and `connection: upgrade` out of its headers.",
    whose: "test",
    processed: "maybe",
  },
  SURPLUS_BYTES: {
    summary:
      "More bytes came than the response had; the connection was closed, and they were credited to nothing.",
    cause:
      "A body after HEAD, 204 or 304, a `content-length` that is too small, or a response that nobody asked for. The response itself is good, and counted as what it is. Where the bytes came later, on an idle connection, earlier responses on it may have been those of other requests.",
    remedy: "Mend the server: with other clients such bytes become the answer to the next request.",
    whose: "target",
    processed: "yes",
  },
} as const;
