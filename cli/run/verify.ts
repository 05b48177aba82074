/** `durable-rag runs verify`: recomputes the figures of stored runs or of an archive. Needs no server. */

import { existsSync } from 'node:fs';
import type { RunDifference } from '../../client/answer-checks.js';
import { type Verification, verifyFile, verifyRun } from '../../client/verify.js';
import { Failure } from '../../core/failure.js';
import { NAME_PATTERN } from '../../core/name.js';
import { shortened } from '../../core/shortened.js';
import { plural } from '../../evaluation/runs/number-text.js';
import { openRuns } from '../../evaluation/runs/run-source.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import type { CommandOutput } from '../print-output.js';
import { withResults } from './with-runs.js';

/**
 * Verifies a stored run, or all runs of a study, by name; any other name is the path of an archive.
 * Returns the output of `runs verify`: the result of each run, with exit code 9 if something
 * differs and 10 if not everything could be checked.
 *
 * @throws Failure UnknownRun if there is neither run, study nor file; BadInput for a file that is
 * not an archive.
 */
export async function verifyStored(named: string, context: CliContext): Promise<CommandOutput> {
  const { methods, metrics } = context.config ?? {};
  const found = await withResults(context, async ({ runs, texts }) => {
    if (!NAME_PATTERN.test(named)) return [];
    const names = await openRuns(runs, [named]).catch((error: unknown) => {
      if (error instanceof Failure && error.type === 'UnknownRun' && existsSync(named)) return [];
      throw error;
    });
    const verified: Verification[] = [];
    for (const { manifest } of names) {
      verified.push(await verifyRun(manifest.run, { runs, texts, methods, metrics }));
    }
    return verified;
  });
  if (found.length === 0) found.push(...(await verifyFile(named, { methods, metrics })));
  const is = (verdict: Verification['verdict']) => found.some((one) => one.verdict === verdict);
  return {
    value: { runs: found },
    text: found.map(verificationText).join('\n'),
    code: is('differs') ? EXIT.gateFailed : is('notChecked') ? EXIT.gateUndecided : EXIT.ok,
  };
}

const VERDICTS = { ok: 'OK', differs: 'DIFFERS', notChecked: 'NOT ALL CHECKED' } as const;

/**
 * Returns the result of verifying a run as text: the verdict with the counts, or the difference.
 */
export function verificationText(verification: Verification): string {
  const { run, verdict, questions, answers, replayed, calls, scores } = verification;
  const { difference, notChecked } = verification;
  const prefix = `${run}: ${VERDICTS[verdict]}`;
  if (difference) return `${prefix}: ${differenceText(difference)}`;
  const counts = [
    plural(questions, 'question'),
    plural(answers, 'answer'),
    `${replayed} of them computed again from ${plural(calls, 'call')}`,
    plural(scores, 'score'),
  ];
  return [`${prefix}: ${counts.join(', ')}`, ...notChecked.map((line) => `  ${line}`)].join('\n');
}

/** Maximum number of characters of a value that are shown. */
const MOST = 80;

/** Returns a difference as text: its place, and both values. */
function differenceText(difference: RunDifference): string {
  const { part, question, step, field, kept, computed, message } = difference;
  const place = [
    ...(part === undefined ? [] : [`${part} is not as it was written`]),
    ...(question === undefined ? [] : [`question ${JSON.stringify(question)}`]),
    ...(step === undefined ? [] : [`step ${step}`]),
    field,
  ].join(', ');
  return `${place}: ${message ?? `${shown(kept)} is kept, ${shown(computed)} follows`}`;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : shortened(JSON.stringify(value), MOST);
}
