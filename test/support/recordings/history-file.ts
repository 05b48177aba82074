/**
 * Recorded histories as files: an event a line, its payloads readable, and nothing in them that is
 * another one each time they are recorded: names of machines, times, random ids.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../stores/package-root.js';
import type { History } from '../history.js';

export const FOLDER = join(import.meta.dirname, '../../workflows/histories');

/** Of no use to a replay. */
const LEFT_OUT = new Set([
  'taskId',
  'requestId',
  'identity',
  'workerVersion',
  'historySizeBytes',
  'meteringMetadata',
  'stackTrace',
  'sdkName',
  'sdkVersion',
]);

/** Which are set, in an order of no meaning. */
const FLAGS = 'coreUsedFlags';

/** 'json/plain' as base64. */
const JSON_PLAIN = 'anNvbi9wbGFpbg==';

/** What every recording begins at; each event comes a second after the one before it. */
const START_SECONDS = 1_750_000_000;
const HOUR_MS = 3_600_000;

/** The address of a call ("read 1f...") is none: a fork finds its records by it. */
const RANDOM_ID =
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|(?<=(?<![\w-])(?:t|v1)-)[\w-]{16}(?![\w-])|(?<=(?<![\w-])p-)[\w-]{22}(?![\w-])|(?<![0-9a-f]|^\w+ )(?:[0-9a-f]{24}|[0-9a-f]{32})(?![0-9a-f])/g;
/** What makes a question so long that a page is full of few of them. */
const FILLER = /(.)\1{1000,}/g;

export interface RecordedEvent {
  workflowExecutionStartedEventAttributes?: { workflowId: string; workflowType: { name: string } };
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
}

export async function writeHistory(name: string, { events }: History) {
  const ids = new Map<string, string>();
  const plain = JSON.parse(JSON.stringify(events ?? [])) as unknown[];
  const lines = plain.map((event, i) =>
    JSON.stringify(settled(event, { ids, at: START_SECONDS + i })),
  );
  await writeFile(join(FOLDER, `${name}.json`), `{"events":[\n${lines.join(',\n')}\n]}\n`);
}

/** The history as Temporal's own JSON has it. */
export async function readHistory(name: string): Promise<{ events: RecordedEvent[] }> {
  const text = await readFile(join(FOLDER, `${name}.json`), 'utf8');
  return JSON.parse(text, (_, value) => (isReadable(value) ? payloadOf(value.json) : value));
}

function isReadable(value: unknown): value is { json: unknown } {
  return Object.keys(Object(value)).join() === 'json';
}

function payloadOf(json: unknown) {
  const data = Buffer.from(JSON.stringify(json)).toString('base64');
  return { metadata: { encoding: JSON_PLAIN }, data };
}

interface Scenario {
  /** What stands in the place of random ids, by these. */
  ids: Map<string, string>;
  /** Seconds of the event. */
  at: number;
}

/** An event without what changes from run to run, its keys in order. */
function settled(value: unknown, scenario: Scenario): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isTime(value)) {
    return settledJson(value, scenario, settled);
  }
  const { metadata, data } = value as Record<string, unknown>;
  if (typeof data === 'string' && isPlainJson(metadata)) {
    return { json: settledJson(JSON.parse(Buffer.from(data, 'base64').toString()), scenario) };
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !LEFT_OUT.has(key))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, item]) => [key, key === FLAGS ? [...item].sort() : settled(item, scenario)]),
  );
}

/** The same of what stands in a payload, all of whose keys are kept as they are. */
function settledJson(value: unknown, scenario: Scenario, inner = settledJson): unknown {
  if (Array.isArray(value)) return value.map((item) => inner(item, scenario));
  if (typeof value === 'number') return isNow(value) ? scenario.at * 1000 : value;
  if (typeof value === 'string') return settledText(value, scenario);
  if (typeof value !== 'object' || value === null) return value;
  if (isTime(value)) return { seconds: scenario.at, nanos: 0 };
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, inner(item, scenario)]),
  );
}

function settledText(text: string, { ids }: Scenario): string {
  return text
    .replaceAll(packageRoot(), 'folder')
    .replaceAll(`${process.pid}@${hostname()}`, 'worker')
    .replace(RANDOM_ID, (id) => {
      const count = String(ids.size + 1).padStart(12, '0');
      if (!ids.has(id)) ids.set(id, `00000000-0000-4000-8000-${count}`);
      return ids.get(id) ?? '';
    })
    .replace(FILLER, '$1');
}

function isPlainJson(metadata: unknown): boolean {
  const { encoding, ...more } = Object(metadata) as Record<string, unknown>;
  return encoding === JSON_PLAIN && Object.keys(more).length === 0;
}

/** A point in time that was a short while ago; what lasts some seconds is none. */
function isTime(value: object): boolean {
  return 'seconds' in value && isNow(Number(value.seconds) * 1000);
}

function isNow(ms: number): boolean {
  return Math.abs(Date.now() - ms) < HOUR_MS;
}
