/** Results as the command line prints them. */

import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { renderResult } from '../../cli/render-result.js';
import type { MethodResult } from '../../core/result.js';
import { NO_USAGE } from '../../core/usage.js';
import { type MethodName, methodRegistry } from '../../interpreters/methods.js';

const titles = [
  'Alexander Graham Bell',
  'Elisha Gray and Alexander Bell telephone controversy',
  'Antonio Meucci',
  'Invention of the telephone',
  '',
];
/** Found in this order; the last has no title. */
export const passages = titles.map((title, i) => ({ id: `wiki-${i + 1}`, title, score: 9.5 - i }));

/** What `ask` prints of a chain, without colours; no line of it is wider than the terminal. */
export function shown(
  method: MethodName,
  chain: unknown,
  more: Partial<MethodResult> = {},
): string {
  const result: MethodResult = {
    workflowId: 'ask-1',
    method,
    question: 'Who got the first patent for the telephone?',
    outcome: 'answered',
    answer: 'Bell',
    evidence: [],
    chain,
    usage: { ...NO_USAGE, calls: 7, promptTokens: 8210, completionTokens: 412, costUsd: 0.0012 },
    retrievals: 1,
    steps: {},
    flags: [],
    ...more,
  };
  const text = renderResult(result, {
    seconds: 12.34,
    historyUrl: undefined,
    methods: methodRegistry(),
  });
  const plain = stripVTControlCharacters(text);
  for (const line of plain.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  return plain;
}
