/** Renders an answer for the terminal. Pure. */

import pc from 'picocolors';
import { dollars } from '../core/dollars.js';
import type { MethodResult } from '../core/result.js';
import type { Section } from '../core/section.js';
import { paidCalls, savedOf, type Usage } from '../core/usage.js';
import { count } from '../evaluation/runs/number-text.js';
import { sectionsOf } from '../report/views/default.js';
import { wrap } from '../report/views/layout.js';
import { printable } from '../report/views/printable.js';
import { drawSections } from '../report/views/terminal.js';
import type { OwnMethods } from '../workflows/define-method.js';

/** The values with which a result is shown, besides itself. */
interface RenderOptions {
  /** Seconds from the question's start to its end; null if unknown. */
  seconds: number | null;
  historyUrl: string | undefined;
  /** Methods, used to describe their chains. */
  methods: OwnMethods;
  /** Sections printed after the chain. */
  more?: readonly Section[];
}

/**
 * Returns a result as text for the terminal: the answer, the chain that led to it, its flags, its
 * cost and the URL of its history.
 */
export function renderResult(
  result: MethodResult,
  { seconds, historyUrl, methods, more = [] }: RenderOptions,
): string {
  return [
    '',
    ...headline(result),
    '',
    ...drawSections([...sectionsOf(result, methods), ...more]),
    ...result.flags.flatMap(({ kind, step, detail }) =>
      wrap(`! ${step}, ${kind}${detail && `: ${detail}`}`, '', 3).map(pc.yellow),
    ),
    ...wrap([renderUsage(result.usage), ...renderTime(result, seconds)].join(', ')).map(pc.dim),
    ...[...renderSaved(result.usage), ...renderEstimated(result.usage)]
      .flatMap((line) => wrap(line))
      .map(pc.dim),
    pc.dim(`History: ${historyUrl ?? `workflow ${result.workflowId}`}`),
  ].join('\n');
}

/**
 * Returns the times as a list of one text, such as "13.0 s, 0.1 s of it at work"; empty if unknown.
 */
function renderTime({ workingSeconds }: MethodResult, seconds: number | null): string[] {
  if (seconds === null) return [];
  const work = workingSeconds === undefined ? '' : `, ${workingSeconds.toFixed(1)} s of it at work`;
  return [`${seconds.toFixed(1)} s${work}`];
}

function headline({ outcome, answer, failure }: MethodResult): string[] {
  switch (outcome) {
    case 'answered':
      return wrap(answer ?? '', '  ').map((line) => pc.bold(pc.green(line)));
    case 'unknown':
      return [`  ${pc.bold(pc.yellow('Unknown'))}: the model says that it does not know.`];
    case 'unreadable':
      return [
        `  ${pc.bold(pc.red('Unreadable'))}: the model's output could not be read as an answer.`,
      ];
    case 'failed': {
      const where = failure?.step ? ` in ${failure.step}` : '';
      return [
        `  ${pc.bold(pc.red('Failed'))}${where} (${failure?.type}): ${printable(failure?.message ?? '')}`,
      ];
    }
  }
}

/**
 * Returns the usage of paid calls as text: "7 calls, 3,210 prompt tokens (1,800 cached), 410
 * completion tokens, $0.0012". For an imported answer it says that they are unknown.
 */
export function renderUsage(usage: Usage): string {
  const { promptTokens, cachedPromptTokens: cached, completionTokens, uncounted = 0 } = usage;
  const { writtenPromptTokens: written = 0 } = usage;
  if (usage.answersWithoutUsage !== undefined) {
    const cost = usage.costUsd === null ? ', cost' : '';
    const known = usage.costUsd === null ? [] : renderCost(usage);
    return [`calls, tokens${cost} and time unknown: imported answer`, ...known].join(', ');
  }
  const parts = [
    ...(cached > 0 ? [`${count(cached)} cached`] : []),
    ...(written > 0 ? [`${count(written)} written into the cache`] : []),
  ];
  return [
    callCount(paidCalls(usage)),
    `${count(promptTokens)} prompt tokens${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`,
    `${count(completionTokens)} completion tokens`,
    ...(uncounted > 0
      ? [`and those of ${callCount(uncounted)} without a token count from the provider`]
      : []),
    ...renderCost(usage),
  ].join(', ');
}

/**
 * Returns what the response cache saved, as a list of one text: "2 more calls from the response
 * cache, which saved $0.0004". Empty if it served no call.
 */
export function renderSaved(usage: Usage): string[] {
  if (usage.cachedCalls === 0) return [];
  const saved = savedOf(usage);
  const worth = saved ? `, which saved ${dollars(saved)}` : '';
  return [`${callCount(usage.cachedCalls, 'more ')} from the response cache${worth}`];
}

function callCount(calls: number, more = ''): string {
  return `${count(calls)} ${more}${calls === 1 ? 'call' : 'calls'}`;
}

/**
 * Returns the estimated part of a cost, as a list of one text: "of which estimated $0.0003 (2
 * attempts without an answer, 1 repeated)". Empty if nothing is estimated.
 */
export function renderEstimated({ estimated }: Usage): string[] {
  if (!estimated) return [];
  const { attempts, repeated, costUsd } = estimated;
  const cost = costUsd === null ? '' : ` ${dollars(costUsd)}`;
  const times = `${count(attempts)} ${attempts === 1 ? 'attempt' : 'attempts'} without an answer`;
  return [
    `of which estimated${cost} (${times}${repeated > 0 ? `, ${count(repeated)} repeated` : ''})`,
  ];
}

/**
 * Returns the cost as a list of one text; empty if it is zero and no call was paid for. A price of
 * zero is distinguished from an unknown one.
 */
export function renderCost({ costUsd, knownUsd, statedUsd, ...usage }: Usage): string[] {
  if (costUsd === null) {
    const known = knownUsd === undefined ? '' : `${dollars(knownUsd)} and more: `;
    return [`${known}cost unknown (see DURABLE_RAG_PRICES)`];
  }
  if (costUsd > 0) return [`${dollars(costUsd)}${statedPart(costUsd, statedUsd)}`];
  return paidCalls(usage) > 0 ? ['no cost (a model of this machine, or of price 0)'] : [];
}

/**
 * Returns how much of a cost the provider itself reported, as text in brackets; empty if nothing.
 */
function statedPart(costUsd: number, statedUsd = 0): string {
  if (statedUsd === 0) return '';
  const part = statedUsd < costUsd ? `${dollars(statedUsd)} of it ` : '';
  return ` (${part}stated by the provider)`;
}
