import { documentOf, harOf, pageOf } from "../har-file.ts";
import {
  base64,
  escaped,
  form,
  header,
  json,
  oneEntry,
  origin,
  percent,
  post,
  postJson,
  type Plant,
} from "./plant.ts";

/** Places without a secret's name: a secret there is recognized only by its form, or because it is known from another place. */
export const otherPlaces: readonly Plant[] = [
  { place: "path", plant: (secret) => oneEntry({}, `${origin}/api/${encodeURIComponent(secret)}/items`) },
  { place: "query", plant: (secret) => oneEntry({}, `${origin}/api/items?q=${encodeURIComponent(secret)}`) },
  {
    place: "query without a name",
    plant: (secret) => oneEntry({}, `${origin}/api/items?${percent(secret)}`),
  },
  {
    place: "name of a parameter",
    plant: (secret) => oneEntry({}, `${origin}/api/items?${encodeURIComponent(secret)}=1`),
  },
  header("X-Custom"),
  { place: "JSON", plant: (secret) => postJson({ note: { text: secret } }) },
  { place: "JSON, escaped", plant: (secret) => post(json, { text: `{"note":"${escaped(secret)}"}` }) },
  { place: "JSON key", plant: (secret) => postJson({ [secret]: 1 }) },
  { place: "base64 of JSON", plant: (secret) => postJson({ note: base64(JSON.stringify({ a: secret })) }) },
  { place: "text in a sentence", plant: (secret) => postJson({ note: `it is ${secret} , so` }) },
  { place: "form", plant: (secret) => post(form, { text: `note=${encodeURIComponent(secret)}` }) },
  {
    place: "name of a file",
    plant: (secret) =>
      post("multipart/form-data; boundary=x", {
        text: "",
        params: [{ name: "file", value: "text", fileName: `${secret}.txt`, contentType: "text/plain" }],
      }),
  },
  {
    place: "title of a page",
    plant: (secret) =>
      harOf([documentOf(`${origin}/`, { pageref: "p" })], [pageOf("p", { title: `Of ${secret} !` })]),
  },
  {
    place: "id of a page",
    plant: (secret) =>
      harOf([documentOf(`${origin}/`, { pageref: secret })], [pageOf(secret, { title: "Shop" })]),
  },
  { place: "a page's id that is nowhere", plant: (secret) => oneEntry({ pageref: secret }) },
  {
    place: "response body",
    plant: (secret) =>
      oneEntry({ response: { content: { mimeType: json, text: JSON.stringify({ a: secret }) } } }),
  },
  {
    place: "HTML",
    plant: (secret) =>
      oneEntry({ response: { content: { mimeType: "text/html", text: `<p title="${percent(secret)}">` } } }),
  },
  {
    place: "response body in base64",
    plant: (secret) =>
      oneEntry({
        response: { content: { mimeType: "text/plain", text: base64(`x ${secret} y`), encoding: "base64" } },
      }),
  },
  {
    place: "response header",
    plant: (secret) => oneEntry({ response: { headers: [{ name: "X-Request-Id", value: secret }] } }),
  },
  {
    place: "redirect",
    plant: (secret) =>
      oneEntry({ response: { status: 302, redirectURL: `/welcome?a=${encodeURIComponent(secret)}` } }),
  },
  {
    place: "WebSocket message",
    plant: (secret) =>
      oneEntry({
        _resourceType: "websocket",
        _webSocketMessages: [{ type: "send", time: 1, opcode: 1, data: secret }],
      }),
  },
  {
    place: "stack of an initiator",
    plant: (secret) =>
      oneEntry({
        _initiator: {
          type: "script",
          stack: {
            callFrames: [{ functionName: secret, url: `${origin}/app?v=${encodeURIComponent(secret)}` }],
          },
        },
      }),
  },
  ...["comment", "serverIPAddress", "connection", "_priority", "_resourceType", "_id", "time"].map(
    (field): Plant => ({ place: `entry's ${field}`, plant: (secret) => oneEntry({ [field]: secret }) }),
  ),
  ...["statusText", "httpVersion", "comment", "_error"].map((field): Plant => ({
    place: `response's ${field}`,
    plant: (secret) => oneEntry({ response: { [field]: secret } }),
  })),
  { place: "method", plant: (secret) => oneEntry({ request: { method: secret } }) },
  { place: "a date", plant: (secret) => oneEntry({ startedDateTime: secret }) },
  { place: "an address that is none", plant: (secret) => oneEntry({}, `//${secret} ${secret}`) },
  { place: "data: address", plant: (secret) => oneEntry({}, `data:text/plain,${secret}`) },
];
