import { isPlainWords } from "@bearhug/text/secrets/plain-words";
import { isSecretValue, splitWords } from "@bearhug/text/secrets/secret-names";
import type { CapturedRequest, CaptureModel, Variable } from "../capture-model.ts";
import { type AtomPlace, requestsOf } from "../map-atoms.ts";
import { printable } from "../printable.ts";
import type { KnownSecrets } from "../secrets/known-secrets.ts";
import { masked, maskText } from "../secrets/mask-text.ts";
import { looksSecret } from "../secrets/secret-looks.ts";
import { UniqueNames } from "../unique-names.ts";
import { type Atom, knownText, type ValuePart } from "../value.ts";
import type { Credentials } from "./credentials.ts";

interface Use {
  readonly name: string;
  /** As recorded. */
  readonly text: string;
  readonly atom: Atom;
  readonly place: AtomPlace;
  isNeeded: boolean;
  /** True for the path of a file, which is not secret. */
  isFile: boolean;
}

/** The environment variables of a model, created as secrets are found. */
export class Variables {
  readonly #known: KnownSecrets;
  readonly #credentials: Credentials;
  readonly #uses = new Map<string, Use>();
  readonly #texts = new Set<string>();
  readonly #names = new UniqueNames({ separator: "_" });

  constructor(known: KnownSecrets, credentials: Credentials) {
    this.#known = known;
    this.#credentials = credentials;
  }

  /**
   * Returns the variable for a secret: the same for the same text, whatever its name elsewhere.
   *
   * @param secretName The name of the secret, unless it has another one already.
   */
  partFor(secret: string, secretName: string, atom: Atom, place: AtomPlace): ValuePart {
    const use = this.#take(secret, secretName, atom, place);
    use.isNeeded ||= this.#credentials.has(secret, secretName, atom, place);
    return { kind: "variable", name: use.name };
  }

  /** Returns the variable for the user name of a login whose password is the same text: `admin`, `admin`. */
  partForUser(text: string, atom: Atom, place: AtomPlace): ValuePart {
    const use = this.#take(`user\0${text}`, atom.name, atom, place, text);
    use.isNeeded = true;
    return { kind: "variable", name: use.name };
  }

  /**
   * Returns the variable for a text that equals a secret by chance: setting the secret must not send it there.
   */
  partByChance(text: string, atom: Atom, place: AtomPlace): ValuePart {
    const { name } = this.#take(`${atom.name}\0${text}`, atom.name, atom, place, text);
    return { kind: "variable", name };
  }

  /**
   * Returns the variable for the path of a file whose content was not recorded: one for each field of that
   * name.
   */
  fileFor(atom: Atom, place: AtomPlace): string {
    const use = this.#take(`file\0${atom.name}`, `${atom.name}_file`, atom, place, "");
    use.isFile = true;
    return use.name;
  }

  #take(key: string, secretName: string, atom: Atom, place: AtomPlace, text: string = key): Use {
    const used = this.#uses.get(key);
    if (used !== undefined) return used;
    const use = { name: this.#nameFor(secretName), text, atom, place, isNeeded: false, isFile: false };
    this.#uses.set(key, use);
    if (text !== "") this.#texts.add(text.toLowerCase());
    return use;
  }

  #nameFor(secretName: string): string {
    const wanted = nameVariable(secretName);
    return this.#names.take(this.#known.find(wanted).length > 0 ? "SECRET" : wanted);
  }

  /** Returns true if a variable replaces this text, in upper or lower case. */
  replaces(text: string): boolean {
    return this.#texts.has(text.toLowerCase());
  }

  /** Returns the recorded value of each variable, by name. */
  recordedValues(): Record<string, string> {
    return Object.fromEntries(Array.from(this.#uses.values(), ({ name, text }) => [name, text]));
  }

  /**
   * Returns the variables, required ones first. Describes them by the requests as they are now, without
   * secrets.
   */
  list(protectedModel: CaptureModel): Variable[] {
    const requests = new Map(requestsOf(protectedModel).map((request) => [request.entryIndex, request]));
    const uses = [...this.#uses.values()];
    const needed = uses.filter(({ isNeeded }) => isNeeded);
    const optional = uses.filter(({ isNeeded }) => !isNeeded);
    return [...needed, ...optional].map(({ name, text, atom, place, isNeeded, isFile }) => ({
      name,
      isOptional: !isNeeded,
      ...(isFile || isPlainCookie(text, atom, place) ? { isPublic: true } : {}),
      description: printable(
        `${isFile ? "The path of a file to upload. " : ""}${this.#describePlace(atom, place)}${describeRequest(requests.get(place.request?.entryIndex ?? -1))}`,
        300,
      ),
    }));
  }

  #describePlace(atom: Atom, { kind }: AtomPlace): string {
    const shownName = maskText(atom.name, this.#known);
    const nouns = {
      path: shownName === "" ? "Part of the path" : `The path segment after "${shownName}"`,
      query: `The query parameter "${shownName}"`,
      header: `The header "${shownName}"${basicScheme.test(knownText(atom.value) ?? "") ? ", base64 of user:password," : ""}`,
      form: `The form field "${shownName}"`,
      multipart: `The form field "${shownName}"`,
      json: shownName === "" ? "A JSON value" : `The JSON field "${shownName}"`,
      text: "Part of the body",
      cookie: `The cookie "${shownName}", set before the recording`,
    } as const;
    return nouns[kind];
  }
}

/** Returns true for a cookie whose words identify nobody: `theme=dark`. */
function isPlainCookie(text: string, { name }: Atom, { kind }: AtomPlace): boolean {
  return kind === "cookie" && isPlainWords(text) && !isSecretValue(name, text);
}

const basicScheme = /^\s*basic\s/i;

function describeRequest(request: CapturedRequest | undefined): string {
  if (request === undefined) return ".";
  const path = request.path.map(({ value }) =>
    value.map((part) => (part.kind === "text" ? part.text : masked)).join(""),
  );
  return ` of ${request.method} /${path.join("/")}.`;
}

const maxLength = 40;

/** Names that a shell, a run-time or a tool reads, or that hold a developer's own credentials. */
const taken = new Set(
  [
    "PATH HOME USER SHELL PWD OLDPWD IFS ENV CI TERM LANG LANGUAGE TZ TMPDIR TEMP TMP DISPLAY EDITOR VISUAL PAGER",
    "LOGNAME USERNAME HOSTNAME HOST MAIL MAILPATH DEBUG UID EUID PPID RANDOM SECONDS LINENO HISTFILE OPTIND OPTARG",
    "PROMPT PS1 PS2 PS4 CDPATH SHELLOPTS PATHEXT COMSPEC SYSTEMROOT WINDIR APPDATA USERPROFILE OS",
    "HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY NO_COLOR FORCE_COLOR UV_THREADPOOL_SIZE",
  ].flatMap((names) => names.split(" ")),
);
const takenPrefix =
  /^(NODE|LD_|DYLD_|BASH|BEARHUG|GIT_|NPM_|PNPM_|YARN_|GITHUB_|GITLAB_|ACTIONS_|RUNNER_|CI_|AWS_|AZURE_|GOOGLE_|DOCKER_|SSH_|SSL_|OPENSSL_|LC_|XDG_|ZDOT|TS_|VITEST|PYTHON|RUBY|PERL|JAVA_)/;

const isHash = /^(?=[a-f]*\d)[\da-f]{12,}$/i;

/**
 * Returns a name for an environment variable, made from the name of a secret: `user[password]` →
 * USER_PASSWORD.
 */
function nameVariable(secretName: string): string {
  const readable = secretName
    .split(/[^\p{L}\d]+/u)
    .filter((piece) => !looksSecret(piece) && !isHash.test(piece))
    .join("_");
  const words = looksSecret(readable) ? [] : splitWords(readable).filter((word) => word !== "x");
  const name = words
    .join("_")
    .toUpperCase()
    .slice(0, maxLength - 5)
    .replace(/_$/, "");
  if (name === "") return "SECRET";
  return taken.has(name) || takenPrefix.test(name) ? `SITE_${name}` : name;
}
