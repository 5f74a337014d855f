/** Failures after the request was sent: no response, or an unusable one. */
export const responseErrors = {
  RESPONSE_TIMEOUT: {
    summary: "The response did not arrive completely within the timeout.",
    cause:
      "The target is overloaded or stuck; the network loses packets; the response never ends, such as an event stream or a long poll. The phase shows whether any of it arrived.",
    remedy:
      "In phase waiting, find out what the target waits for. In phase receiving, raise `timeout`, or leave endless streams out of the test. `timeout.firstByte` limits only the wait for the first byte.",
    whose: "target",
    processed: "maybe",
    hint: "the server is slower than the test's timeout",
    losesTime: true,
  },
  UNANSWERED: {
    summary:
      "The request still had no response, or only a part of one that stalled, when the scenario's graceful stop, or a graceful ramp-down, ran out.",
    cause:
      "The target hangs: it accepted the request or connection, and then sent nothing. Or the DNS lookup hangs. A request counts as unanswered only if it waited longer than the graceful stop, longer than 1 s, and longer than any answered request of the same name. A body has stalled if nothing came for 1 s, or less than 1 kB a second in all; event streams never do.",
    remedy:
      "Find out what the target waits for. If the request was sent, the time it waited counts in `http_req_duration` as a lower bound. If responses may take that long, raise `gracefulStop`.",
    whose: "target",
    processed: "maybe",
    hint: "the server accepts requests but never responds",
    losesTime: true,
  },
  RESPONSE_TRUNCATED: {
    summary: "The target closed the connection before the response was complete.",
    cause:
      "The server crashed while responding, `content-length` is wrong, or a proxy gave up on its upstream.",
    remedy:
      "Check the logs of the server and of any proxy in front of it. The message says how many bytes arrived.",
    whose: "target",
    processed: "maybe",
    hint: "the server cuts its responses short: check its log",
  },
  MALFORMED_RESPONSE: {
    summary: "The response is not valid HTTP; the message has the reason and the first bytes.",
    cause:
      "The port speaks another protocol, the server or a proxy is faulty, or the response gives contradictory lengths. bearhug never guesses at an ambiguous response.",
    remedy:
      'Fix the server. If the first bytes are TLS, use `https`; if they are HTTP/2, use `protocol: "h2c"`.',
    whose: "target",
    processed: "maybe",
    hint: "does this port really speak HTTP?",
  },
  HEADERS_TOO_LARGE: {
    summary: "The response headers exceed 64 KiB or 1,000 lines.",
    cause: "Cookies or debug headers pile up, or the server writes a header in a loop.",
    remedy: "Make the target send less: browsers and proxies reject such headers too.",
    whose: "target",
    processed: "maybe",
  },
  BODY_TOO_LARGE: {
    summary: "The response body is larger than `maxBodySize` allows.",
    cause: "The test limits bodies to fewer bytes than the target sends.",
    remedy: "Raise `maxBodySize`, or remove it: without it, bodies of any size are read and counted.",
    whose: "test",
    processed: "yes",
  },
  TOO_MANY_INTERIM_RESPONSES: {
    summary: "The target sent more than 20 interim responses (1xx) and no final response.",
    cause: "The server sends `100 Continue` or `103 Early Hints` in a loop.",
    remedy: "Fix the server, or the proxy in front of it.",
    whose: "target",
    processed: "maybe",
  },
  UPGRADE_REFUSED: {
    summary: "The target switched protocols (status 101), but bearhug speaks only HTTP.",
    cause: "The request goes to a WebSocket address, or it has an `upgrade` header.",
    remedy:
      "Remove WebSocket addresses from the test, and `upgrade` and `connection: upgrade` from its headers.",
    whose: "test",
    processed: "maybe",
  },
  BOT_CHALLENGE: {
    summary:
      "A bot filter responded in place of the application, and asked for a browser that runs its script.",
    cause:
      "AWS WAF (`x-amzn-waf-action`), Cloudflare (`cf-mitigated`) or Vercel (`x-vercel-mitigated`) takes the load for bots. The request counts as failed, even with status 202 or a status in `expect`.",
    remedy:
      "Let the load pass: exempt this machine's address, or a header that the test sends, in the filter's rules. Or test the application behind the filter.",
    whose: "target",
    processed: "no",
    hint: "a bot filter responds in place of the application: exempt this machine in its rules",
  },
  UPLOAD_ABORTED: {
    summary:
      "The target responded with a status of 2xx before it had received the request's body. The rest of the body was not sent.",
    cause:
      "A server, or a proxy in front of it, that responds without reading the body: a wrong path, a static page, a mock. The response itself is valid and counts normally, but the load is smaller than the test says.",
    remedy: "Check the address, and that the server stores what the test sends.",
    whose: "target",
    processed: "maybe",
  },
  BODY_SHRUNK: {
    summary:
      "A response of 200 to `bearhug <url>` had at most a tenth of the largest body that the same address had sent before.",
    cause:
      "The target sheds load, limits the request rate or is in maintenance, and says so in a page with status 200. The response counts as a success, so the target looks fast. Bodies are compared only if the largest has at least 4 KiB and the smaller is not compressed.",
    remedy:
      "Look at the target's log. To fail such responses, write a test (`bearhug init`) that checks their content.",
    whose: "target",
    processed: "maybe",
  },
  ERROR_PAGE: {
    summary:
      "A request was redirected to a page that looks like an error page by its path, such as `/error.aspx`, and this page responded with status 200.",
    cause:
      "The application reports its failures in this way: ASP.NET does so with `customErrors`. The request counts as a success.",
    remedy:
      'Look at the target\'s log. To fail such responses, check where requests end: `check(response, endsAt("/…"))`.',
    whose: "target",
    processed: "maybe",
  },
  FORM_SHOWN_AGAIN: {
    summary:
      "A form with a password was sent, and the response of status 2xx shows the field of that password again.",
    cause:
      "The target refused the login or registration, and asks for it again: Django, WordPress and others respond with status 200 then. The request counts as a success, and what follows may measure only the pages of visitors who are not logged in.",
    remedy:
      'Look at the response with `bearhug try`. To fail such responses, check them: `check(response, hasNoField("password"))`. If the test is about such refusals, give the request an `expect`.',
    whose: "test",
    processed: "yes",
  },
  JSON_ERRORS: {
    summary:
      "A request with a body got a response of status 2xx, and the JSON in it reports errors, as `noJsonErrors` finds them.",
    cause:
      "The target refused the request: GraphQL servers and many others report errors with status 200. The request counts as a success. Responses to GET, compressed ones and those above 64 KiB are not read, and of a list only what looks like answers of GraphQL or JSON-RPC. Not counted is what the test may have asked for: errors that it sent itself, numbers of errors, and the verdict of a validator.",
    remedy:
      "Look at the response with `bearhug try`. To fail such responses, check them: `check(response, noJsonErrors())`. If the test is about such refusals, give the request an `expect`.",
    whose: "target",
    processed: "maybe",
  },
  ERROR_HEADER: {
    summary:
      "A response of status 200 reported a failure in a header: `grpc-status`, `x-amzn-errortype` or `x-amz-function-error`.",
    cause:
      "gRPC-Web, gRPC without a message, and AWS Lambda report in this way that they failed, or refused the call. The response counts as a success. For gRPC, the cause is the name of the status. Statuses that may be the answer, such as `NOT_FOUND`, are not counted.",
    remedy:
      'Look at the target\'s log. To fail such responses, check the header: `response.headers.get("grpc-status") === "0"`. If they are meant, set `expect: 200`.',
    whose: "target",
    processed: "maybe",
  },
  LOCATION_MISSING: {
    summary: "A redirect (status 301, 302, 303, 307 or 308) had no `location`, so that it leads nowhere.",
    cause:
      "An application that does not know its own address, or S3 if it is asked in another region. The response counts as a success, and its visitor sees no page.",
    remedy:
      "Look at the target's log. To fail such responses, set `expect: 200`; if they are meant, `expect: 302`.",
    whose: "target",
    processed: "maybe",
  },
  BODY_DROPPED: {
    summary:
      "A POST was redirected to another spelling of its address, and so became a GET without a body, as in browsers.",
    cause:
      "With status 301 or 302, the server adds or removes a last slash or `www.`, or asks for TLS. The GET counts normally, so a test that creates nothing looks successful.",
    remedy: "Use the address that the request was redirected to.",
    whose: "test",
    processed: "no",
  },
  COOKIE_REJECTED: {
    summary:
      "A request lacked a cookie that an earlier response had set, because no browser would keep that cookie. Further requests without it are not counted.",
    cause:
      "The cookie is `Secure` and the address has no TLS, its domain is another one, or its name has a prefix such as `__Host-` whose rules it breaks. Applications that run behind a proxy with TLS set such cookies. Without its session, a visitor often sees only the login page, with status 200.",
    remedy:
      "Test the address with TLS, under its own domain; or change the application's setting for cookies.",
    whose: "test",
    processed: "yes",
  },
  SURPLUS_BYTES: {
    summary:
      "The target sent more bytes than belong to its response. The connection was closed, and the bytes were discarded.",
    cause:
      "A body after HEAD, 204 or 304, a `content-length` that is too small, or a response without a request. The response itself is valid and counts normally. If the bytes arrived later, on an idle connection, earlier responses on it may have belonged to other requests.",
    remedy: "Fix the server: other clients would read these bytes as the response to their next request.",
    whose: "target",
    processed: "yes",
  },
} as const;
