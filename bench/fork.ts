/**
 * Forks runs of the five methods at each of their model steps, with the commands a person would
 * type, and tells what that takes beside a whole run. The other model draws its answers anew, so
 * that some of what follows has another address.
 */
import { paidCalls, type Usage } from '../core/usage.js';
import { methods } from '../interpreters/methods.js';
import { figuresTable } from './figures-table.js';
import { MODEL, OTHER_MODEL, startCommands } from './five/commands.js';
import { PRICE, writeQuestions } from './five/questions.js';
import { benchFlags } from './flags.js';
import { measuredOn } from './machine.js';
import { CORPUS } from './speed/corpus.js';
import { onTemporal } from './temporal-stage.js';

const USAGE = `Usage: node dist/bench/fork.js [--questions N] [--methods A,B]
  --questions  how many are asked by each method (1000)
  --methods    some of the five (all)`;

const METHODS = ['sure', 'allies', 'llatrieval', 'genread', 'chainOfNote'] as const;
type Method = (typeof METHODS)[number];
/** Of one question in so many no passage tells the answer. */
const UNTOLD = 4;

interface Account {
  fork: string;
  took: Usage;
  parentTook: Usage;
  taken: number;
  changed: number;
}

function measure(count: number, chosen: readonly Method[]): Promise<string> {
  return onTemporal(async (stage) => {
    const prices = { [MODEL]: PRICE, [OTHER_MODEL]: PRICE };
    const isTold = (at: number) => at % UNTOLD !== 0;
    const { file, env } = await writeQuestions(stage.folder, count, prices, isTold);
    const run = await startCommands(stage, file, env);

    const rows: string[][] = [];
    for (const method of chosen) {
      const about = ['--dataset', file, '--corpus', CORPUS];
      await run('eval', '--method', method, ...about, '--name', method);
      const forks = methods[method].steps.map((step) => ({ step, name: `${method}-${step}` }));
      for (const { step, name } of forks) {
        await run('fork', method, '--at', step, '--model', OTHER_MODEL, '--name', name);
      }
      const names = forks.map(({ name }) => name);
      const compared = JSON.parse(await run('compare', method, ...names, '--json'));
      rows.push(...(compared.forks as Account[]).flatMap((account) => rowOf(method, account)));
    }
    return figuresTable([
      ['fork', 'calls', 'of a whole run', 'taken', 'dollars', 'of a whole run', 'answers changed'],
      ...rows,
    ]);
  });
}

/** A step that the run did not ask has no row. */
function rowOf(method: string, { fork, took, parentTook, taken, changed }: Account): string[][] {
  if (paidCalls(took) === 0) return [];
  const whole = (usage: Usage) => [paidCalls(usage).toLocaleString('en-US')];
  const share = (part: number, of: number) => `${((100 * part) / of).toFixed(0)} %`;
  const [name = ''] = [fork.slice(method.length + 1)];
  return [
    [
      `\`${method}\` at ${name}`,
      ...whole(took),
      share(paidCalls(took), paidCalls(parentTook)),
      taken.toLocaleString('en-US'),
      took.costUsd === null ? '' : took.costUsd.toFixed(4),
      share(took.costUsd ?? 0, parentTook.costUsd ?? 1),
      `${changed}`,
    ],
  ];
}

const { flags, number, refuse } = benchFlags(USAGE, {
  questions: '1000',
  methods: METHODS.join(','),
});
const named = METHODS.filter((method) => flags.methods.split(',').includes(method));
const chosen = named.length > 0 ? named : refuse();
const count = number(flags.questions);
const text = await measure(count, chosen);
console.log(`${text}\n\n${count} questions. ${measuredOn('a scripted reader')}`);
