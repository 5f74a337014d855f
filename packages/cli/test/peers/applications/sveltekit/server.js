import { createServer } from "node:http";

import { handler } from "./build/handler.js";

createServer((request, response) => {
  // Without it, the application takes itself to be behind a proxy that ends TLS.
  request.headers["x-forwarded-proto"] = "http";
  handler(request, response, () => response.writeHead(404).end());
}).listen(process.env.PORT, "127.0.0.1");
