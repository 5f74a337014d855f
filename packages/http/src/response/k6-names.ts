/** k6's names on `http`, and their replacements. */
export const k6NamesOfHttp: Readonly<Record<string, string>> = {
  del: "http.delete(url)",
  asyncRequest: "http.request(method, url)",
  cookieJar: "http.cookies",
  CookieJar: "http.newJar()",
  file: "multipart: { name: { content, filename, type } }",
  url: 'the option name: "…"',
  expectedStatuses: "the option expect: [200, 404]",
  setResponseCallback: "http: { expect: [200, 404] } of the test",
};

/** k6's names on a response, and their replacements. */
export const k6NamesOfResponse: Readonly<Record<string, string>> = {
  body: "response.text(), or response.bytes()",
  html: 'extract(response, { field: "…" })',
  proto: "response.protocol",
  error_code: "response.error?.code",
  remote_ip: "response.connection?.remoteAddress",
  remote_port: "response.connection?.remotePort",
  tls_version: "response.connection?.tls?.version",
  submitForm: 'http.post(url, { form }), with extract(response, { field: "…" })',
  clickLink: "http.get(url)",
};

/**
 * Makes k6's names throw an error that names the replacement: with `undefined`, a check would just never
 * pass. They are defined on the prototype, so they cost nothing per object and do not show up among its
 * properties.
 */
export function explainNames(
  prototype: object,
  owner: string,
  names: Readonly<Record<string, string>>,
): void {
  for (const [name, ours] of Object.entries(names)) {
    Object.defineProperty(prototype, name, {
      enumerable: false,
      configurable: true,
      get() {
        throw new TypeError(`${owner}.${name} is k6's: write ${ours}.`);
      },
    });
  }
}
