/** Describes forks as text: their parent run and their changes, and what they led to. Pure. */
import { paidCalls, type Usage } from '../../core/usage.js';
import type { RunManifest } from '../../stores/runs/run-store.js';
import type { ForkAccount } from './fork-accounts.js';
import { count, paidText, plural } from './number-text.js';

/**
 * Returns the parent run and the changes of a fork, such as "nq-sure at rankPair, model
 * gpt-5-nano"; undefined for a run that is not a fork.
 */
export function forkText({ input }: Pick<RunManifest, 'input'>): string | undefined {
  const { fork, models = {}, outputs, prompts, options } = input;
  if (!fork) return undefined;
  const { run, at, where, question, output } = fork;
  const chosen = [
    ...(where === undefined ? [] : [`only questions answered ${where}`]),
    ...(question === undefined ? [] : [`only the question ${question}`]),
  ];
  if (at === undefined)
    return [`${run}`, `options ${JSON.stringify(options)}`, ...chosen].join(', ');
  const own = (all: unknown) => (Object(all) as Record<string, unknown>)[at];
  const asked = Object.entries({ model: own(models), prompts: own(prompts), form: own(outputs) });
  const changes = asked.flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
  const given = output === undefined ? [] : [`with the output ${JSON.stringify(output)}`];
  return [`${run} at ${at}`, ...changes, ...given, ...chosen].join(', ');
}

/**
 * Returns 2 to 4 sentences about a fork: its usage compared with its parent run, the answers that
 * changed, and what is not compared.
 *
 * @param nameOf Returns the name of the run at a position.
 */
export function forkAccountText(account: ForkAccount, nameOf: (run: number) => string): string[] {
  const { fork, parent, isChosen, questions, took, parentTook, taken, whole } = account;
  const { changed, toRight, fromRight } = account;
  return [
    `${nameOf(fork)}: ${usageText(took)}, beside ${usageText(parentTook)} of ${nameOf(parent)} for the same ${plural(questions, 'question')}; ${plural(taken, 'call')} taken from there`,
    `${plural(changed, 'answer')} of ${count(questions)} changed: ${count(toRight)} became right, ${count(fromRight)} are no longer right`,
    ...(whole.questions > 0
      ? [
          `asked whole and not compared: ${plural(whole.questions, 'question')}, ${usageText(whole.usage)}`,
        ]
      : []),
    ...(isChosen
      ? [
          'its questions were chosen by hand or by their answers, so nothing follows for other questions',
        ]
      : []),
  ];
}

function usageText(usage: Usage): string {
  return `${plural(paidCalls(usage), 'paid call')}, ${paidText(usage)}`;
}
