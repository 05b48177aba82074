/** Values of flags, read and refused. */
import { InvalidArgumentError } from '@commander-js/extra-typings';

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };

/** "60s", "5m", "24h" in seconds, as which a number alone counts; undefined for what is no time. */
export function duration(text: string): number | undefined {
  const [, number = '', unit = 's'] = /^([\d.]+)\s*(s|m|min|h|d)?$/.exec(text.trim()) ?? [];
  const seconds = Number(number) * (SECONDS[unit] ?? Number.NaN);
  return number === '' || Number.isNaN(seconds) ? undefined : seconds;
}

/** "threshold=0.8" and the like, gathered; what is not JSON is text. */
export function collectPair(
  text: string,
  before: Record<string, unknown> = {},
): Record<string, unknown> {
  const [, key, value] = /^([\w-]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) {
    throw new InvalidArgumentError('It must look like name=value.');
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
