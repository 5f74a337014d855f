import { base64Views, unescapedViews } from "./decoded-view.ts";
import { mergeSpans, type Span } from "./span.ts";

/** A key that is recognized by its first characters. The rest of the word belongs to it. */
type TokenShape = {
  /** Issuer and purpose of the key. */
  readonly issuedBy: string;
  /** The beginning of the key, as the source of a regular expression. */
  readonly begins: string;
  /** True if its parts are joined by dots. */
  readonly isDotted?: true;
} & (
  | { readonly begins: `${LetterOrDigit}${string}` }
  | {
      /**
       * Every such key contains one of these, as regular expressions have them: searching for them is much
       * faster than trying the pattern everywhere. By default, the characters with which `begins` begins.
       */
      readonly contains: readonly string[];
    }
);

type Letter = CharacterOf<"abcdefghijklmnopqrstuvwxyz">;
type LetterOrDigit = Letter | Uppercase<Letter> | CharacterOf<"0123456789">;
type CharacterOf<Text extends string> = Text extends `${infer First}${infer Others}`
  ? First | CharacterOf<Others>
  : never;

/** Returns the text with each of the characters before it. */
function withPrefixes(characters: string, text: string): string[] {
  return Array.from(characters, (character) => character + text);
}

/** Returns the text with each of the characters after it. */
function withSuffixes(text: string, characters: string): string[] {
  return Array.from(characters, (character) => text + character);
}

/** Keys of well-known issuers. Each gives access to whoever has it, so none may be written anywhere. */
const tokenShapes: readonly TokenShape[] = [
  { issuedBy: "anybody: JSON Web Token", begins: "eyJ[\\w-]{5}", isDotted: true },
  { issuedBy: "Stripe, Clerk", contains: ["k_live_", "k_test_"], begins: "[prsw]k_(?:live|test)_\\w" },
  { issuedBy: "Stripe: webhook", begins: "whsec_\\w{6}" },
  {
    issuedBy: "OpenAI, Anthropic, OpenRouter",
    contains: ["sk-"],
    begins: "sk-(?:proj|ant|or|svcacct|admin)-(?=[\\w-]{0,60}\\d)\\w|sk-(?=[A-Za-z]{0,60}\\d)[A-Za-z\\d]{20}",
  },
  { issuedBy: "Groq", begins: "gsk_[A-Za-z\\d]{20}" },
  { issuedBy: "Perplexity", begins: "pplx-[A-Za-z\\d]{20}" },
  { issuedBy: "xAI", begins: "xai-[A-Za-z\\d]{20}" },
  { issuedBy: "Replicate", begins: "r8_[A-Za-z\\d]{20}" },
  {
    issuedBy: "Hugging Face",
    contains: ["hf_", "api_org_"],
    begins: "(?:hf|api_org)_(?=[a-z\\d]{0,40}[A-Z])[A-Za-z\\d]{12}",
  },
  { issuedBy: "GitHub", contains: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], begins: "gh[pousr]_\\w" },
  { issuedBy: "GitHub: fine-grained token", begins: "github_pat_\\w" },
  {
    issuedBy: "GitLab",
    contains: [
      "glpat-",
      "gldt-",
      "glrt-",
      "glrtr-",
      "glptt-",
      "glcbt-",
      "glft-",
      "glimt-",
      "glagent-",
      "gloas-",
      "glsoat-",
      "glffct-",
    ],
    begins: "gl(?:pat|dt|rt|rtr|ptt|cbt|ft|imt|agent|oas|soat|ffct)-\\w",
  },
  { issuedBy: "GitLab: runner", begins: "GR1348941[\\w-]{6}" },
  {
    issuedBy: "Atlassian, Bitbucket",
    contains: ["ATATT3", "ATCTT3", "ATBB"],
    begins: "(?:AT[AC]TT3|ATBB)[\\w-]{16}",
  },
  {
    issuedBy: "npm",
    begins: "npm_(?=[a-z\\d]{0,40}[A-Z])(?=[A-Za-z]{0,40}\\d)[A-Za-z\\d]{12}",
  },
  { issuedBy: "PyPI", begins: "pypi-AgE[\\w-]{16}" },
  { issuedBy: "RubyGems", begins: "rubygems_[a-f\\d]{16}" },
  { issuedBy: "Docker", begins: "dckr_(?:pat|oat)_\\w" },
  { issuedBy: "Slack", begins: "xox[a-z]-\\w" },
  { issuedBy: "Slack: app", begins: "xapp-\\d" },
  { issuedBy: "Telegram: bot", contains: [":AA"], begins: "\\d{8,10}:AA[\\w-]{30}" },
  {
    issuedBy: "AWS",
    contains: ["AKIA", "ASIA", "ABIA", "ACCA"],
    begins: "AKIA[A-Z\\d]{12}|(?:ASIA|ABIA|ACCA)(?=[A-Z]{0,15}\\d)[A-Z\\d]{16}",
  },
  { issuedBy: "AWS: Bedrock", begins: "ABSK[A-Za-z\\d]{40}" },
  { issuedBy: "Google: API key", begins: "AIza[\\w-]{6}" },
  { issuedBy: "Google: access token", begins: "ya29\\.[\\w-]", isDotted: true },
  { issuedBy: "Google: client secret", begins: "GOCSPX-\\w" },
  { issuedBy: "Google: refresh token", begins: "1//0[\\w-]{6}" },
  {
    issuedBy: "Azure: client secret",
    contains: withPrefixes("0123456789", "Q~"),
    begins: "[\\w.~]{3}\\dQ~[\\w.~-]{31}",
  },
  { issuedBy: "DigitalOcean", contains: ["_v1_"], begins: "do[opr]_v1_\\w" },
  { issuedBy: "Heroku", begins: "HRKU-AA[\\w-]{16}" },
  { issuedBy: "Fly.io", contains: ["fo1_", "fm1", "fm2_"], begins: "(?:fo1|fm1[ar]|fm2)_[\\w-]{20}" },
  { issuedBy: "PlanetScale", begins: "pscale_(?:tkn|oauth|pw)_\\w", isDotted: true },
  { issuedBy: "Supabase", contains: ["sbp_", "sb_secret_"], begins: "(?:sbp_[a-f\\d]{16}|sb_secret_\\w{6})" },
  { issuedBy: "HashiCorp: Vault", contains: ["hvs\\.", "hvb\\.", "hvr\\."], begins: "hv[sbr]\\.[\\w-]{16}" },
  {
    issuedBy: "HashiCorp: Terraform",
    contains: ["\\.atlasv1\\."],
    begins: "[A-Za-z\\d]{14}\\.atlasv1\\.\\w",
  },
  { issuedBy: "Pulumi", begins: "pul-[a-f\\d]{16}" },
  { issuedBy: "Doppler", begins: "dp\\.(?:pt|st|ct|scim|audit)\\.\\w{6}", isDotted: true },
  { issuedBy: "1Password", begins: "ops_eyJ\\w{6}" },
  { issuedBy: "age", begins: "AGE-SECRET-KEY-1\\w{6}" },
  { issuedBy: "OpenShift", begins: "sha256~[\\w-]{20}" },
  { issuedBy: "Grafana", contains: ["glc_", "glsa_"], begins: "(?:glc|glsa)_[A-Za-z\\d]{16}" },
  { issuedBy: "Grafana: API key", begins: "eyJrIjoi[A-Za-z\\d]{20}" },
  { issuedBy: "Sentry", begins: "sntry[su]_\\w{16}" },
  {
    issuedBy: "New Relic",
    contains: ["NRAK-", "NRII-", "NRJS-", "NRRA-"],
    begins: "NR(?:AK|II|JS|RA)-[\\w-]{16}",
  },
  { issuedBy: "Dynatrace", begins: "dt0[a-z]\\d\\d\\.[A-Z\\d]{16}", isDotted: true },
  { issuedBy: "Shopify", begins: "shp(?:at|ca|pa|ss|tka)_\\w" },
  { issuedBy: "Square", begins: "sq0[a-z]{3}-\\w" },
  { issuedBy: "SendGrid", begins: "SG\\.[\\w-]{6,40}\\.", isDotted: true },
  { issuedBy: "Brevo", begins: "xkeysib-\\w{6}" },
  { issuedBy: "Mailgun", begins: "key-[a-f\\d]{32}" },
  { issuedBy: "Mailchimp", contains: ["-us"], begins: "[a-f\\d]{32}-us\\d" },
  { issuedBy: "Twilio", contains: withSuffixes("SK", "0123456789abcdef"), begins: "SK[a-f\\d]{32}" },
  { issuedBy: "HubSpot", begins: "pat-[a-z]{2}\\d-\\w{6}" },
  { issuedBy: "Airtable", begins: "pat[A-Za-z\\d]{14}\\.[a-f\\d]{16}" },
  { issuedBy: "Databricks", begins: "dapi[\\da-f]{8}" },
  { issuedBy: "Postman", begins: "PMAK-[a-f\\d]{16}" },
  { issuedBy: "Notion", begins: "ntn_[A-Za-z\\d]{20}" },
  { issuedBy: "Linear", begins: "lin_(?:api|oauth)_[A-Za-z\\d]{16}" },
  { issuedBy: "Figma", begins: "figd_[\\w-]{16}" },
  { issuedBy: "Facebook", begins: "EAA[A-Za-z\\d]{60}" },
];

const anyToken = new RegExp(`(?<![A-Za-z\\d])(?:${tokenShapes.map(({ begins }) => begins).join("|")})`, "g");
const literalStart = /^(?:[\w~/:-]|\\\.)+/;
const anyContained = new RegExp(
  tokenShapes
    .flatMap((shape) => ("contains" in shape ? shape.contains : (literalStart.exec(shape.begins) ?? [])))
    .join("|"),
);
const dottedBeginning = new RegExp(
  `^(?:${tokenShapes.flatMap(({ begins, isDotted }) => (isDotted === true ? [begins] : [])).join("|")})`,
);
const wordCharacters = /[\w~-]*={0,2}/y;
const dottedCharacters = /[\w~-]*(?:\.{1,2}[\w~-]+)*={0,2}/y;
const pemBeginning = /-----BEGIN [A-Z ]{1,60}-----/g;
/** Webhook addresses, which are secrets themselves: they need no other credentials. */
const webhook =
  /(?:hooks\.slack\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/webhooks)\/([\w/-]{20,200})/g;

/**
 * Finds keys, tokens and private keys that are recognized by their shape, under any name. The spans are
 * sorted and do not overlap.
 */
export function findTokens(text: string): Span[] {
  return mergeSpans([...findKeys(text), ...findPems(text), ...findWebhooks(text)]);
}

/** Finds the same keys, even if they are percent-, backslash- or HTML-escaped, or in base64. */
export function findTokensInEncodings(text: string): Span[] {
  const found = findTokens(text);
  for (const view of [...unescapedViews(text), ...base64Views(text)])
    for (const span of findTokens(view.text)) found.push(view.toOriginal(span));
  return mergeSpans(found);
}

function findKeys(text: string): Span[] {
  if (!anyContained.test(text)) return [];
  const found: Span[] = [];
  let end = 0;
  for (const { index, 0: beginning } of text.matchAll(anyToken)) {
    // A match within the previous key is part of it. Reading from each such match again would take quadratic
    // time.
    if (index < end) continue;
    const rest = dottedBeginning.test(beginning) ? dottedCharacters : wordCharacters;
    rest.lastIndex = index + beginning.length;
    end = rest.lastIndex + (rest.exec(text)?.[0].length ?? 0);
    if (isWhole(text.slice(index, end))) found.push({ start: index, end });
  }
  return found;
}

/** False for base64 of other JSON, which begins like a JSON Web Token but has no dots. */
function isWhole(token: string): boolean {
  return !token.startsWith("eyJ") || token.includes(".") || token.startsWith("eyJrIjoi");
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

function findWebhooks(text: string): Span[] {
  if (!text.includes("hook")) return [];
  return Array.from(text.matchAll(webhook), ({ index, 0: whole, 1: secret = "" }) => ({
    start: index + whole.length - secret.length,
    end: index + whole.length,
  }));
}
