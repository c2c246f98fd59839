"use strict";

/** A model without a model: a server on this machine that has Claude Code run what a script says. */

const http = require("node:http");

exports.newModel = async (test) => {
  const model = { commands: [], results: [], requests: [] };
  const server = http.createServer((request, response) => {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.on("end", () => {
      if (!request.url.split("?")[0].endsWith("/messages")) {
        return reply(response, "application/json", JSON.stringify({ data: [], input_tokens: 1 }));
      }
      const asked = JSON.parse(Buffer.concat(pieces));
      const block = next(model, asked);
      if (asked.stream) {
        return reply(response, "text/event-stream", events(block));
      }
      reply(response, "application/json", JSON.stringify(message({ content: [block], stop_reason: reason(block) })));
    });
  });
  // Whoever wants to go elsewhere.
  server.on("connect", (request, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return Object.assign(model, { url: `http://127.0.0.1:${server.address().port}` });
};

/** How far the script is stands in every request, so a request that is repeated gets the same answer. */
function next(model, asked) {
  model.requests.push(asked);
  if (!asked.tools?.some((tool) => tool.name === "Bash")) {
    return { type: "text", text: "Done." };
  }
  const blocks = asked.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  model.results = blocks.filter((block) => block.type === "tool_result").map((block) => textOf(block.content));
  const number = model.results.length;
  if (number >= model.commands.length) {
    return { type: "text", text: "Done." };
  }
  const input = { command: model.commands[number], description: "as asked" };
  return { type: "tool_use", id: `call_${number}`, name: "Bash", input };
}

function textOf(content) {
  return Array.isArray(content) ? content.map((block) => block.text ?? "").join("\n") : (content ?? "");
}

function reason(block) {
  return block.type === "tool_use" ? "tool_use" : "end_turn";
}

function message(members) {
  const head = { id: "msg_1", type: "message", role: "assistant", model: "scripted", stop_sequence: null };
  return { ...head, usage: { input_tokens: 1, output_tokens: 1 }, ...members };
}

function events(block) {
  const [empty, delta] =
    block.type === "tool_use"
      ? [{ ...block, input: {} }, { type: "input_json_delta", partial_json: JSON.stringify(block.input) }]
      : [{ ...block, text: "" }, { type: "text_delta", text: block.text }];
  return [
    { type: "message_start", message: message({ content: [], stop_reason: null }) },
    { type: "content_block_start", index: 0, content_block: empty },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: reason(block), stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("");
}

function reply(response, kind, body) {
  response.writeHead(200, { "content-type": kind }).end(body);
}
