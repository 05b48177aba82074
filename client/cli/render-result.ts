/** An answer as a person likes to read it. Pure. */
import pc from 'picocolors';
import type { MethodResult } from '../../methods/result.js';
import type { SureChain } from '../../methods/sure.js';
import type { Usage } from '../../methods/usage.js';
import type { PassageRef } from '../../methods/vocabulary.js';

const WIDTH = 88;

/** What of a chain is shown; every part is shown where the method has it. */
type Chain = Partial<SureChain> & { passages?: PassageRef[] };

/** The answer, why, what it took, and where its history is. */
export function renderResult(
  result: MethodResult,
  { seconds, historyUrl }: { seconds: number; historyUrl: string | undefined },
): string {
  const chain = (result.chain ?? {}) as Chain;
  return [
    headline(result),
    ...renderCandidates(result, chain),
    ...renderPassageList(chain.passages ?? []),
    ...result.flags.map(({ kind, step, detail }) => pc.yellow(`! ${step}, ${kind}: ${detail}`)),
    pc.dim(`${renderUsage(result.usage)}, ${seconds.toFixed(1)} s`),
    pc.dim(`History: ${historyUrl ?? `workflow ${result.workflowId}`}`),
  ].join('\n');
}

function headline({ outcome, answer, failure }: MethodResult): string {
  switch (outcome) {
    case 'answered':
      return `\n  ${pc.bold(pc.green(answer ?? ''))}\n`;
    case 'unknown':
      return `\n  ${pc.bold(pc.yellow('Unknown'))}: the model says that it does not know.\n`;
    case 'unreadable':
      return `\n  ${pc.bold(pc.red('Unreadable'))}: the model's output could not be read as an answer.\n`;
    case 'failed': {
      const where = failure?.step ? ` in ${failure.step}` : '';
      return `\n  ${pc.bold(pc.red('Failed'))}${where} (${failure?.type}): ${failure?.message}\n`;
    }
  }
}

function renderCandidates({ answer }: MethodResult, { candidates, votes }: Chain): string[] {
  const judged = candidates?.filter(({ summary }) => summary !== undefined) ?? [];
  if (judged.length === 0) return [];
  const rivals = judged.length - 1;
  const unread = votes?.filter(({ choice }) => choice === null).length ?? 0;
  return [
    pc.bold('Why'),
    ...judged.flatMap(({ text, summary, valid, rank }) => [
      `${text === answer ? pc.green('*') : ' '} ${pc.bold(text)}  ${pc.dim(
        [
          ...(valid === undefined ? [] : [valid ? 'supported' : 'not supported']),
          ...(rank === undefined ? [] : [`${rank} of ${rivals} in comparison`]),
        ].join(', '),
      )}`,
      ...wrap(summary ?? '', '    '),
    ]),
    ...(unread > 0
      ? [pc.dim(`  ${unread} of ${votes?.length} comparisons could not be read`)]
      : []),
    '',
  ];
}

function renderPassageList(passages: readonly PassageRef[]): string[] {
  if (passages.length === 0) return [];
  const titles = passages.map(({ id, title }) => title || id).join('; ');
  return [pc.bold(`Passages read (${passages.length})`), ...wrap(titles, '    '), ''];
}

/** "7 calls (2 from cache), 3,210 prompt tokens (1,800 cached), 410 completion tokens, $0.0012" */
export function renderUsage(usage: Usage): string {
  const { calls, cachedCalls, promptTokens, cachedPromptTokens, completionTokens, costUsd } = usage;
  return [
    `${count(calls)} ${calls === 1 ? 'call' : 'calls'}${cachedCalls > 0 ? ` (${count(cachedCalls)} from cache)` : ''}`,
    `${count(promptTokens)} prompt tokens${cachedPromptTokens > 0 ? ` (${count(cachedPromptTokens)} cached)` : ''}`,
    `${count(completionTokens)} completion tokens`,
    costUsd === null ? 'cost unknown (see DURABLE_RAG_PRICES)' : `$${costUsd.toFixed(4)}`,
  ].join(', ');
}

function count(n: number): string {
  return n.toLocaleString('en-US');
}

function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + word.length < WIDTH) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else {
      lines.push(indent + word);
    }
  }
  return lines;
}
