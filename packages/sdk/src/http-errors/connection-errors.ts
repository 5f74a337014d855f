/** Failures to open a connection, or to keep it open. */
export const connectionErrors = {
  CONNECTION_REFUSED: {
    summary: "The host refused the connection, usually because nothing listens on this port.",
    cause:
      "The server is down, has crashed or is restarting; `baseUrl` has the wrong port; a firewall rejects the connection; the server of a Unix socket is gone.",
    remedy:
      "Check on the target that the server listens on this address and port (`ss -ltn`). A short burst of these errors on the timeline usually means a restart.",
    whose: "target",
    processed: "no",
    hint: "is the server up?",
    losesTime: true,
  },
  CONNECTION_RESET: {
    summary: "The target, or a device in between, reset the connection (TCP RST).",
    cause:
      "The server crashed, or closed the connection with unread data; a load balancer or firewall reached its limits; the listen backlog overflowed.",
    remedy:
      "Check the logs of the server and of any proxy or load balancer at that time. The phase shows whether a response had started.",
    whose: "target",
    processed: "maybe",
    hint: "the server resets connections: check its log",
    losesTime: true,
  },
  CONNECTION_CLOSED: {
    summary: "The target closed a new connection without sending a response.",
    cause:
      "The server or load balancer reached its connection limit; the server process exited; the port speaks another protocol, such as TLS.",
    remedy:
      'Check the connection limits of the target. If the port speaks TLS, use `https` in `baseUrl`; if it speaks only HTTP/2, set `protocol: "h2c"`.',
    whose: "target",
    processed: "maybe",
    hint: "the server closes connections without a response: is it overloaded, or does the port speak TLS?",
    losesTime: true,
  },
  CONNECT_TIMEOUT: {
    summary: "The target did not accept the connection within the timeout.",
    cause:
      "The listen backlog is full; a firewall drops packets; the address is wrong; the target is too busy to accept connections.",
    remedy:
      'Raise the backlog of the target (`net.core.somaxconn` and the server\'s own setting), or raise `timeout.connect`. Opening fewer connections helps too: use keep-alive instead of `connections: "perRequest"`.',
    whose: "target",
    processed: "no",
    hint: "is the address right, or does a firewall block it?",
    losesTime: true,
  },
  HOST_UNREACHABLE: {
    summary: "The network reported that the host is unreachable.",
    cause: "The host is off, or no host in its network has this address.",
    remedy: "Check the address in `baseUrl` or `hosts`, and the route to it (`ip route get ADDRESS`).",
    whose: "network",
    processed: "no",
    hint: "is the address right, and is the host up?",
    losesTime: true,
  },
  NETWORK_UNREACHABLE: {
    summary: "This machine has no route to the target's network.",
    cause: "There is no default route; a VPN is down; the address is IPv6, but this machine has only IPv4.",
    remedy:
      'Check the routes (`ip route`). If the name also has IPv6 addresses, set `dns.policy: "onlyIPv4"`.',
    whose: "network",
    processed: "no",
    hint: "is this machine online?",
    losesTime: true,
  },
  PORTS_EXHAUSTED: {
    summary: "The load generator ran out of local ports for this address.",
    cause:
      "Each connection takes a local port, and keeps it for about a minute after it closes (TIME_WAIT). By default there are about 28,000 ports for each target address.",
    remedy:
      'Reuse connections (`connections: "perVu"` or `"shared"`, no `maxRequestsPerConnection`), use several `localAddresses`, or widen `net.ipv4.ip_local_port_range`. Do not judge the target by such a run.',
    whose: "generator",
    processed: "no",
    saturates:
      "ran out of local ports: widen the range, keep connections alive (a closed one holds its port for a minute), or use fewer virtual users",
  },
  ADDRESS_UNAVAILABLE: {
    summary: "The connection could not use the local address or the address family.",
    cause:
      "`localAddresses` lists an address that this machine does not have, or one of a different family than the target's; the target's address is IPv6, but this machine has no IPv6.",
    remedy:
      "Remove addresses from `localAddresses` that `ip address` does not list. Choose the address family with `dns.policy`.",
    whose: "generator",
    processed: "no",
  },
  TOO_MANY_OPEN_FILES: {
    summary: "The load generator, or its whole machine, ran out of file descriptors.",
    cause:
      "Each connection takes a file descriptor, and the limit of the process (`ulimit -n`) is too low for this test.",
    remedy:
      'Raise the limit (`ulimit -n 65536`, `LimitNOFILE` for a service, `fs.file-max` for the machine), or open fewer connections: `maxConnections`, `connections: "shared"`, fewer VUs.',
    whose: "generator",
    processed: "no",
    saturates: "ran out of file descriptors: raise the limit (ulimit -n 65535), or use fewer virtual users",
  },
  SOCKET_NOT_FOUND: {
    summary: "There is no Unix socket at this path.",
    cause: "`unixSocket` is misspelt, or the server has not created the socket yet.",
    remedy: "Check `unixSocket`. Relative paths are relative to the working directory.",
    whose: "test",
    processed: "no",
    hint: "is the server up?",
    losesTime: true,
  },
  ACCESS_DENIED: {
    summary: "The load generator's operating system denied the connection.",
    cause:
      "A firewall rule or a container policy on this machine blocks it; this user may not write to the Unix socket.",
    remedy: "Allow the connection on this machine. For a Unix socket, check its owner and mode.",
    whose: "generator",
    processed: "no",
  },
  POOL_TIMEOUT: {
    summary: "No connection became free within the timeout; the request was never sent.",
    cause:
      "The test sends more concurrent requests than its connections can carry, and responses are slow: a large batch over 6 connections, a low `maxConnections`, or a server that allows few HTTP/2 streams.",
    remedy:
      "Raise `maxConnections` or `maxConcurrentStreams`, send fewer requests at once, or raise `timeout`. `http_req_blocked` shows how long requests waited.",
    whose: "test",
    processed: "no",
    losesTime: true,
  },
  STALE_CONNECTION: {
    summary:
      "The target closed an idle keep-alive connection just as the next request used it; no response arrived.",
    cause:
      "The server's keep-alive timeout is shorter than the test's pauses, or the server restarted. This race can hit any HTTP client that reuses connections.",
    remedy:
      "Set `retryOnStaleConnection` to retry safe requests once; retries are counted. Or raise the server's keep-alive timeout above the clients' pauses.",
    whose: "target",
    processed: "maybe",
  },
  PIPELINE_BROKEN: {
    summary:
      "undici closed the connection because of another request on it (`pipelining`); this request was in flight or queued behind it.",
    cause:
      "Responses on a pipelined connection arrive in order. If one is invalid, times out or is given up, the ones behind it cannot be read.",
    remedy: "Look at the other failures of that moment. Lower `pipelining` to lose fewer requests with each.",
    whose: "test",
    processed: "maybe",
  },
} as const;

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
    hint: "is the host name right?",
    losesTime: true,
  },
  DNS_FAILED: {
    summary: "The name server failed, refused the query or did not answer; the host may still exist.",
    cause: "The name server is down, overloaded or unreachable, or it limits the rate of queries.",
    remedy:
      "Raise `dns.ttl` to reuse answers for longer, query other name servers with `dns.servers`, or set the address in `hosts` to skip DNS.",
    whose: "network",
    processed: "no",
    hint: "do this machine's name servers work?",
    losesTime: true,
  },
  DNS_TIMEOUT: {
    summary: "The host name was not resolved within the timeout.",
    cause:
      "The name server is slow or unreachable, or `dns.ttl` is so short that every connection triggers a lookup.",
    remedy:
      "Raise `dns.ttl` or `timeout.connect`, or set the address in `hosts`. The phase metric `http_req_looking_up` shows how long lookups take.",
    whose: "network",
    processed: "no",
    hint: "do this machine's name servers respond?",
    losesTime: true,
  },
} as const;
