import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ScriptedModel, startModel } from "../scripted-model.ts";

let model: ScriptedModel;
beforeEach(async () => {
  model = await startModel();
});
afterEach(() => model.close());

const SCHEMA = { type: "object", properties: { command: { type: "string" } }, required: ["command"] };

/** The same request in each API: one prompt, one shell. */
const REQUESTS = {
  messages: (text: string, stream: boolean) =>
    [
      "/v1/messages",
      { stream, messages: [{ role: "user", content: text }], tools: [{ name: "Bash", input_schema: SCHEMA }] },
    ] as const,
  chat: (text: string, stream: boolean) =>
    [
      "/v1/chat/completions",
      {
        stream,
        messages: [{ role: "user", content: text }],
        tools: [{ function: { name: "bash", parameters: SCHEMA } }],
      },
    ] as const,
  responses: (text: string, stream: boolean) =>
    [
      "/v1/responses",
      {
        stream,
        input: [{ role: "user", content: [{ type: "input_text", text }] }],
        tools: [{ type: "function", name: "shell_command", parameters: SCHEMA }],
      },
    ] as const,
  gemini: (text: string, stream: boolean) =>
    [
      `/v1beta/models/fake-1:${stream ? "streamGenerateContent" : "generateContent"}?alt=sse`,
      {
        contents: [{ role: "user", parts: [{ text }] }],
        tools: [{ functionDeclarations: [{ name: "run_shell_command", parametersJsonSchema: SCHEMA }] }],
      },
    ] as const,
};

type Api = keyof typeof REQUESTS;

function ask(api: Api, text: string, stream = true): Promise<Response> {
  const [path, body] = REQUESTS[api](text, stream);
  return fetch(model.url + path, { method: "POST", body: JSON.stringify(body) });
}

describe.each(Object.keys(REQUESTS) as Api[])("%s", (api) => {
  it.each([true, false])("calls the tool and counts, streamed: %s", async (stream) => {
    const said = await (await ask(api, "[[bash echo hi]]", stream)).text();
    expect(said).toContain("echo hi");
    expect(said).toContain("1234");
    expect(said).toContain("56");
    expect(model.requests).toMatchObject([{ api, scenario: "[[bash echo hi]]", step: "bash", results: [] }]);
  });

  it("fails once, and then answers", async () => {
    const first = await ask(api, "[[429once]] [[text fine]]");
    expect([first.status, first.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await first.text()).toContain("scripted 429");
    expect(await (await ask(api, "[[429once]] [[text fine]]")).text()).toContain("fine");
  });

  it("drops the connection in the middle", async () => {
    await expect((await ask(api, "[[drop]]")).text()).rejects.toThrow();
  });

  it("stalls in the middle until it is closed", async () => {
    const body = (await ask(api, "[[midhang]]")).text();
    await Promise.all([model.close(), expect(body).rejects.toThrow()]);
  });
});

it("does not answer at all", async () => {
  const asked = ask("chat", "[[hang]]");
  while (model.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await Promise.all([model.close(), expect(asked).rejects.toThrow()]);
});

it("streams slowly: in four pieces a second", async () => {
  const said = await (await ask("chat", "[[slow 1]] [[text ab]]")).text();
  expect([...said.matchAll(/"content":"([^"]*)"/g)].map(([, piece]) => piece)).toEqual(["", "… ", "… ", "a", "b"]);
});

it("hears what is said to claude while it is at work", async () => {
  const [path, body] = REQUESTS.messages("[[bash sleep 3]] [[bash ls]]", false);
  const steering = "The user sent a new message while you were working:\n[[text instead]]\nThis is how";
  const messages = [
    ...body.messages,
    { role: "user", content: [{ type: "tool_result", content: "" }] },
    { role: "system", content: [{ type: "text", text: steering }] },
  ];
  await fetch(model.url + path, { method: "POST", body: JSON.stringify({ ...body, messages }) });
  expect(model.requests).toMatchObject([{ scenario: "[[text instead]]", step: "end" }]);
});

it("says ok to who offers no tools, in the form that is wanted", async () => {
  const schema = { type: "object", properties: { title: { type: "string" } } };
  const bodies = [{}, { response_format: { json_schema: { schema } } }];
  const texts = bodies.map(async (more) => {
    const body = JSON.stringify({ messages: [{ role: "user", content: "[[401]] a title for this" }], ...more });
    const answer = await fetch(`${model.url}/v1/chat/completions`, { method: "POST", body });
    return ((await answer.json()) as { choices: [{ message: { content: string } }] }).choices[0].message.content;
  });
  expect(await Promise.all(texts)).toEqual(["ok", '{"title":"ok"}']);
});

it("answers what is asked besides", async () => {
  expect((await fetch(`${model.url}/v1/models`)).status).toBe(200);
  expect((await fetch(`${model.url}/v1/messages/count_tokens`, { method: "POST", body: "{}" })).status).toBe(200);
  expect(model.asides).toEqual(["GET /v1/models", "POST /v1/messages/count_tokens"]);
  expect(model.requests).toEqual([]);
});
