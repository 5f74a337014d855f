import { mergeSpans } from "@bearhug/text/secrets/span";
import type {
  CapturedCookie,
  CapturedRequest,
  CaptureModel,
  ImportedCapture,
  MultipartPart,
} from "../capture-model.ts";
import { type AtomPlace, mapAtoms, mapEach, mapRequests } from "../map-atoms.ts";
import { isAnalyticsCookie } from "../secrets/cookie-names.ts";
import { exampleEmail } from "../secrets/emails.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { type Atom, knownText, textValue, type Value, type ValuePart } from "../value.ts";
import { isBuildHeader } from "../secrets/build-headers.ts";
import { isUserField } from "../secrets/login-fields.ts";
import { findAtomSecrets, joinOpaqueBodies } from "./atom-secrets.ts";
import { cleanNames, cleanTexts } from "./clean-model.ts";
import { type CollectedSecrets, collectSecrets } from "./collect-secrets.ts";
import { Credentials, isBodyField, isLoginName, PasswordFields } from "./credentials.ts";
import { Variables } from "./variables.ts";

/**
 * Removes the secrets from a model: each becomes an environment variable, the same one wherever it occurs,
 * and is masked in texts for people. Values that are extracted or generated stay so.
 *
 * @param capturedSecrets Secrets of all entries, also of those that are left out.
 * @param passwordInputs Names of the fields that the capture's HTML displays as passwords.
 */
export function protect(
  model: CaptureModel,
  capturedSecrets: readonly string[] = [],
  passwordInputs: ReadonlySet<string> = new Set(),
): ImportedCapture {
  const passwords = new PasswordFields(passwordInputs);
  const { model: known, dropped } = dropAnalytics(model);
  const kept = joinOpaqueBodies(known, passwords);
  const secrets = collectSecrets(kept, capturedSecrets, passwords);
  const variables = new Variables(secrets.known, new Credentials(kept, secrets.logins, passwords));
  const changed = mapAtoms(kept, (atom, place) => protectAtom(atom, place, secrets, variables));
  const named = noteBuilds(nameFiles(cleanNames(changed, secrets.known, variables), variables));
  const clean = cleanTexts(named, secrets.known, secrets.loginNames);
  const notes = dropped === 0 ? clean.notes : [...clean.notes, noteDropped(dropped)];
  const redacted = [...secrets.known.searchable, ...secrets.otherEmails].filter(
    (secret) => !isInAddress(secret, model),
  );
  return {
    model: { ...clean, notes, variables: [...model.variables, ...variables.list(clean)] },
    redacted,
    recordedValues: variables.recordedValues(),
  };
}

function dropAnalytics(model: CaptureModel): { model: CaptureModel; dropped: number } {
  const cookies = model.cookies.filter(({ name }: CapturedCookie) => !isAnalyticsCookie(name));
  return { model: { ...model, cookies }, dropped: model.cookies.length - cookies.length };
}

function noteDropped(count: number): string {
  const cookies = count === 1 ? "cookie" : "cookies";
  return `Skipped ${count} analytics, advertising or consent ${cookies} that the browser had before the recording.`;
}

/**
 * Returns true for a part of the site's address, which cannot be secret: searching the output for it would
 * find every request.
 */
function isInAddress(secret: string, { origin, hosts }: CaptureModel): boolean {
  return [origin, ...hosts].some((address) => address.includes(secret.toLowerCase()));
}

function protectAtom(atom: Atom, place: AtomPlace, secrets: CollectedSecrets, variables: Variables): Value {
  const whole = knownText(atom.value);
  if (whole === "") return atom.value;
  if (whole !== null && isWholeSecret(whole, atom, place, secrets)) {
    const isUser = isUserName(whole, atom, place, secrets);
    if (isUser && secrets.known.isPassword(whole)) return [variables.partForUser(whole, atom, place)];
    if (!isUser && isSecretByChance(whole, atom, place, secrets))
      return [variables.partByChance(whole, atom, place)];
    const secretName =
      place.kind === "cookie" ? `cookie_${atom.name}` : (secrets.known.nameOf(whole) ?? atom.name);
    return [variables.partFor(whole, secretName, atom, place)];
  }
  const parts = atom.value.map((part) =>
    part.kind === "text" ? protectText(part.text, atom, place, secrets, variables) : [part],
  );
  return parts.every((pieces, index) => pieces.length === 1 && pieces[0] === atom.value[index])
    ? atom.value
    : parts.flat();
}

function isWholeSecret(text: string, atom: Atom, place: AtomPlace, secrets: CollectedSecrets): boolean {
  if (place.kind === "cookie") return true;
  // A header such as `Bearer …` keeps its scheme, and a path its words.
  if (place.kind !== "path" && place.kind !== "header" && secrets.known.isWholeValue(text)) return true;
  return isLoginName(atom, place, secrets.logins) || isUserName(text, atom, place, secrets);
}

/** Returns true for an ordinary word that is also a password, in a place that is not secret and not beside the password. */
function isSecretByChance(
  text: string,
  atom: Atom,
  place: AtomPlace,
  { known, logins, passwords }: CollectedSecrets,
): boolean {
  if (place.kind === "cookie" || place.request === null || logins.has(place.request.entryIndex)) return false;
  return known.isByChance(text) && findAtomSecrets(text, atom, place, passwords).length === 0;
}

/**
 * Returns true for the user name of a login, or for the same name in another form: an account that is
 * created, then edited.
 */
function isUserName(
  text: string,
  atom: Atom,
  place: AtomPlace,
  { logins, loginNames, passwords }: CollectedSecrets,
): boolean {
  if (!isBodyField(place) || !isUserField(atom.name)) return false;
  if (!isLoginName(atom, place, logins) && !loginNames.has(text.toLowerCase())) return false;
  return findAtomSecrets(text, atom, place, passwords).length === 0;
}

function protectText(
  text: string,
  atom: Atom,
  place: AtomPlace,
  secrets: CollectedSecrets,
  variables: Variables,
): ValuePart[] {
  const { known, loginEmails, passwords } = secrets;
  const found = findAtomSecrets(text, atom, place, passwords);
  const parts: ValuePart[] = [];
  let at = 0;
  for (const { start, end, name, kind, inner } of mergeSpans([...found, ...known.findUnnamed(text)])) {
    const secret = text.slice(start, end);
    const isExample = kind === "email" && isPlainEmail(secret, inner) && !loginEmails.has(inner[0] ?? secret);
    parts.push(...textValue(text.slice(at, start)));
    if (isExample)
      parts.push(...textValue(inner.length === 0 ? exampleEmail : encodeURIComponent(exampleEmail)));
    else parts.push(variables.partFor(secret, nameSecret(text, secret, name, place, known), atom, place));
    at = end;
  }
  return at === 0 ? [{ kind: "text", text }] : joinTexts([...parts, ...textValue(text.slice(at))]);
}

/** Returns true for a plain or percent-encoded e-mail address, which the example address can replace. */
function isPlainEmail(spelling: string, inner: readonly string[]): boolean {
  return inner.length === 0 || spelling.replaceAll("%40", "@") === inner[0];
}

/** Returns the first name of a secret; `api_token` for a token after `Bearer`. */
function nameSecret(
  text: string,
  secret: string,
  name: string,
  place: AtomPlace,
  known: KnownSecrets,
): string {
  if (place.kind === "header" && /^\s*(bearer|token)\s/i.test(text)) return "api_token";
  const secretName = known.nameOf(secret) ?? "";
  return secretName === "" ? name : secretName;
}

function joinTexts(parts: readonly ValuePart[]): ValuePart[] {
  const joined: ValuePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.kind === "text" && last?.kind === "text")
      joined[joined.length - 1] = { kind: "text", text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

/**
 * Gives each file whose content was not recorded a variable for its path, and a hint that names the variable.
 */
function nameFiles(model: CaptureModel, variables: Variables): CaptureModel {
  return mapRequests(model, (request) => nameFilesOf(request, variables));
}

function nameFilesOf(request: CapturedRequest, variables: Variables): CapturedRequest {
  const { body } = request;
  if (body?.kind !== "multipart") return request;
  const parts = mapEach(body.parts, (part): MultipartPart => {
    if (part.file === undefined) return part;
    return { ...part, file: variables.fileFor(part.atom, { kind: "multipart", request }) };
  });
  if (parts === body.parts) return request;
  const hints = parts.flatMap(({ file }) => (file === undefined ? [] : [hintFile(file)]));
  return { ...request, body: { ...body, parts }, hints: [...request.hints, ...hints] };
}

function hintFile(variable: string): string {
  return `the uploaded file was not recorded: set ${variable} to the path of one. Until then, an empty file is sent`;
}

/** Adds a hint about each header that changes with the site's builds to the first request that sends it. */
function noteBuilds(model: CaptureModel): CaptureModel {
  const noted = new Set<string>();
  const note = (request: CapturedRequest): CapturedRequest => {
    const names = request.headers.flatMap(({ name, value }) =>
      isBuildHeader(name) && knownText(value) !== null ? [name.toLowerCase()] : [],
    );
    const hints = names.filter((name) => !noted.has(name)).map(hintBuild);
    for (const name of names) noted.add(name);
    return hints.length === 0 ? request : { ...request, hints: [...request.hints, ...hints] };
  };
  return mapRequests(model, note);
}

function hintBuild(name: string): string {
  return `the header ${name} changes with each build of the site: after a deployment, record again`;
}
