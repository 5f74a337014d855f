import { expect, test } from "vitest";

import { readCaddyMetrics, readStubStatus } from "../../compare/server-counts.ts";

test("nginx's status has its requests, and its connections without that of the status request", () => {
  const status = `Active connections: 65 
server accepts handled requests
 130 130 84213 
Reading: 0 Writing: 12 Waiting: 53 
`;
  expect(readStubStatus(status)).toEqual({ requests: 84_213, openConnections: 64 });
});

test("a text that is not nginx's status is rejected", () => {
  expect(() => readStubStatus("<html>404</html>")).toThrow("nginx's status is unreadable: <html>404</html>");
});

test("Caddy's responses are counted by status, over all handlers and methods", () => {
  const metrics = `# TYPE caddy_http_response_size_bytes histogram
caddy_http_response_size_bytes_bucket{code="200",handler="subroute",method="GET",server="srv0",le="256"} 5
caddy_http_response_size_bytes_count{code="200",handler="subroute",method="GET",server="srv0"} 12
caddy_http_response_size_bytes_count{code="200",handler="subroute",method="HEAD",server="srv0"} 1e+06
caddy_http_response_size_bytes_count{code="404",handler="subroute",method="GET",server="srv0"} 2
go_goroutines 12
`;
  expect(readCaddyMetrics(metrics)).toEqual(
    new Map([
      ["200", 1_000_012],
      ["404", 2],
    ]),
  );
});
