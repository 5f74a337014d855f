/** Failures to find the address of a host. */
export const dnsErrors = {
  DNS_NOT_FOUND: {
    summary: "The host's name has no address.",
    cause:
      "A misspelt `baseUrl`, a name that only another network knows, or a family of addresses that the name has none of.",
    remedy:
      "Look the name up by hand (`getent hosts NAME`). Give its address in `hosts`, or ask other name servers with `dns.servers`; where `dns.policy` names one family alone, allow both.",
    whose: "test",
    processed: "no",
  },
  DNS_FAILED: {
    summary: "The name server failed, refused, or did not answer; whether the host exists is not known.",
    cause:
      "A name server that is down, overloaded or out of reach, or one that limits how often it is asked.",
    remedy:
      "Raise `dns.ttl`, so that answers are used longer; ask other name servers with `dns.servers`; or give the address in `hosts`, which asks nobody.",
    whose: "network",
    processed: "no",
  },
  DNS_TIMEOUT: {
    summary: "The host's name was not resolved within the time-out.",
    cause: "A slow or unreachable name server, or `dns.ttl` so short that every connection asks again.",
    remedy:
      "Raise `dns.ttl` or `timeout.connect`, or give the address in `hosts`. The phase `http_req_looking_up` shows how long look-ups take.",
    whose: "network",
    processed: "no",
  },
} as const;
