/** A local search service of the HTTP retriever's protocol, which misbehaves on command. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from './listening.js';

interface SearchBody {
  query?: string;
  k?: number;
  mode?: string;
  ids?: string[];
}

/** What is answered in place of passages: a status, a body as it is, or a connection that breaks. */
export type Trouble =
  | { status: number; body?: string; headers?: Record<string, string> }
  | 'hang'
  | 'reset';

export type SearchServer = Awaited<ReturnType<typeof startSearchServer>>;

export interface ServedPassage {
  id: string;
  title?: string | null;
  text?: string;
}

/** Serves passages, ranked by how many words of the query they have. */
export async function startSearchServer(passages: readonly ServedPassage[] = []) {
  const requests: { body: SearchBody; headers: IncomingHttpHeaders; path: string }[] = [];
  /** For the requests from now on. */
  const state: { trouble: Trouble | undefined } = { trouble: undefined };
  const server = createServer(async (incoming, response) => {
    const body: SearchBody = JSON.parse(await text(incoming));
    requests.push({ body, headers: incoming.headers, path: incoming.url ?? '' });
    const { trouble } = state;
    if (trouble === 'hang') return;
    if (trouble === 'reset') return void response.destroy();
    if (trouble) {
      response.writeHead(trouble.status, trouble.headers).end(trouble.body);
      return;
    }
    response.end(JSON.stringify({ passages: body.ids ? lookup(body.ids) : search(body) }));
  });

  function lookup(ids: readonly string[]) {
    return passages.filter(({ id }) => ids.includes(id));
  }

  function search({ query = '', k }: SearchBody) {
    const words = new Set(query.toLowerCase().match(/\p{L}+/gu));
    return passages
      .map((passage) => ({ ...passage, score: overlap(passage, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, k);
  }

  const { address, close } = await listening(server);
  return Object.assign(state, { url: `http://${address}/search`, requests, close });
}

function overlap({ title, text: body }: ServedPassage, words: ReadonlySet<string>): number {
  const own = `${title} ${body}`.toLowerCase().match(/\p{L}+/gu) ?? [];
  return own.filter((word) => words.has(word)).length;
}
