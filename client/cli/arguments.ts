/** Values of flags, read and refused. */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { BatchTransport } from '../../methods/batch-transport.js';
import { Failure } from '../../methods/failure.js';
import { TIERS } from '../../methods/tier.js';

/** `--task-queue`, of every command: DURABLE_RAG_TASK_QUEUE as a flag. */
export function taskQueueOption() {
  return new Option(
    '--task-queue <name>',
    'the queue of the workers (default: DURABLE_RAG_TASK_QUEUE, else durable-rag)',
  ).argParser((name) => {
    if (name.trim() !== '') return name;
    throw new InvalidArgumentError('It must be a name.');
  });
}

/** `--tier`, of every command that asks a model. */
export function tierOption() {
  return new Option(
    '--tier <tier>',
    'flex: slower, at a lower price where the provider has it',
  ).choices(TIERS);
}

/** `--transport` and how patient it is, of every command that asks many questions. */
export function transportOptions() {
  return {
    transport: new Option(
      '--transport <how>',
      "batch: model calls go through the provider's batch endpoint, at its price",
    ).choices(['batch'] as const),
    wait: new Option(
      '--batch-wait <time>',
      'how long calls wait for others (default: 60s)',
    ).argParser(duration),
    size: new Option('--batch-size <n>', 'calls of a batch (default: 5000)').argParser(wholeNumber),
    patience: new Option(
      '--batch-patience <time>',
      'after so long a call goes by itself (default: 24h)',
    ).argParser(duration),
  };
}

interface TransportFlags {
  transport?: 'batch' | undefined;
  batchWait?: number | undefined;
  batchSize?: number | undefined;
  batchPatience?: number | undefined;
}

/** The flags of a command with those of the transport as the field of the input. */
export function withTransport<F extends TransportFlags>(flags: F) {
  const { transport, batchWait, batchSize, batchPatience, ...rest } = flags;
  const given = [
    ['waitSeconds', batchWait, '--batch-wait'],
    ['size', batchSize, '--batch-size'],
    ['patienceSeconds', batchPatience, '--batch-patience'],
  ] as const;
  const said = given.filter(([, value]) => value !== undefined);
  if (transport === undefined && said[0]) {
    throw new Failure('BadInput', `${said[0][2]}: has no effect without --transport batch`);
  }
  const fields = Object.fromEntries(said.map(([field, value]) => [field, value]));
  return { ...rest, ...(transport && { transport: fields as Partial<BatchTransport> }) };
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };

/** "60s", "5m", "24h"; a number alone is of seconds. */
export function duration(text: string): number {
  const [, number = '', unit = 's'] = /^([\d.]+)\s*(s|m|min|h|d)?$/.exec(text.trim()) ?? [];
  const seconds = Number(number) * (SECONDS[unit] ?? Number.NaN);
  if (number !== '' && seconds > 0) return seconds;
  throw new InvalidArgumentError('It must be a time, such as 60s, 5m or 24h.');
}

/** "threshold=0.8" and the like, gathered; what is not JSON is text. */
export function collectOption(
  text: string,
  before: Record<string, unknown>,
): Record<string, unknown> {
  const [, key, value] = /^([\w-]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) {
    throw new InvalidArgumentError('It must look like threshold=0.8.');
  }
  return { ...before, [key]: jsonOrText(value) };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It must be a whole number.');
}

export function decimal(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new InvalidArgumentError('It must be a number.');
}

/** A number above 0. */
export function amount(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number above 0.');
}

/** A number above 0, or "none": commander takes null for no value at all. */
export function amountOrNone(text: string): number | 'none' {
  return text === 'none' ? text : amount(text);
}

/** A whole number, or "none". */
export function wholeNumberOrNone(text: string): number | 'none' {
  return text === 'none' ? text : wholeNumber(text);
}

/** "0,0.2,0.4" */
export function shares(text: string): number[] {
  const values = text.split(',').map(Number);
  if (text !== '' && values.every((value) => value >= 0 && value <= 1)) return values;
  throw new InvalidArgumentError('It must be shares from 0 to 1, such as 0,0.2,0.4.');
}

/** "tone,length", or "none" */
export function names(text: string): string[] {
  const listed = text.split(',').map((name) => name.trim());
  if (text === 'none') return [];
  if (listed.every((name) => name !== '')) return listed;
  throw new InvalidArgumentError('It must be names with commas between them, or none.');
}
