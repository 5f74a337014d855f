import type { Span } from "@bearhug/sdk/internal";

/** A key that its first characters tell. The rest of its word belongs to it. */
interface KeyShape {
  /** Issuer and purpose of the key. */
  readonly issuedBy: string;
  /** Every such key contains one of these: looking for them is much faster than trying the pattern everywhere. */
  readonly contains: readonly string[];
  /** The beginning, as the source of a regular expression. */
  readonly begins: string;
}

/** Keys of well-known makers. Each proves who its bearer is, so none may be written anywhere. */
const keyShapes: readonly KeyShape[] = [
  { issuedBy: "anybody: JSON Web Token", contains: ["eyJ"], begins: "eyJ[\\w-]{5}" },
  { issuedBy: "Stripe", contains: ["k_live_", "k_test_"], begins: "[prsw]k_(?:live|test)_\\w" },
  { issuedBy: "Stripe: restricted key", contains: ["rk_"], begins: "rk_\\w{12}" },
  { issuedBy: "Stripe: webhook", contains: ["whsec_"], begins: "whsec_\\w{6}" },
  {
    issuedBy: "OpenAI, Anthropic, OpenRouter",
    contains: ["sk-"],
    begins: "sk-(?:proj|ant|or|svcacct|admin)-\\w",
  },
  { issuedBy: "GitHub", contains: ["gh"], begins: "gh[pousr]_\\w" },
  { issuedBy: "GitHub: fine-grained token", contains: ["github_pat_"], begins: "github_pat_\\w" },
  { issuedBy: "GitLab", contains: ["gl"], begins: "gl(?:pat|dt|rt|ptt|cbt)-\\w" },
  { issuedBy: "npm", contains: ["npm_"], begins: "npm_(?=\\w{0,40}\\d)\\w{6}" },
  { issuedBy: "Hugging Face", contains: ["hf_"], begins: "hf_(?=[a-zA-Z]{0,40}[A-Z\\d])\\w{6}" },
  { issuedBy: "Slack", contains: ["xox"], begins: "xox[a-z]-\\w" },
  { issuedBy: "Slack: app", contains: ["xapp-"], begins: "xapp-\\d" },
  { issuedBy: "AWS", contains: ["AKIA", "ASIA"], begins: "(?:AKIA|ASIA)[A-Z\\d]{12}" },
  { issuedBy: "Google: API key", contains: ["AIza"], begins: "AIza[\\w-]{6}" },
  { issuedBy: "Google: access token", contains: ["ya29."], begins: "ya29\\.[\\w-]" },
  { issuedBy: "Google: client secret", contains: ["GOCSPX-"], begins: "GOCSPX-\\w" },
  { issuedBy: "Google: refresh token", contains: ["1//0"], begins: "1//0[\\w-]{6}" },
  { issuedBy: "DigitalOcean", contains: ["_v1_"], begins: "do[opr]_v1_\\w" },
  { issuedBy: "Shopify", contains: ["shp"], begins: "shp(?:at|ca|pa|ss)_\\w" },
  { issuedBy: "SendGrid", contains: ["SG."], begins: "SG\\.[\\w-]{6,40}\\." },
  { issuedBy: "HubSpot and others", contains: ["pat-"], begins: "pat-(?=[\\w-]{0,40}\\d)[\\w-]{8}" },
  { issuedBy: "Databricks", contains: ["dapi"], begins: "dapi[\\da-f]{8}" },
  { issuedBy: "Square", contains: ["sq0"], begins: "sq0[a-z]{3}-\\w" },
];
const anyKey = new RegExp(`(?<![A-Za-z\\d])(?:${keyShapes.map(({ begins }) => begins).join("|")})`, "g");
const anyContained = keyShapes.flatMap(({ contains }) => contains);
const keyCharacters = /[\w.~+/=-]*/y;
const pemBeginning = /-----BEGIN [A-Z ]{1,60}-----/g;
/** Credentials behind the name of their scheme: of a whole value, or long and no word. */
const schemeAtStart = /^\s{0,8}(?:bearer|basic|digest|negotiate|token)\s{1,8}(?=\S)/i;
const schemeInside = /\b(?:[Bb]earer|BEARER|[Bb]asic|BASIC|[Nn]egotiate)[ \t]{1,8}(?=([\w.~+/=-]{8,8192}))/g;

/** Keys of well-known shapes, and credentials behind the name of their scheme. */
export function findWellKnown(text: string): Span[] {
  return [...findKeys(text), ...findPems(text), ...findCredentials(text)];
}

function findKeys(text: string): Span[] {
  if (!anyContained.some((piece) => text.includes(piece))) return [];
  const found: Span[] = [];
  let end = 0;
  for (const { index, 0: beginning } of text.matchAll(anyKey)) {
    // One within the rest of another is of it: to look at each again would take a time that grows with the square.
    if (index < end) continue;
    keyCharacters.lastIndex = index + beginning.length;
    end = keyCharacters.lastIndex + (keyCharacters.exec(text)?.[0].length ?? 0);
    if (!beginning.startsWith("eyJ") || text.slice(index, end).includes("."))
      found.push({ start: index, end });
  }
  return found;
}

function findPems(text: string): Span[] {
  if (!text.includes("-----BEGIN ")) return [];
  const found: Span[] = [];
  for (const { index } of text.matchAll(pemBeginning)) {
    const footer = text.indexOf("-----END ", index);
    const dashes = footer < 0 ? -1 : text.indexOf("-----", footer + "-----END ".length);
    found.push({ start: index, end: dashes < 0 ? text.length : dashes + "-----".length });
    if (dashes < 0) break;
  }
  return found;
}

function findCredentials(text: string): Span[] {
  const found: Span[] = [];
  const scheme = schemeAtStart.exec(text)?.[0].length;
  if (scheme !== undefined && isCredential(text.slice(scheme)))
    found.push({ start: scheme, end: text.trimEnd().length });
  for (const { index, 0: name, 1: credential = "" } of text.matchAll(schemeInside)) {
    const start = index + name.length;
    if (/[\d+/=]/.test(credential)) found.push({ start, end: start + credential.length });
  }
  return found;
}

/** `Basic plan` is none; `Digest username="x", realm=…` is. */
function isCredential(text: string): boolean {
  return !/\s/.test(text.trim()) || text.includes("=");
}
