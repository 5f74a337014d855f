export * from "@bearhug/sdk";
