/** Reads error answers of all providers into one form. Pure. */

import { parseJson } from '../core/canonical-json.js';
import { fields } from './response-fields.js';
import { NO_HEADERS, parseWait, type ResponseHeaders } from './retry-after.js';

/**
 * A provider's error answer in the same form for all providers: its status, error codes, refused
 * parameters, message, and wait in milliseconds. Lists are ordered from the outermost part of the
 * answer inwards.
 */
export interface ErrorAnswer {
  /** The HTTP status; 200 for an error inside a good answer. */
  http: number;
  /** The status in the body, otherwise the HTTP status; undefined for a 200 whose body has none. */
  status: number | undefined;
  /** Words that name the error, such as a code, a type or a reason. */
  codes: readonly string[];
  /**
   * Names of the refused parameters, as far as the answer has them: "seed", or with a path
   * "body.seed".
   */
  params: readonly string[];
  message: string;
  headers: ResponseHeaders;
  /** The wait that the body asks for, in milliseconds; undefined if none. */
  waitMs: number | undefined;
  /** Headers of another server's answer, repeated in the body. */
  inner: ResponseHeaders;
  /** Whether the provider asks for a retry or against it; undefined if only the status decides. */
  shouldRetry?: boolean | undefined;
}

/** A possible error inside an answer with status 200. */
interface InsideError {
  answer: ErrorAnswer;
  /** Whether it is certainly an error. In a choice, or without an envelope, it may not be one. */
  isCertain: boolean;
  /** Whether it is inside the choice, beside the generated text. */
  inChoice: boolean;
}

/** Names of fields that are read, ignoring case, "_" and "-". */
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

/** Fields that repeat the request or the generated text. */
const REPEATED = ['input', 'messages', 'prompt', 'choices', 'failedgeneration', 'request'];

/** Greatest depth of nested errors: a router may wrap the answer of a router. */
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
 * Returns the status, codes, refused parameters, message and wait in a provider's error answer,
 * whatever the shape of its body.
 *
 * @param body The parsed body, or a text that is not JSON.
 * @param http The HTTP status.
 */
export function readError(
  body: unknown,
  http: number,
  headers: ResponseHeaders = NO_HEADERS,
): ErrorAnswer {
  const found = collectAll(typeof body === 'string' ? { message: body } : body);
  const { statuses, codes, params, texts, waits } = found;
  const message = [...new Set(texts)].join(' ').trim();
  return {
    http,
    status: statuses[0] ?? (http >= 300 ? http : undefined),
    codes,
    params,
    message: message || (hasContent(body) ? JSON.stringify(body) : ''),
    headers,
    waitMs: waits[0],
    inner: found.headers,
  };
}

/** Fields with the results of chat, embedding and rerank endpoints. */
const RESULTS = ['choices', 'data', 'results'];

/**
 * Returns the error inside an answer with status 200 as `answer`, and whether it certainly is one
 * (`isCertain`) and is inside the choice, beside the generated text (`inChoice`). An answer
 * without a list of results (`choices`, `data` or `results`) is always a possible error. Undefined
 * for every other answer without an error.
 */
export function errorInside(body: unknown): InsideError | undefined {
  const { choices, ...rest } = fields(body);
  const { error } = fields(Array.isArray(choices) ? choices[0] : undefined);
  if (hasContent(rest.error))
    return { answer: readError(rest, 200), isCertain: true, inChoice: false };
  if (hasContent(error))
    return { answer: readError({ error }, 200), isCertain: false, inChoice: true };
  // Some servers send an error without its envelope.
  const isCertain = rest.object === 'error' || rest.type === 'error' || hasContent(rest.errors);
  const isPossible = !RESULTS.some((name) => Array.isArray(fields(body)[name]));
  if (!isCertain && !isPossible) return undefined;
  return { answer: readError(rest, 200), isCertain, inChoice: false };
}

/**
 * Returns whether a value contains information: blank text, 0, false, null, and objects and lists
 * of nothing else do not.
 */
export function hasContent(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (typeof value !== 'object' || value === null) return Boolean(value);
  return Object.values(value).some(hasContent);
}

/** Searches all parts of a body, outer ones first. */
function collectAll(body: unknown): Found {
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
    level = level.flatMap((part) => collect(part, found));
  }
  return found;
}

/** Adds the information of one part of a body to `found`; returns the parts inside it. */
function collect(part: unknown, found: Found): unknown[] {
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

/** Adds a text to `found`; returns the JSON inside the text, if any, as a list of one. */
function addText(text: string, found: Found, path: readonly string[] = []): unknown[] {
  const [json = ''] = /[{[][\s\S]*[}\]]/.exec(text) ?? [];
  const parsed = parseJson(json);
  const inside = typeof parsed === 'object' && hasContent(parsed) ? [parsed] : [];
  // A text that is only JSON is represented by its content.
  if (inside.length === 0 || json !== text.trim())
    found.texts.push(path.length > 0 ? `${path.join('.')}: ${text}` : text);
  return inside;
}

/** Returns the path at which a validator found an error: ["body", "seed"]. */
function pathIn(part: unknown): string[] {
  const { loc } = fields(part);
  return Array.isArray(loc) ? loc.filter((name) => typeof name === 'string') : [];
}

function addHeaders(value: unknown, { headers }: Found): void {
  for (const [name, header] of Object.entries(fields(value))) {
    headers.set(name.toLowerCase(), String(header));
  }
}

/** Adds a wait. Google writes durations as text ("34s") or as an object with seconds. */
function addWait(value: unknown, unitMs: number, { waits }: Found): void {
  const { seconds } = fields(value);
  const wait = parseWait(String(seconds ?? value), unitMs);
  if (wait !== undefined) waits.push(wait);
}

function isStatus(value: unknown): boolean {
  return /^[45]\d\d$/.test(String(value));
}

/** Returns a field name in normal form: "statusCode" and "status_code" are equal. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}
