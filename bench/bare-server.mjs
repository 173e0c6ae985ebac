// The baseline of `bench broker`: node's HTTP server, which reads the body and answers 202.
import { createServer } from "node:http";

let seq = 0;
const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const body = JSON.stringify({ seq: ++seq });
    response.writeHead(202, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
  });
});
server.listen(0, "127.0.0.1", 1_024, () => process.stdout.write(`${server.address().port}\n`));
