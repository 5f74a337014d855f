/** The source of an app to test, which listens at the port in `PORT`. */
export const appSource =
  'require("node:http").createServer((_, response) => response.end("hi")).listen(process.env.PORT, "127.0.0.1")';
