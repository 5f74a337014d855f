/** Node loads its whole `fetch` when `FormData` is first named: 20 ms, which most tests never need. */
export function isNodeFormData(body: unknown): body is FormData {
  return Object.prototype.toString.call(body) === "[object FormData]" && body instanceof FormData;
}
