/** What CLIs ask of a model's server besides the model: harmless answers, so that they go on. `url` is path and query. */
export function answerAside(url: string): { status: number; body: unknown } {
  const path = url.split("?")[0] ?? "";
  if (path.endsWith("/count_tokens")) return { status: 200, body: { input_tokens: 100 } };
  if (path.endsWith(":countTokens")) return { status: 200, body: { totalTokens: 100 } };
  if (path.endsWith("/models")) return { status: 200, body: url.includes("client_version") ? { models: [] } : MODELS };
  if (path === "/" || path === "") return { status: 200, body: {} };
  return { status: 404, body: { error: { message: "there is nothing here", type: "not_found_error" } } };
}

const MODELS = {
  object: "list",
  data: [{ id: "fake-1", object: "model", created: 1, owned_by: "fake" }],
  models: [{ name: "models/fake-1" }],
};
