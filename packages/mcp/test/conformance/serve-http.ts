import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";

import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";

/** Serves over HTTP, as the suite requires; agents use stdin and stdout instead. Returns the URL. */
export async function serveHttp(create: () => McpServer): Promise<string> {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const open = async (): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
      },
    });
    await create().connect(transport);
    return transport;
  };
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = await readRequest(incoming);
    const session = sessions.get(request.headers.get("mcp-session-id") ?? "");
    const response =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      (await (session ?? (await open())).handleRequest(request));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body !== null) for await (const chunk of response.body) outgoing.write(chunk);
    outgoing.end();
  };
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function readRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = "GET", url = "/", headers } = incoming;
  const body = Buffer.concat(await Readable.from(incoming).toArray());
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return new Request(`http://${headers.host ?? "localhost"}${url}`, {
    method,
    headers: given,
    ...(body.length > 0 ? { body } : {}),
  });
}
