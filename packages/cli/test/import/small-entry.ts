/**
 * Returns one of many small entries, as in a recording of a game or a chat. `item` becomes part of the URL.
 */
export function smallEntry(index: number, item = index): object {
  return {
    pageref: `page_${Math.floor(index / 10)}`,
    startedDateTime: new Date(Date.UTC(2026, 0, 1) + index * 40).toISOString(),
    time: 35,
    request: {
      method: "GET",
      url: `https://shop.example/part/${index % 10}/item-${item}`,
      httpVersion: "h2",
      headers: [{ name: "accept", value: "*/*" }],
      cookies: [],
      queryString: [],
    },
    response: {
      status: 200,
      httpVersion: "h2",
      cookies: [],
      redirectURL: "",
      headers: [{ name: "content-type", value: "text/plain" }],
      content: { size: 12, mimeType: "text/plain", text: "hello, hello" },
    },
    timings: { blocked: 1, dns: -1, connect: -1, ssl: -1, send: 1, wait: 30, receive: 3 },
  };
}
