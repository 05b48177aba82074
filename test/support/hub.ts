/** A server that gives files as the Hugging Face hub does: by a redirect to a store, in ranges. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { serve } from './listening.js';

export interface HubFile {
  content: Buffer;
  /** @default a commit */
  commit?: string;
  /** Bytes after which the store breaks the connection, once for each start. */
  breaksAfter?: number;
  /** Whether HF_TOKEN is asked for. */
  token?: string;
}

interface Hub {
  url: string;
  /** By "OWNER/NAME/PATH". */
  files: Map<string, HubFile>;
  /** What was asked, in order: "hub PATH", "store PATH RANGE", with the authorization if there was one. */
  asked: string[];
}

export async function startHub(files: Record<string, HubFile>): Promise<Hub> {
  const held = new Map(Object.entries(files));
  const asked: string[] = [];
  const seen = (place: string, { url, headers }: IncomingMessage) => {
    const { range, authorization } = headers;
    asked.push([place, url, range, authorization].filter(Boolean).join(' '));
  };
  const store = await serve((request, response) => {
    seen('store', request);
    const file = held.get(decodeURIComponent(request.url ?? '').slice(1));
    if (!file) return void response.writeHead(404).end();
    const { content, breaksAfter } = file;
    const etag = `"${sha256(content)}"`;
    const { range, 'if-range': condition } = request.headers;
    const isSame = condition === undefined || condition === etag;
    const start = isSame ? Number(/bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0) : 0;
    if (start > 0 && start >= content.length) {
      return void response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
    }
    const rest = content.subarray(start);
    const headers = { etag, 'content-length': rest.length, 'accept-ranges': 'bytes' };
    response.writeHead(start > 0 ? 206 : 200, headers);
    if (breaksAfter === undefined || rest.length <= breaksAfter) return void response.end(rest);
    response.write(rest.subarray(0, breaksAfter), () => response.socket?.end());
  });
  const url = await serve((request, response) => {
    seen('hub', request);
    const [, path, revision, inside] =
      /^\/datasets\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(request.url ?? '') ?? [];
    const file = held.get(decodeURIComponent(`${path}/${inside}`));
    const known = [...held.keys()].some((key) => key.startsWith(`${path}/`));
    if (!file || revision === 'gone') {
      const code = !known
        ? 'RepoNotFound'
        : revision === 'gone'
          ? 'RevisionNotFound'
          : 'EntryNotFound';
      return void response.writeHead(404, { 'x-error-code': code }).end();
    }
    if (file.token && request.headers.authorization !== `Bearer ${file.token}`) {
      return void response.writeHead(401, { 'x-error-code': 'GatedRepo' }).end();
    }
    const commit = file.commit ?? '5f0a3c21b7';
    response.writeHead(302, {
      'x-repo-commit': commit,
      'x-linked-size': file.content.length,
      'x-linked-etag': `"${sha256(file.content)}"`,
      etag: `"${commit}"`,
      location: `${store}/${path}/${inside}`,
    });
    response.end('Found. Redirecting');
  });
  return { url, files: held, asked };
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
