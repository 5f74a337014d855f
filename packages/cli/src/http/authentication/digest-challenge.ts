/** A server's challenge to log in by digest (RFC 7616, section 3.3). */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string | null;
  readonly algorithm: DigestAlgorithm;
  /** False for servers of before RFC 2617: no `qop`, and then nothing is counted. */
  readonly hasQop: boolean;
  readonly hashesUser: boolean;
}

export type DigestAlgorithm = (typeof algorithms)[number];

/** The strongest first. */
const algorithms = ["SHA-256", "SHA-256-sess", "MD5", "MD5-sess"] as const;

/** The strongest digest challenge in the values of `www-authenticate`; null where there is none that can be answered. */
export function chooseChallenge(values: readonly string[]): DigestChallenge | null {
  const usable = values
    .flatMap(splitChallenges)
    .flatMap(({ scheme, parameters }) => (scheme === "digest" ? [readChallenge(parameters)] : []))
    .filter((challenge) => challenge !== null);
  const rank = ({ algorithm }: DigestChallenge): number => algorithms.indexOf(algorithm);
  return usable.toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
}

interface AnyChallenge {
  readonly scheme: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** A scheme, a parameter (its value a quoted text or a token), or what stands between them. */
const piece = /([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?|[^\w"]+|"/g;

/** One field may hold several challenges, each with its parameters, all between commas (RFC 9110, section 11.6.1). */
function splitChallenges(value: string): AnyChallenge[] {
  const challenges: { readonly scheme: string; readonly parameters: Map<string, string> }[] = [];
  for (const [, name, quoted, token] of value.matchAll(piece)) {
    if (name === undefined) continue;
    const text = quoted?.replaceAll(/\\(.)/g, "$1") ?? token;
    if (text === undefined) challenges.push({ scheme: name.toLowerCase(), parameters: new Map() });
    else challenges.at(-1)?.parameters.set(name.toLowerCase(), text);
  }
  return challenges;
}

function readChallenge(parameters: AnyChallenge["parameters"]): DigestChallenge | null {
  const [realm, nonce, qop] = [parameters.get("realm"), parameters.get("nonce"), parameters.get("qop")];
  const named = (parameters.get("algorithm") ?? "MD5").toLowerCase();
  const algorithm = algorithms.find((known) => known.toLowerCase() === named);
  const qops = qop?.toLowerCase().split(/[\s,]+/) ?? [];
  if (realm === undefined || nonce === undefined || algorithm === undefined) return null;
  if (qop !== undefined && !qops.includes("auth")) return null;
  return {
    realm,
    nonce,
    opaque: parameters.get("opaque") ?? null,
    algorithm,
    hasQop: qop !== undefined,
    hashesUser: parameters.get("userhash")?.toLowerCase() === "true",
  };
}
