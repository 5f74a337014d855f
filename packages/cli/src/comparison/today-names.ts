import { isIdentifier, requestName } from "@bearhug/sdk/internal";

const requestShape = /^([A-Z]+) (\/\S*)$/;
/** Groups that an import named after their first request. */
const callShape = /^([A-Z]+ )?(\S*\/\S*)$/;

/**
 * Tags of a series with the names that today's rules give to the same requests, pages and groups. Earlier versions left more ids in
 * them: `GET /records/am9na54mwy6hot8`, page `notes/2`.
 */
export function todaysNames(tags: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { name, page, group } = tags;
  return {
    ...tags,
    ...(name === undefined ? {} : { name: nameOfRequest(name) }),
    ...(page === undefined ? {} : { page: nameOfStep(page) }),
    ...(group === undefined ? {} : { group: nameOfStep(group) }),
  };
}

function nameOfRequest(name: string): string {
  const [, method, path] = requestShape.exec(name) ?? [];
  return method === undefined || path === undefined ? name : requestName(method, path);
}

function nameOfStep(name: string): string {
  const [, method = "", path] = callShape.exec(name) ?? [];
  if (path === undefined) return name;
  const segments = path.split("/").map((segment) => (isIdentifier(segment) ? "id" : segment));
  return method + segments.join("/");
}
