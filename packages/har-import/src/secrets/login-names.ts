import type { CaptureModel } from "../capture-model.ts";
import { type AtomPlace, mapAtoms } from "../request/map-atoms.ts";
import { type Atom, knownText } from "../value.ts";

/** Fields by which somebody says who they are, beside a password. */
const userName = /^(?:.*[[._-])?(?:user|user-?_?name|user-?_?id|login|login-?_?name|account|identifier)\]?$/i;

/** Whether an atom says who logs in; `logins` are the entries that send a password. */
export function isLoginName(atom: Atom, { kind, request }: AtomPlace, logins: ReadonlySet<number>): boolean {
  const isLogin = request !== null && logins.has(request.entryIndex);
  const isField = kind === "form" || kind === "json" || kind === "multipart";
  return isLogin && isField && userName.test(atom.name);
}

/** The names by which people log in, in lower case. */
export function findLoginNames(model: CaptureModel, logins: ReadonlySet<number>): Set<string> {
  const names = new Set<string>();
  mapAtoms(model, (atom, place) => {
    const text = isLoginName(atom, place, logins) ? knownText(atom.value) : null;
    if (text !== null) names.add(text.toLowerCase());
    return atom.value;
  });
  return names;
}
