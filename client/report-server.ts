/** Serves the current report of runs to a browser on this machine. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { checkAgainst } from '../core/options/checked.js';
import { BadInput } from '../core/options/problems.js';
import type { WrittenReport } from '../report/write-report.js';
import type { Mark } from '../stores/runs/run-store.js';
import { hasJsonBody, type Listening, listenOnLoopback, readBody, sendJson } from './loopback.js';

/** The functions behind the page. */
interface ServedReport {
  /** Writes the current page piece by piece. */
  write(write: (text: string) => Promise<void>): Promise<WrittenReport>;
  /** Returns the prompts and replies of a call; null if they no longer exist. */
  raw(
    run: string,
    id: string,
    call: string,
  ): Promise<{ prompt: string | null; reply: string | null }[]>;
  /** Stores a person's verdict on an answer. */
  mark(run: string, mark: Mark): Promise<void>;
}

/** Maximum number of bytes of a request's body. */
const MOST_BYTES = 2 ** 20;

const marking = z.strictObject({
  run: z.string().min(1),
  id: z.string(),
  of: z.iso.datetime(),
  says: z.enum(['right', 'wrong']).nullable(),
  note: z.string().max(10_000),
});

/**
 * Serves the report of runs on 127.0.0.1: its page, the prompts and replies of calls, and the
 * setting of marks. Every request must contain the secret token in the URL. Refuses requests from
 * pages of another origin.
 *
 * @param report Writes the page, reads prompts and replies, and stores marks.
 * @param port 0 for any free port.
 * @returns The URL of the page, and a function that closes the server.
 * @throws Failure BadInput if the port is taken.
 */
export async function serveReport(report: ServedReport, port: number): Promise<Listening> {
  const token = randomBytes(16).toString('hex');
  const page = new LatestPage(report);
  const { url, close } = await listenOnLoopback(port, (request, response) =>
    answer(request, response, { report, page, token }),
  );
  return { url: `${url}/${token}/`, close };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { report, page, token }: { report: ServedReport; page: LatestPage; token: string },
): Promise<void> {
  const { origin, host } = request.headers;
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
  const [, given, what] = /^\/([^/]*)\/([^/]*)$/.exec(pathname) ?? [];
  const isOurs = origin === undefined || origin === `http://${host}`;
  if (!isOurs || given !== token) return sendJson(response, 403);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('X-Frame-Options', 'DENY');
  switch (`${request.method} ${what}`) {
    case 'GET ': {
      const { html } = await page.latest();
      response.setHeader('Content-Type', 'text/html; charset=utf-8');
      response.end(html);
      return;
    }
    case 'GET version':
      return sendJson(response, 200, (await page.latest()).written);
    case 'GET raw': {
      const [run = '', id = '', call = ''] = ['run', 'id', 'call'].map(
        (name) => searchParams.get(name) ?? '',
      );
      return sendJson(response, 200, await report.raw(run, id, call));
    }
    case 'POST mark': {
      if (!hasJsonBody(request)) return sendJson(response, 415);
      const parsed = checkAgainst(marking, JSON.parse(await readBody(request, MOST_BYTES)));
      if (parsed.problems) throw new BadInput(parsed.problems);
      const { run, ...mark } = parsed.data;
      await report.mark(run, { ...mark, at: new Date().toISOString() });
      page.forget();
      return sendJson(response, 200, {});
    }
    default:
      return sendJson(response, 404);
  }
}

/** A rendered page. */
interface Made {
  html: string;
  written: WrittenReport;
}

/**
 * The last rendered page. It is rendered again once it is too old; the longer that takes, the more
 * rarely.
 */
class LatestPage {
  #made: Promise<Made> | undefined;
  #stale = Infinity;

  constructor(private readonly report: ServedReport) {}

  latest(): Promise<Made> {
    if (this.#made && Date.now() < this.#stale) return this.#made;
    this.#stale = Infinity;
    this.#made = this.#make();
    return this.#made;
  }

  forget(): void {
    this.#stale = 0;
  }

  async #make(): Promise<Made> {
    const at = Date.now();
    const parts: string[] = [];
    try {
      const written = await this.report.write(async (text) => void parts.push(text));
      const took = Date.now() - at;
      this.#stale = Math.min(this.#stale, at + took + Math.max(FRESH_MS, REST * took));
      return { html: parts.join(''), written };
    } catch (error) {
      this.#stale = 0;
      throw error;
    }
  }
}

/**
 * Smallest age of a page before it is rendered again: in milliseconds, and as a multiple of the
 * time that rendering takes.
 */
const FRESH_MS = 2000;
const REST = 10;
