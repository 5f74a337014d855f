import type { Transport } from "../transport/transport.ts";
import type { UndiciConnection } from "./undici-client.ts";
import { UndiciHttp1Transport } from "./undici-http1-transport.ts";
import { UndiciHttp2Transport } from "./undici-http2-transport.ts";

/** Creates an undici transport for the protocol that a connection negotiated. */
export function speakUndici(connection: UndiciConnection): Transport {
  return connection.protocol === "HTTP/2"
    ? new UndiciHttp2Transport(connection)
    : new UndiciHttp1Transport(connection);
}
