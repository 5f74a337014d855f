import { createServer, type Socket } from "node:net";
import { once } from "node:events";

import { onTestFinished } from "vitest";

import { planted } from "./planted-secrets.ts";

/** Starts a server that echoes a value of the request; the path chooses the place in the response. */
export async function startEchoServer(): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = "";
    socket.on("error", () => undefined);
    socket.setEncoding("latin1").on("data", (text: string) => {
      received += text;
      const end = received.indexOf("\r\n\r\n");
      if (end < 0) return;
      const length = Number(/^content-length: *(\d+)/im.exec(received)?.[1] ?? 0);
      if (received.length < end + 4 + length) return;
      socket.end(answer(received.slice(0, end), received.slice(end + 4)), "latin1");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return `http://127.0.0.1:${address.port}`;
}

function answer(head: string, body: string): string {
  const [line = "", ...headers] = head.split("\r\n");
  const [, target = "/"] = line.split(" ");
  const echoed = /^x-echo: (.*)$/im.exec(head)?.[1] ?? "";
  const value =
    headers.find((one) => one.toLowerCase().startsWith(`${echoed}:`))?.slice(echoed.length + 2) ?? body;
  const path = /^[^?]*/.exec(target)?.[0] ?? "";
  const query = target.slice(path.length);
  switch (path) {
    case "/status-text":
      return `HTTP/1.1 500 ${value.replaceAll(/[\r\n]/g, " ")}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
    case "/garbage":
      return `${value}\r\n\r\n`;
    case "/header":
      return `HTTP/1.1 200 OK\r\n${value.replaceAll(/[\r\n]/g, " ")}\r\n\r\n`;
    case "/chunk":
      return `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${value}\r\n`;
    case "/loop":
      return `HTTP/1.1 302 F\r\nlocation: /loop${query}&state=${planted.queryCode}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
    case "/ambiguous":
      return `HTTP/1.1 302 F\r\nlocation: http://ann:${planted.userInfo}@a.example/${query}\r\nlocation: http://b.example/${"x".repeat(110)}?token=${planted.queryToken}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
    case "/elsewhere":
      return `HTTP/1.1 302 F\r\nlocation: http://${planted.userInfo}@c.example/${query}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
    case "/cookie":
      return `HTTP/1.1 200 OK\r\nset-cookie: sid=${planted.setCookie}; Path=/; HttpOnly\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
    default:
      return `HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: ${value.length + body.length}\r\n\r\n${value}${body}`;
  }
}
