/** Values of flags, read and refused. */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { TIERS } from '../../methods/tier.js';

/** `--tier`, of every command that asks a model. */
export function tierOption() {
  return new Option(
    '--tier <tier>',
    'flex: slower, at a lower price where the provider has it',
  ).choices(TIERS);
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
