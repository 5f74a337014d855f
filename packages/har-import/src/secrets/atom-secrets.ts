import type { AtomPlace } from "../request/map-atoms.ts";
import { type Atom, knownText } from "../value.ts";
import { nameBeside } from "./name-beside.ts";
import { type FoundSecret, findSecrets, type TextPlace } from "./find-secrets.ts";
import { isSecretName, isSecretUnder } from "./secret-names.ts";

/** Long and random by nature, and no secret: a boundary, an entity tag. */
const randomHeader =
  /^(content-type|content-disposition|accept|accept-language|if-match|digest|content-md5)$/i;
const hashName = /^(sha-?\d+(hash)?|md5|integrity|checksum|etag)$/i;
/** Ids in the names of such files are versions, the same for everybody. */
const staticFile = /\.(avif|css|gif|ico|jpe?g|js|map|mjs|mp4|otf|png|svg|ttf|wasm|webm|webp|woff2?)$/i;
/** What stands behind such a segment lets in whoever knows it. */
const tokenSegment =
  /^(reset|verify|verification|confirm|confirmation|activate|activation|invite|invitation|unsubscribe|magic|magic-link|share)$/i;
/** Behind `/session/` or `/auth/` stand words too, such as `oauth2`. */
const madeUp = /^(?=.{6})(?=.*\d)(?![A-Za-z]+\d?$)/s;

/** The secrets in one part of an atom's value: by the atom's name, by their looks, at any depth. */
export function findAtomSecrets(text: string, atom: Atom, place: AtomPlace): FoundSecret[] {
  if (place.kind === "path") return findInSegment(text, atom, place);
  // Beside what is known only when the test runs, a scheme or a separator is no secret.
  const isWhole = knownText(atom.value) === text;
  const name = isWhole || (text.length >= 6 && /\d/.test(text)) ? nameOf(text, atom, place) : "";
  return findSecrets(text, place.kind === "text" ? "" : name, placeOf(atom, place));
}

function nameOf(text: string, atom: Atom, { kind, request }: AtomPlace): string {
  const body = request?.body;
  if (kind !== "json" || body?.kind !== "json") return atom.name;
  const beside = nameBeside(atom, body.root);
  return beside !== "" && isSecretUnder(beside, text) ? beside : atom.name;
}

function placeOf({ name }: Atom, { kind, request }: AtomPlace): TextPlace {
  if (kind === "header") return { isHeader: true, mayBeRandom: randomHeader.test(name) };
  if (kind === "query") return { mayBeRandom: isStaticFile(request) };
  return { mayBeRandom: kind === "json" && hashName.test(name) };
}

function findInSegment(text: string, { name }: Atom, { request }: AtomPlace): FoundSecret[] {
  const mayBeRandom = isStaticFile(request);
  if (!mayBeRandom && isTokenSegment(text, name))
    return [{ start: 0, end: text.length, name: `${name}_token`, kind: "secret", inner: [] }];
  const found = findSecrets(text, "", { mayBeRandom });
  return found.map((one) => (one.name === "" ? { ...one, name: "path_token" } : one));
}

/** Whether a segment lets in whoever knows it, because of the one before it: `/reset/8f3a…`. */
export function isTokenSegment(text: string, before: string): boolean {
  return (tokenSegment.test(before) || isSecretName(before)) && madeUp.test(text);
}

function isStaticFile(request: AtomPlace["request"]): boolean {
  const last = request?.path.at(-1);
  return last !== undefined && isStaticFileName(knownText(last.value) ?? "");
}

/** Whether an address's path is that of a file which is the same for everybody. */
export function isStaticFileName(path: string): boolean {
  return staticFile.test(path);
}
