/** Failures to resolve a host name. */
export const dnsErrors = {
  DNS_NOT_FOUND: {
    summary: "The host name has no address.",
    cause:
      "`baseUrl` is misspelt; the name is known only in another network; the name has no address of the family that the test asks for.",
    remedy:
      "Resolve the name by hand (`getent hosts NAME`). Set its address in `hosts`, or query other name servers with `dns.servers`. If `dns.policy` allows only one family, allow both.",
    whose: "test",
    processed: "no",
  },
  DNS_FAILED: {
    summary: "The name server failed, refused the query or did not answer; the host may still exist.",
    cause: "The name server is down, overloaded or unreachable, or it limits the rate of queries.",
    remedy:
      "Raise `dns.ttl` to reuse answers for longer, query other name servers with `dns.servers`, or set the address in `hosts` to skip DNS.",
    whose: "network",
    processed: "no",
  },
  DNS_TIMEOUT: {
    summary: "The host name was not resolved within the timeout.",
    cause:
      "The name server is slow or unreachable, or `dns.ttl` is so short that every connection triggers a lookup.",
    remedy:
      "Raise `dns.ttl` or `timeout.connect`, or set the address in `hosts`. The phase metric `http_req_looking_up` shows how long lookups take.",
    whose: "network",
    processed: "no",
  },
} as const;
