import { readFileSync } from "node:fs";

import { Ajv, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const compiled = new Map<string, ValidateFunction>();

/** Validates a command's document against its published schema. Returns all errors. */
export function documentErrors(document: { readonly schema: string }): string[] {
  const [, name = ""] = /^bearhug\/(\w+)@1$/.exec(document.schema) ?? [];
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
    read(`cli/schemas/${name}.schema.json`),
  );
  validate(document);
  return errorsOf(validate);
}

/** Validates a document against the SDK's published JSON schema of this name. Returns all errors. */
export function schemaErrors(name: string, document: unknown): string[] {
  const validate = compiled.get(name) ?? compile(name);
  compiled.set(name, validate);
  validate(document);
  return errorsOf(validate);
}

function errorsOf({ errors }: ValidateFunction): string[] {
  return (errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
}

function compile(name: string): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  return ajv.compile(read(`sdk/${name}`));
}

function read(path: string): object {
  return JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")) as object;
}
