import { setTimeout } from "node:timers/promises";

import {
  completable,
  type CallToolResult,
  type ElicitRequestFormParams,
  type ElicitResult,
  fromJsonSchema,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";

/** One red pixel. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A sound without samples. */
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const pauseMs = 50;

/**
 * Adds the tools, resources and prompts that the conformance suite requires, as its scenarios describe them.
 */
export function addSuiteFixtures(server: McpServer): void {
  server.server.registerCapabilities({ logging: {}, resources: { subscribe: true } });
  addContents(server);
  addBehaviours(server);
  addElicitations(server);
  addResources(server);
  addPrompts(server);
}

function text(shown: string): CallToolResult {
  return { content: [{ type: "text", text: shown }] };
}

function addContents(server: McpServer): void {
  const answers: Readonly<Record<string, CallToolResult["content"]>> = {
    test_simple_text: [{ type: "text", text: "This is a simple text response for testing." }],
    test_image_content: [{ type: "image", data: png, mimeType: "image/png" }],
    test_audio_content: [{ type: "audio", data: wav, mimeType: "audio/wav" }],
    test_embedded_resource: [
      {
        type: "resource",
        resource: {
          uri: "test://embedded-resource",
          mimeType: "text/plain",
          text: "This is an embedded resource content.",
        },
      },
    ],
    test_multiple_content_types: [
      { type: "text", text: "Multiple content types test:" },
      { type: "image", data: png, mimeType: "image/png" },
      {
        type: "resource",
        resource: {
          uri: "test://mixed-content-resource",
          mimeType: "application/json",
          text: '{"test":"data","value":123}',
        },
      },
    ],
  };
  for (const [name, content] of Object.entries(answers))
    server.registerTool(name, { description: name }, () => ({ content }));
  server.registerTool("test_error_handling", { description: "fails" }, () => {
    throw new Error("This tool intentionally returns an error for testing");
  });
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
    },
    properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
    additionalProperties: false,
  } as const;
  server.registerTool(
    "json_schema_2020_12_tool",
    { description: "Tool with JSON Schema 2020-12 features", inputSchema: fromJsonSchema(schema) },
    () => text("fine"),
  );
}

function addBehaviours(server: McpServer): void {
  server.registerTool("test_tool_with_logging", { description: "logs" }, async ({ mcpReq }) => {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await mcpReq.notify({ method: "notifications/message", params: { level: "info", data } });
      await setTimeout(pauseMs);
    }
    return text("logged");
  });
  server.registerTool("test_tool_with_progress", { description: "progresses" }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress, total: 100 },
        });
      await setTimeout(pauseMs);
    }
    return text("done");
  });
  server.registerTool(
    "test_sampling",
    { description: "asks a model", inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.send({
        method: "sampling/createMessage",
        params: {
          messages: [{ role: "user", content: { type: "text", text: prompt } }],
          maxTokens: 100,
        },
      });
      return text(`LLM response: ${JSON.stringify(content)}`);
    },
  );
}

type Schema = ElicitRequestFormParams["requestedSchema"];

function elicit(
  mcpReq: ServerContext["mcpReq"],
  message: string,
  requestedSchema: Schema,
): Promise<ElicitResult> {
  return mcpReq.send({ method: "elicitation/create", params: { message, requestedSchema } });
}

function addElicitations(server: McpServer): void {
  const user: Schema = {
    type: "object",
    properties: {
      username: { type: "string", description: "User's response" },
      email: { type: "string", description: "User's email address" },
    },
    required: ["username", "email"],
  };
  server.registerTool(
    "test_elicitation",
    { description: "asks the user", inputSchema: z.object({ message: z.string() }) },
    async ({ message }, { mcpReq }) =>
      text(`User response: ${JSON.stringify(await elicit(mcpReq, message, user))}`),
  );
  const forms: Readonly<Record<string, Schema["properties"]>> = {
    test_elicitation_sep1034_defaults: {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    },
    test_elicitation_sep1330_enums: {
      untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
      titledSingle: { type: "string", oneOf: titled("value", "Option") },
      legacyEnum: {
        type: "string",
        enum: ["opt1", "opt2", "opt3"],
        enumNames: ["Option One", "Option Two", "Option Three"],
      },
      untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
      titledMulti: { type: "array", items: { anyOf: titled("value", "Choice") } },
    },
  };
  for (const [name, properties] of Object.entries(forms))
    server.registerTool(name, { description: name }, async ({ mcpReq }) => {
      const requestedSchema: Schema = { type: "object", properties, required: [] };
      const { action, content } = await elicit(mcpReq, "Please fill in", requestedSchema);
      return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
    });
}

function titled(value: string, title: string): { const: string; title: string }[] {
  return ["First", "Second", "Third"].map((name, index) => ({
    const: `${value}${index + 1}`,
    title: `${name} ${title}`,
  }));
}

function addResources(server: McpServer): void {
  const about = { description: "for the suite" };
  server.registerResource(
    "static-text",
    "test://static-text",
    { ...about, mimeType: "text/plain" },
    ({ href }) => ({
      contents: [
        { uri: href, mimeType: "text/plain", text: "This is the content of the static text resource." },
      ],
    }),
  );
  server.registerResource(
    "static-binary",
    "test://static-binary",
    { ...about, mimeType: "image/png" },
    ({ href }) => ({ contents: [{ uri: href, mimeType: "image/png", blob: png }] }),
  );
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { ...about, mimeType: "application/json" },
    ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  );
  server.server.setRequestHandler("resources/subscribe", () => ({}));
  server.server.setRequestHandler("resources/unsubscribe", () => ({}));
}

function addPrompts(server: McpServer): void {
  const user = "user" as const;
  server.registerPrompt("test_simple_prompt", { description: "simple" }, () => ({
    messages: [{ role: user, content: { type: "text", text: "This is a simple prompt for testing." } }],
  }));
  const arg1 = completable(z.string().describe("First test argument"), (begun) =>
    ["paris", "park", "party"].filter((word) => word.startsWith(begun)),
  );
  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      description: "with arguments",
      argsSchema: z.object({ arg1, arg2: z.string().describe("Second test argument") }),
    },
    (given) => ({
      messages: [
        {
          role: user,
          content: {
            type: "text",
            text: `Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`,
          },
        },
      ],
    }),
  );
  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    { description: "with a resource", argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        {
          role: user,
          content: {
            type: "resource",
            resource: { uri, mimeType: "text/plain", text: "Embedded resource content for testing." },
          },
        },
        { role: user, content: { type: "text", text: "Please process the embedded resource above." } },
      ],
    }),
  );
  server.registerPrompt("test_prompt_with_image", { description: "with an image" }, () => ({
    messages: [
      { role: user, content: { type: "image", data: png, mimeType: "image/png" } },
      { role: user, content: { type: "text", text: "Please analyze the image above." } },
    ],
  }));
}
