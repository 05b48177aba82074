/** The agent of the docs, and the service that it files its notes with. */
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { loadModule } from '../../stores/load-module.js';
import { packageRoot } from '../../stores/package-root.js';
import type { OwnMethod } from '../../workflows/define-method.js';
import { temporaryFolder } from './folder.js';

/** Returns the example as it stands, with what is built in place of the package's name. */
export async function exampleAgent(): Promise<OwnMethod<unknown>> {
  const text = await readFile(join(packageRoot(), 'examples', 'own-agent', 'agent.ts'), 'utf8');
  const module = join(await temporaryFolder(), 'agent.ts');
  const declare = join(packageRoot(), 'dist', 'workflows', 'declare.js');
  await writeFile(module, text.replace("'durable-rag/methods'", `'${declare}'`));
  return (await loadModule(module)).agent as OwnMethod<unknown>;
}

/** A note as the service is sent it. */
interface SentNote {
  key: unknown;
  body: string;
}

/**
 * Starts a service for notes until the test ends. Returns the notes that it was sent.
 *
 * @param answer Answers the request with this number, from 0. @default 201
 */
export async function noteService(
  answer: (number: number, response: ServerResponse) => void = (_, response) =>
    void response.writeHead(201).end(),
): Promise<readonly SentNote[]> {
  const sent: SentNote[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      sent.push({ key: request.headers['idempotency-key'], body });
      answer(sent.length - 1, response);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  vi.stubEnv('NOTES_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return sent;
}
