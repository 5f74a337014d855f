/** Failures to open a connection, or to keep it. */
export const connectionErrors = {
  CONNECTION_REFUSED: {
    summary: "Nothing listens at the address, and the machine there said so.",
    cause:
      "The server is not running, has crashed or restarts; a wrong port in `baseUrl`; a firewall that rejects; a unix socket whose server has gone.",
    remedy:
      "Check that the server listens on this address and port (`ss -ltn` there). An error burst on the timeline with an end is a restart.",
    whose: "target",
    processed: "no",
  },
  CONNECTION_RESET: {
    summary: "The peer, or something on the way, cut the connection off (TCP RST).",
    cause:
      "A server that crashed, or closes with data unread; a load balancer or firewall at its limits; a backlog that overflows with resets on.",
    remedy:
      "Look into the logs of the server and of what stands before it at the time given. The phase says whether an answer had begun.",
    whose: "target",
    processed: "maybe",
  },
  CONNECTION_CLOSED: {
    summary: "The peer closed a fresh connection in order, without a byte of an answer.",
    cause:
      "A server or load balancer at its connection limit, a process that ends, a port that speaks another protocol (TLS, for one).",
    remedy:
      'Check the limits of connections of the target, and that `baseUrl` says `https` where the port speaks TLS; try `protocol: "h2c"` where it speaks HTTP/2 only.',
    whose: "target",
    processed: "maybe",
  },
  CONNECT_TIMEOUT: {
    summary: "The connection was not accepted within the time-out.",
    cause:
      "A full listen backlog, a firewall that drops packets, a wrong address, or a target too busy to accept.",
    remedy:
      'Raise the backlog of the target (`net.core.somaxconn` and the server\'s own), or `timeout.connect`. Fewer new connections help too: keep-alive instead of `connections: "perRequest"`.',
    whose: "target",
    processed: "no",
  },
  HOST_UNREACHABLE: {
    summary: "There is no way to the host: the network answered that it cannot be reached.",
    cause: "The machine is off, or its network has no such address.",
    remedy: "Check the address in `baseUrl` or `hosts`, and the way there (`ip route get ADDRESS`).",
    whose: "network",
    processed: "no",
  },
  NETWORK_UNREACHABLE: {
    summary: "This machine has no route to the network of the address.",
    cause: "No default route, a VPN that is down, or an IPv6 address on a machine that has IPv4 alone.",
    remedy: 'Check the routes (`ip route`). For a name with IPv6 addresses: `dns.policy: "onlyIPv4"`.',
    whose: "network",
    processed: "no",
  },
  PORTS_EXHAUSTED: {
    summary: "The load generator ran out of local ports for this address.",
    cause:
      "Each connection takes a port of the generator, for a minute after its end too (TIME_WAIT): by default some 28,000 for one target address.",
    remedy:
      'Keep connections (`connections: "perVu"` or `"shared"`, no `maxRequestsPerConnection`), spread them with `localAddresses`, or widen `net.ipv4.ip_local_port_range`. Results of such a run say little of the target.',
    whose: "generator",
    processed: "no",
  },
  ADDRESS_UNAVAILABLE: {
    summary: "A connection cannot come from the local address, or not to an address of that family.",
    cause:
      "An address in `localAddresses` that this machine does not have, or of another family than the target's; IPv6 on a machine without.",
    remedy:
      "Take from `localAddresses` what `ip address` does not list, and choose the family with `dns.policy`.",
    whose: "generator",
    processed: "no",
  },
  TOO_MANY_OPEN_FILES: {
    summary: "The load generator, or its whole machine, ran out of file descriptors.",
    cause:
      "Every connection takes one, and the limit of the process (`ulimit -n`) is lower than what the test needs.",
    remedy:
      'Raise the limit (`ulimit -n 65536`, or `LimitNOFILE` of a service; the machine\'s is `fs.file-max`), or have fewer connections: `maxConnections`, `connections: "shared"`, fewer VUs.',
    whose: "generator",
    processed: "no",
  },
  SOCKET_NOT_FOUND: {
    summary: "There is no unix socket at the path.",
    cause: "A misspelt `unixSocket`, or a server that has not made it yet.",
    remedy: "Check `unixSocket`; relative paths start at the folder in which `bearhug` was started.",
    whose: "test",
    processed: "no",
  },
  ACCESS_DENIED: {
    summary: "The system of the load generator did not allow the connection.",
    cause:
      "A firewall rule or a container's policy on this machine, or a unix socket that this user may not write.",
    remedy: "Allow it there; for a unix socket, check its owner and mode.",
    whose: "generator",
    processed: "no",
  },
  POOL_TIMEOUT: {
    summary: "No connection came free within the time-out; the request never left.",
    cause:
      "More requests at a time than connections are allowed, each slow: a batch over 6 connections, a small `maxConnections`, or a server that allows few HTTP/2 streams.",
    remedy:
      "Raise `maxConnections` (or `maxConcurrentStreams`), send less at a time, or allow a longer `timeout`. `http_req_blocked` shows the wait.",
    whose: "test",
    processed: "no",
  },
  STALE_CONNECTION: {
    summary:
      "A kept-alive connection was closed by the peer as it was used again, before any byte of an answer.",
    cause:
      "The server's keep-alive time-out is shorter than the think time, or a restart. Every client meets this race.",
    remedy:
      "`retryOnStaleConnection` repeats requests that may be repeated once, and counts the repeat. Or have the server keep connections longer than the clients' pauses.",
    whose: "target",
    processed: "maybe",
  },
} as const;
