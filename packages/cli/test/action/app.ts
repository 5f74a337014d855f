import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** The source of an app to test, which listens at the port in `PORT`. */
export const appSource =
  'require("node:http").createServer((_, response) => response.end("hi")).listen(process.env.PORT, "127.0.0.1")';

export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, "close");
  return port;
}
