/** Runs over small data sets, without a Temporal server. */
import { openRun } from '../../../activities/run/open-run.js';
import type { Ports } from '../../../activities/runtime/ports.js';
import type { MethodResult } from '../../../core/result.js';
import type { RunInput } from '../../../core/run/input.js';
import { NO_USAGE } from '../../../core/usage.js';
import type { RunQuestion } from '../../../stores/runs/run-store.js';
import { scriptedModel } from '../../../testing/scripted-model.js';
import { testPorts } from '../../support/ports.js';

export const bell = { id: 'nq/1', question: 'Who got the patent?', answers: ['Bell'] };

const own = [
  { title: 'Telephone', text: 'Bell got the patent.' },
  { title: 'Rhine', text: 'A river.' },
];
/** Two of them bring passages. */
export const lines = [
  { ...bell, passages: own },
  { id: 'nq/2', question: 'Who filed a caveat?', answers: ['Gray'] },
  { id: 'nq/3', question: 'Is it so?', answers: ['yes'], passages: own.slice(0, 1) },
];

/** Opens a run of base on a worker of its own; `again` opens it once more, with changes. */
export async function setUp(
  lines: readonly object[],
  changes: Partial<RunInput> = {},
  parts: Partial<Ports> = {},
) {
  const ports = testPorts(scriptedModel([]), parts);
  const input: RunInput = {
    run: 'r',
    method: 'base',
    corpus: 'sample',
    ...changes,
    dataset: [...lines],
  };
  const never = new AbortController();
  const open = (more: object = {}, { signal } = never) =>
    openRun({ ...input, ...more }, ports, signal);
  async function questions(): Promise<RunQuestion[]> {
    const found: RunQuestion[] = [];
    for await (const { question } of ports.runs.questions('r')) found.push(question);
    return found;
  }
  return { ports, input, open, questions };
}

export function result(changes: Partial<MethodResult> = {}): MethodResult {
  return {
    workflowId: 'eval/r/x',
    method: 'base',
    question: 'Who?',
    outcome: 'answered',
    answer: 'Alexander Bell',
    evidence: [],
    chain: { passages: [] },
    retrievals: 1,
    usage: { ...NO_USAGE, calls: 1, costUsd: 0.5 },
    steps: {},
    flags: [],
    ...changes,
  };
}
