/** A web page that asks, and shows how far the answer is. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { createClient } from 'durable-rag';

const method: string = process.env.METHOD ?? 'sure';
const client = await createClient();
const page = await readFile(new URL('page.html', import.meta.url));
const open = new Map<string, Awaited<ReturnType<typeof client.startNamed>>>();

const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    // Who asks the same while it is under way, or again later, is given the same answer.
    const question = await client.startNamed(method, { question: await text(request) });
    const id = encodeURIComponent(question.workflowId);
    open.set(id, question);
    return response.end(id);
  }
  const question = open.get(request.url?.replace('/questions/', '') ?? '');
  if (!question) return response.setHeader('content-type', 'text/html').end(page);

  response.setHeader('content-type', 'text/event-stream');
  const tell = (what: object) => response.write(`data: ${JSON.stringify(what)}\n\n`);
  const result = question.result();
  while (!response.destroyed && (await Promise.race([result, setTimeout(500)])) === undefined) {
    await question.progress().then(
      ({ usage }) => tell({ calls: usage.calls }),
      () => {},
    );
  }
  const { outcome, answer } = await result;
  tell({ outcome, answer });
  response.end();
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(server.address());
});
