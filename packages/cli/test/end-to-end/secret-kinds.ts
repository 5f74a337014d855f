/** Tokens are assembled from pieces, so that no scanner takes them for real keys. */
const mixed = "Ab3Cd5Ef7Gh9Jk2Mn4".repeat(4);

/** Tokens that can be recognized only by their shape. */
export const tokens: Readonly<Record<string, string>> = {
  "JSON Web Token": `eyJ${mixed.slice(0, 30)}.eyJ${mixed.slice(3, 40)}.${mixed.slice(5, 48)}`,
  OpenAI: `sk-proj-${mixed.slice(0, 40)}`,
  GitHub: `ghp_${mixed.slice(1, 37)}`,
  "GitHub, fine-grained": `github_pat_${mixed.slice(2, 62)}`,
  AWS: `AKIA${"B3D5F7H9".repeat(2)}`,
  Slack: `xoxb-1234567890-${mixed.slice(3, 27)}`,
  GitLab: `glpat-${mixed.slice(4, 24)}`,
  Stripe: `sk_live_${mixed.slice(5, 29)}`,
  Google: `AIza${mixed.slice(6, 41)}`,
  npm: `npm_${mixed.slice(7, 43)}`,
  "private key": ["-----BEGIN", `PRIVATE KEY----- ${mixed.slice(8, 48)} -----END`, "PRIVATE KEY-----"].join(
    " ",
  ),
};

/** Secrets, by what makes them secret. */
export const named = {
  declared: "dv-Zq7w9x4Kmt2",
  "of a variable so named": "vn-T5r8Ws2pLq0",
  "percent-encoded": 'pe-5&f+g/7"8h9',
  "of a feed's column": "fc-N4x7Kd9sW2h",
  "of another feed's field": "ff-J4x8Kd1sW3h",
  "of setup's data": "sd-A1s9D8f7G6h",
  "of setup's list": "sl-B2s8D7f6G5h",
  cookie: "ck-H2j3K4l5P6o",
  "cookie that is set": "sc-U9y8T7r6E5w",
  authorization: "az-Q2w3E4r5T6y",
  bearer: "be-Z9x8C7v6B5n",
  "basic password": "ba-K3j4H5g6F7d",
  "digest password": "dg-L0k9J8h7G6f",
  "AWS signature's key": "aw-P0o9I8u7Y6t",
  "header so named": "hn-M1n2B3v4C5x",
  "query parameter": "qp-D3f4G5h6J7k",
  "JSON field": "jf-X2c3V4b5N6m",
  "nested JSON field": "jn-V2c3V4b5N6m",
  "JSON field abroad": "ja-W2c3V4b5N6m",
  "form field": "fm-R7t8Y9u0I1o",
  "multipart field": "mp-W4e5R6t7Y8u",
  "field of a response": "rf-E4e5R6t7Y8u",
} as const;

/** Secrets that only a target sends: only the text around them shows that they are secret. */
export const received = {
  "user info of a redirect": "ui-G6f5D4s3A2q",
  "parameter of a redirect": "rp-H6f5D4s3A2q",
  "field of a failed response": "fr-J6f5D4s3A2q",
  "list in a failed response": "lr-K6f5D4s3A2q",
  "object in a failed response": "or-L6f5D4s3A2q",
  "field of a page": "pf-M6f5D4s3A2q",
} as const;

/** Returns the ways in which a secret may be spelled. */
export function spellingsOf(secret: string): string[] {
  return [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
    Buffer.from(secret).toString("base64"),
    Buffer.from(secret).toString("hex"),
  ];
}

/** Returns the kinds of secrets that a text holds, in any spelling. */
export function kindsIn(text: string): string[] {
  const all = Object.entries({ ...tokens, ...named, ...received });
  return all.flatMap(([kind, secret]) =>
    spellingsOf(secret).some((spelling) => text.includes(spelling)) ? [kind] : [],
  );
}
