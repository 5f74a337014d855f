import { parseHttpUrl } from "@bearhug/text/http-url";

/** The destination of OTLP exports, and how they are sent. */
export interface OtlpOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The time limit of one export, retries included. */
  readonly timeoutMs: number;
  readonly intervalMs: number;
  readonly isCompressed: boolean;
  readonly temporality: Temporality;
  /** Attributes of the resource that the metrics belong to, `service.name` included. */
  readonly resource: Readonly<Record<string, string>>;
}

/** Cumulative points cover the whole run, delta points the time since the last export. */
export type Temporality = "cumulative" | "delta";

type Environment = Readonly<Record<string, string | undefined>>;

const defaultEndpoint = "http://127.0.0.1:4318";
const defaultTimeoutMs = 10_000;
/** OpenTelemetry's own default is a minute: longer than many load tests. */
const defaultIntervalMs = 10_000;

/**
 * Reads `--out otlp[=URL]` and OpenTelemetry's variables. Adds a sentence to `problems` for each that cannot
 * be used; none of them contains a header, because headers hold tokens.
 */
export function readOtlpOptions(
  out: string,
  address: string | undefined,
  environment: Environment,
  problems: string[],
): OtlpOptions {
  const reader = new VariableReader(environment, problems);
  reader.validate("PROTOCOL", (text) =>
    text === "http/json" || text === "http/protobuf"
      ? null
      : `is ${text}, but bearhug sends OTLP over HTTP. Set http/json, and use the collector's HTTP port, usually 4318`,
  );
  const compression = reader.text("COMPRESSION")?.toLowerCase() ?? "none";
  reader.validate("COMPRESSION", () =>
    ["none", "gzip"].includes(compression) ? null : "must be gzip or none",
  );
  const headers = reader.pairs("HEADERS");
  reader.validate("HEADERS", () =>
    canBeSent(headers) ? null : "has a name or a value that is not allowed in an HTTP header",
  );
  return {
    url: readUrl(out, address, reader, problems),
    headers,
    timeoutMs: reader.milliseconds("TIMEOUT") ?? defaultTimeoutMs,
    intervalMs: reader.milliseconds(intervalVariable) ?? defaultIntervalMs,
    isCompressed: compression === "gzip",
    temporality: readTemporality(reader),
    resource: readResource(reader),
  };
}

const intervalVariable = "OTEL_METRIC_EXPORT_INTERVAL";
const temporalityVariable = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE";

function readUrl(
  out: string,
  address: string | undefined,
  reader: VariableReader,
  problems: string[],
): string {
  if (address !== undefined) {
    const url = parseHttpUrl(address);
    if (url === null)
      problems.push(`--out ${out}: must be written otlp=URL, such as otlp=${defaultEndpoint}.`);
    else if (hasCredentials(url)) problems.push(`--out otlp=URL: ${credentialsProblem}.`);
    return url === null ? address : withPath(url);
  }
  const whole = reader.given("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT");
  const name = whole === null ? "OTEL_EXPORTER_OTLP_ENDPOINT" : "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT";
  const text = reader.given(name) ?? defaultEndpoint;
  const url = parseHttpUrl(text);
  if (url === null) problems.push(`${name}: must be a URL, such as ${defaultEndpoint}.`);
  else if (hasCredentials(url)) problems.push(`${name}: ${credentialsProblem}.`);
  return whole ?? `${text.replace(/\/+$/, "")}/v1/metrics`;
}

/** True if a URL has credentials. `fetch` rejects such a URL, with a message that contains the password. */
function hasCredentials({ username, password }: URL): boolean {
  return username !== "" || password !== "";
}

const credentialsProblem =
  "the URL must not contain a user or a password. Set OTEL_EXPORTER_OTLP_HEADERS to authorization=Basic%20… instead";

/** True if `fetch` accepts these headers. Its own message about an invalid one would contain the value. */
function canBeSent(headers: Readonly<Record<string, string>>): boolean {
  const sent = new Headers();
  try {
    for (const [name, value] of Object.entries(headers)) sent.append(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Adds the standard path for metrics to a URL without a path, which is that of a collector. */
function withPath(url: URL): string {
  return url.pathname === "/" ? new URL("/v1/metrics", url).href : url.href;
}

/** All metrics of a run are synchronous: for them, low memory means delta. */
const temporalities = new Map<string, Temporality>([
  ["cumulative", "cumulative"],
  ["delta", "delta"],
  ["lowmemory", "delta"],
]);

function readTemporality(reader: VariableReader): Temporality {
  const text = reader.given(temporalityVariable)?.toLowerCase() ?? "cumulative";
  const temporality = temporalities.get(text);
  if (temporality === undefined)
    reader.problem(temporalityVariable, "must be cumulative, delta or lowmemory");
  return temporality ?? "cumulative";
}

function readResource(reader: VariableReader): Readonly<Record<string, string>> {
  const name = reader.given("OTEL_SERVICE_NAME");
  return {
    "service.name": "bearhug",
    ...reader.pairs("OTEL_RESOURCE_ATTRIBUTES"),
    ...(name === null ? {} : { "service.name": name }),
  };
}

/**
 * Reads environment variables. A variable of exporters for metrics alone takes precedence over the general
 * one.
 */
class VariableReader {
  readonly #environment: Environment;
  readonly #problems: string[];

  constructor(environment: Environment, problems: string[]) {
    this.#environment = environment;
    this.#problems = problems;
  }

  /** Returns a variable; null if it is absent or empty, which mean the same to OpenTelemetry. */
  given(name: string): string | null {
    const text = this.#environment[name]?.trim() ?? "";
    return text === "" ? null : text;
  }

  text(setting: string): string | null {
    return this.given(this.#nameOf(setting));
  }

  validate(setting: string, problemOf: (text: string) => string | null): void {
    const text = this.text(setting);
    const problem = text === null ? null : problemOf(text);
    if (problem !== null) this.problem(this.#nameOf(setting), problem);
  }

  milliseconds(setting: string): number | null {
    const text = this.text(setting);
    if (text === null) return null;
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    this.problem(this.#nameOf(setting), "must be a whole number of milliseconds, such as 10000");
    return null;
  }

  /** Reads `name=value,name=value`, percent-encoded. */
  pairs(setting: string): Record<string, string> {
    const pieces = (this.text(setting) ?? "").split(",").filter((piece) => piece.trim() !== "");
    const pairs = pieces.map((piece) => /^\s*([^=\s]+)\s*=(.*)$/s.exec(piece));
    try {
      return Object.fromEntries(
        pairs.map((pair) => {
          if (pair === null) throw new URIError("no pair");
          return [decodeURIComponent(pair[1] ?? ""), decodeURIComponent((pair[2] ?? "").trim())];
        }),
      );
    } catch {
      this.problem(
        this.#nameOf(setting),
        "must be written name=value,name=value, with other characters percent-encoded",
      );
      return {};
    }
  }

  problem(name: string, text: string): void {
    this.#problems.push(`${name}: ${text}.`);
  }

  #nameOf(setting: string): string {
    if (setting.startsWith("OTEL_")) return setting;
    const own = `OTEL_EXPORTER_OTLP_METRICS_${setting}`;
    return this.given(own) === null ? `OTEL_EXPORTER_OTLP_${setting}` : own;
  }
}
