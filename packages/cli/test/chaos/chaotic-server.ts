import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from "node:http2";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { TLSSocket } from "node:tls";

import { randomSource } from "@bearhug/plan/pacing/random-source";

import type { Certificate } from "../../../http/test/make-certificate.ts";
import type { ChaosPlan, Treatment } from "./chaos-plan.ts";

type Response = ServerResponse | Http2ServerResponse;

const body = "x".repeat(2000);

/** A server on loopback that treats requests as its plan says, and counts them and its complete responses. */
export class ChaoticServer {
  /** Requests whose head arrived. */
  received = 0;
  /** Requests that were given a complete response, whatever its status. */
  answered = 0;
  isHanging = false;
  readonly #plan: ChaosPlan;
  readonly #server: Server | Http2SecureServer;
  readonly #sockets = new Set<Socket>();
  readonly #random: () => number;

  constructor(plan: ChaosPlan, certificate: Certificate) {
    this.#plan = plan;
    this.#random = randomSource(plan.seed, 78);
    const treat = (_request: IncomingMessage | Http2ServerRequest, response: Response): void => {
      this.received++;
      response.on("error", () => {});
      void this.#treat(this.#draw(), response);
    };
    this.#server =
      plan.protocol === "h2"
        ? createSecureServer(certificate, treat).on("sessionError", () => {})
        : plan.protocol === "https"
          ? createTlsServer(certificate, treat)
          : createServer(treat);
    this.#server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {}).once("close", () => this.#sockets.delete(socket));
    });
  }

  async listen(port: number): Promise<number> {
    this.#server.listen(port, "127.0.0.1");
    await once(this.#server, "listening");
    return (this.#server.address() as AddressInfo).port;
  }

  /** Resets every connection and stops listening. */
  async down(): Promise<void> {
    if (!this.#server.listening) return;
    const isClosed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await isClosed;
  }

  #draw(): Treatment {
    if (this.isHanging) return "never";
    const { treatments } = this.#plan;
    let left = this.#random() * treatments.reduce((sum, { share }) => sum + share, 0);
    return treatments.find(({ share }) => (left -= share) < 0)?.treatment ?? "answer";
  }

  async #treat(treatment: Treatment, response: Response): Promise<void> {
    switch (treatment) {
      case "answer":
        this.#end(response, 200);
        return;
      case "slow":
        await sleep(20 + this.#random() * 130);
        if (!this.isHanging) this.#end(response, 200);
        return;
      case "error":
        this.#end(response, 500);
        return;
      case "resetBefore":
        cutOff(response);
        return;
      case "resetWithin":
        writeHalf(response);
        await sleep(5);
        cutOff(response);
        return;
      case "endEarly":
        writeHalf(response);
        response.socket?.end();
        return;
      case "drip":
        begin(response, 200);
        for (let sent = 0; sent < 100 && !response.destroyed; sent++) {
          write(response, "x");
          await sleep(100);
        }
        return;
      case "never":
        return;
    }
  }

  #end(response: Response, status: number): void {
    if (response.destroyed || response.socket?.destroyed !== false) return;
    this.answered++;
    begin(response, status);
    write(response, body);
    response.end();
  }
}

function begin(response: Response, status: number): void {
  response.statusCode = status;
  response.setHeader("content-length", body.length);
}

function write(response: Writable, text: string): void {
  response.write(text);
}

function writeHalf(response: Response): void {
  begin(response, 200);
  write(response, body.slice(0, body.length / 2));
}

/** Resets the connection, or only the stream of HTTP/2. Closes a TLS connection, which Node cannot reset. */
function cutOff(response: Response): void {
  if ("stream" in response) response.stream.close(2);
  else if (response.socket instanceof TLSSocket) response.socket.destroy();
  else response.socket?.resetAndDestroy();
}
