/** Reads an error answer, whichever shape its provider gives it, into one form. Pure. */

import { jsonIn } from '../core/canonical-json.js';
import { fields } from './fields.js';
import { NO_HEADERS, parseWait, type ResponseHeaders } from './retry-after.js';

/** What an error answer says, from its outermost part to its innermost. */
export interface ErrorAnswer {
  /** The HTTP status; 200 for an error inside a good answer. */
  http: number;
  /** The status that counts: the body's, else the HTTP status; undefined for a 200 without one. */
  status: number | undefined;
  /** Words that name what is wrong, such as a code, a type or a reason. */
  codes: readonly string[];
  /** The parameters that it is about, each with where it stands: "body.seed". */
  params: readonly string[];
  message: string;
  headers: ResponseHeaders;
  /** The wait that the body asks for, in milliseconds. */
  waitMs: number | undefined;
  /** Headers of another server that the body repeats. */
  inner: ResponseHeaders;
  /** Whether the client would retry, if it does not decide by the status. */
  shouldRetry?: boolean | undefined;
}

/** What may be an error inside an answer with status 200. */
interface InsideError {
  answer: ErrorAnswer;
  /** Whether it is one, whatever it says: in a choice, or without an envelope, it may be none. */
  isCertain: boolean;
  /** Whether it stands in the choice, beside what was written. */
  inChoice: boolean;
}

/** The fields that are read, without regard to case, "_" and "-". */
const STATUS = ['status', 'statuscode', 'httpstatus', 'httpstatuscode', 'httpcode'];
const CODE = ['code', 'errorcode', 'errcode'];
const WORDS = [...CODE, 'type', 'errortype', 'reason', 'status', 'kind', 'name'];
const PARAMS = ['param', 'parameter', 'field', 'target', 'argument'];
const TEXTS = [
  'message',
  'msg',
  'error',
  'errors',
  'errormessage',
  'errormsg',
  'errordescription',
  'statusmsg',
  'detail',
  'details',
  'description',
  'title',
  'raw',
];
const WAITS = { retrydelay: 1000, retryafter: 1000, retryafterseconds: 1000, retryafterms: 1 };

/** The fields that repeat the request, or what the model wrote. */
const REPEATED = ['input', 'messages', 'prompt', 'choices', 'failedgeneration', 'request'];

/** How deep parts are looked for: a router may wrap the answer of a router. */
const DEPTH = 16;

interface Found {
  statuses: number[];
  codes: string[];
  params: string[];
  texts: string[];
  waits: number[];
  headers: Map<string, string>;
}

/**
 * Returns what an error answer says.
 *
 * @param body As it was parsed, or a text that is no JSON.
 */
export function readError(
  body: unknown,
  http: number,
  headers: ResponseHeaders = NO_HEADERS,
): ErrorAnswer {
  const found = search(typeof body === 'string' ? { message: body } : body);
  const { statuses, codes, params, texts, waits } = found;
  const said = [...new Set(texts)].join(' ').trim();
  return {
    http,
    status: statuses[0] ?? (http >= 300 ? http : undefined),
    codes,
    params,
    message: said || (says(body) ? JSON.stringify(body) : ''),
    headers,
    waitMs: waits[0],
    inner: found.headers,
  };
}

/** What holds the results of the endpoints that are asked. */
const RESULTS = ['choices', 'data', 'results'];

/**
 * Returns the error inside an answer with status 200; undefined if there is none, or an empty one.
 */
export function errorInside(body: unknown): InsideError | undefined {
  const { choices, ...rest } = fields(body);
  const { error } = fields(Array.isArray(choices) ? choices[0] : undefined);
  if (says(rest.error)) return { answer: readError(rest, 200), isCertain: true, inChoice: false };
  if (says(error)) return { answer: readError({ error }, 200), isCertain: false, inChoice: true };
  // Some servers send an error without its envelope.
  const isCertain = rest.object === 'error' || rest.type === 'error' || says(rest.errors);
  const isPossible = !RESULTS.some((name) => Array.isArray(fields(body)[name]));
  if (!isCertain && !isPossible) return undefined;
  return { answer: readError(rest, 200), isCertain, inChoice: false };
}

/** Tells whether a value says anything: an empty object, null, 0 and "" do not. */
export function says(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (typeof value !== 'object' || value === null) return Boolean(value);
  return Object.values(value).some(says);
}

/** Looks through all parts of a body, outer ones first. */
function search(body: unknown): Found {
  const found: Found = {
    statuses: [],
    codes: [],
    params: [],
    texts: [],
    waits: [],
    headers: new Map(),
  };
  let level: unknown[] = [body];
  for (let depth = 0; depth < DEPTH && level.length > 0; depth++) {
    level = level.flatMap((part) => look(part, found));
  }
  return found;
}

/** Notes what a part says itself, and returns the parts inside it. */
function look(part: unknown, found: Found): unknown[] {
  if (Array.isArray(part)) return part;
  const known = Object.entries(fields(part)).map(([name, value]) => [plain(name), value] as const);
  const statuses = [...STATUS, ...CODE].flatMap((wanted) =>
    known.flatMap(([name, value]) => (name === wanted && isStatus(value) ? Number(value) : [])),
  );
  found.statuses.push(...statuses.slice(0, 1));
  const path = pathIn(part);
  if (path.length > 0) found.params.push(path.join('.'));
  const inside: unknown[] = [];
  for (const [name, value] of known) {
    if (REPEATED.includes(name)) continue;
    if (name === 'headers') addHeaders(value, found);
    else if (Object.hasOwn(WAITS, name)) addWait(value, WAITS[name as keyof typeof WAITS], found);
    else if (Array.isArray(value) && TEXTS.includes(name))
      inside.push(...value.flatMap((one) => (typeof one === 'string' ? addText(one, found) : one)));
    else if (typeof value === 'object') inside.push(value);
    else if (typeof value !== 'string' || value === '') continue;
    else if (WORDS.includes(name)) found.codes.push(value);
    else if (PARAMS.includes(name)) found.params.push(value);
    else if (TEXTS.includes(name)) inside.push(...addText(value, found, path));
  }
  return inside;
}

/** Notes a text, and returns what is said by the JSON in it. */
function addText(text: string, found: Found, path: readonly string[] = []): unknown[] {
  const [json = ''] = /[{[][\s\S]*[}\]]/.exec(text) ?? [];
  const parsed = jsonIn(json);
  const inside = typeof parsed === 'object' && says(parsed) ? [parsed] : [];
  // JSON alone is told by what is in it.
  if (inside.length === 0 || json !== text.trim())
    found.texts.push(path.length > 0 ? `${path.join('.')}: ${text}` : text);
  return inside;
}

/** Returns where a validator found a fault: ["body", "seed"]. */
function pathIn(part: unknown): string[] {
  const { loc } = fields(part);
  return Array.isArray(loc) ? loc.filter((name) => typeof name === 'string') : [];
}

function addHeaders(value: unknown, { headers }: Found): void {
  for (const [name, said] of Object.entries(fields(value))) {
    headers.set(name.toLowerCase(), String(said));
  }
}

/** Google's durations are a text ("34s") or an object with seconds. */
function addWait(value: unknown, unitMs: number, { waits }: Found): void {
  const { seconds } = fields(value);
  const wait = parseWait(String(seconds ?? value), unitMs);
  if (wait !== undefined) waits.push(wait);
}

function isStatus(value: unknown): boolean {
  return /^[45]\d\d$/.test(String(value));
}

/** Returns a name as others write it too: "statusCode" and "status_code" are one. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}
