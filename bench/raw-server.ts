// A minimal HTTP/1.1 server, used if nginx is not installed: responds to each head that ends with an empty
// line, and reads no bodies.
import { createServer, type AddressInfo } from "node:net";

const responseText = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 6\r\n\r\nhello\n";
const headEnd = "\r\n\r\n";

const server = createServer({ noDelay: true }, (socket) => {
  let rest = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    const heads = (rest + text).split(headEnd);
    rest = heads.pop() ?? "";
    if (heads.length > 0) socket.write(responseText.repeat(heads.length));
  });
  socket.on("error", () => socket.destroy());
});
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
