// Responds to every request, and counts requests by method and path. GET /counts on the unix socket of the
// first argument returns the counts, also to a process in another network namespace.
import { createServer } from "node:http";

const counts = new Map<string, number>();
let lastAtMs = 0;

createServer((request, response) => {
  const line = `${request.method ?? ""} ${request.url ?? ""}`;
  counts.set(line, (counts.get(line) ?? 0) + 1);
  lastAtMs = Date.now();
  response.end("hello\n");
}).listen(8080, "0.0.0.0", () => {
  createServer((_request, response) => {
    response.end(JSON.stringify({ lastAtMs, counts: Object.fromEntries(counts) }));
  }).listen(process.argv[2], () => {
    console.log("listening");
  });
});
