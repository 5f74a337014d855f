/** The HTTP clients that `http.transport` can name. */
export const transportNames = ["bearhug", "undici"] as const;

export type TransportName = (typeof transportNames)[number];
