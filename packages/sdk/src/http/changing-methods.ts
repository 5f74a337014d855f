/** Methods that change something: those of a person's actions. Requests of a loading page rarely have one. */
export const changingMethods: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH", "DELETE"]);
