/** The help: commands and flags in groups, and examples. */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { exitCodeTable } from './exit-codes.js';

/** The commands, in the order in which help and reference show them. */
export const COMMAND_GROUPS: Readonly<Record<string, readonly string[]>> = {
  Start: ['demo', 'ask', 'methods', 'doctor', 'completion'],
  Evaluate: ['eval', 'study', 'race', 'schedule', 'compare', 'report', 'export'],
  'While a run is under way': ['status', 'attach', 'pause', 'resume', 'cancel', 'set'],
  'Kept runs': ['runs', 'show', 'explain', 'plan', 'fork', 'retry', 'rescore'],
  Data: ['index', 'corpora', 'datasets', 'store', 'train-data', 'clusters'],
  Operate: ['dev', 'worker', 'limits', 'deploy', 'codec-server'],
};

/** The flags of asking; those of a command alone stand before them. */
const FLAG_GROUPS: Readonly<Record<string, readonly string[]>> = {
  Questions: [
    ...['--dataset', '--as', '--fields', '--kind', '--limit', '--sample', '--sample-seed'],
    ...['--noise', '--noise-kind'],
  ],
  Method: ['--method', '--passages', '--candidates', '--option', '--input'],
  Model: ['--model', '--outputs', '--tier', '--prompts', '--seed', '--no-cache'],
  Search: ['--search', '--corpus', '--mode', '--no-own-passages'],
  Scores: ['--judge', '--metrics', '--fail-below', '--junit', '--markdown'],
  'Batches of the provider': [
    ...['--transport', '--batch-wait', '--batch-size', '--batch-patience'],
  ],
  Limits: ['--budget-usd', '--concurrency', '--rpm', '--tpm', '--pause-after'],
};

/** What can be typed, by command; of the program itself under no name. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  '': [
    'durable-rag demo',
    'durable-rag ask "Who invented the telephone?" --method base',
    'durable-rag eval --method sure --dataset questions.jsonl --sample 100 --dry-run',
    'durable-rag report sure-questions --out report.html',
  ],
  ask: [
    'durable-rag ask "Who invented the telephone?"',
    'durable-rag ask "Who invented the telephone?" --method allies --option depth=1 --json',
  ],
  eval: [
    'durable-rag eval --method sure --dataset questions.jsonl --dry-run',
    'durable-rag eval --method base --dataset dev.json --fields question=q,answers=gold[] --sample 200 --name first',
    'durable-rag eval --method sure --dataset stored:nq --budget-usd 5 --fail-below em=0.30 --junit gate.xml',
  ],
  fork: [
    'durable-rag fork first --at validate --model gpt-4o --dry-run',
    'durable-rag fork first --at rankPair --prompts mine --name other-prompt',
  ],
  race: ['durable-rag race sure base --dataset questions.jsonl --corpus wiki --budget-usd 5'],
  'study check': [
    'durable-rag study check study.yaml --cell sure --against sure-release --margin 3 --junit gate.xml',
  ],
  'study run': ['durable-rag study run study.yaml --dry-run'],
  'schedule create': [
    'durable-rag schedule create nightly --cron "0 2 * * *" -- --method base --dataset questions.jsonl',
  ],
  index: ['durable-rag index passages.jsonl --into wiki --embed'],
  'datasets put': ['durable-rag datasets put dev.json --as nq --name nq'],
  report: ['durable-rag report first second --out report.html'],
};

/** Puts the commands and flags of a program in groups, and examples below them. */
export function arrangeHelp(program: CommandUnknownOpts): void {
  const commands = places(COMMAND_GROUPS);
  for (const one of program.commands) arrange(one, commands.get(one.name()), one.name());
  inOrder(program.commands, (one) => commands.get(one.name()));
  addExamples(program, '');
  program.addHelpText('after', exitCodeTable());
}

interface Place {
  group: string;
  at: number;
}

function places(groups: Readonly<Record<string, readonly string[]>>): Map<string, Place> {
  const named = Object.entries(groups).flatMap(([group, names]) =>
    names.map((name) => ({ group: `${group}:`, name })),
  );
  return new Map(named.map(({ group, name }, at) => [name, { group, at }]));
}

const FLAGS = places(FLAG_GROUPS);

function arrange(command: CommandUnknownOpts, place: Place | undefined, path: string): void {
  if (place) command.helpGroup(place.group);
  const placeOf = ({ long }: { long?: string | undefined }) => FLAGS.get(long ?? '');
  for (const option of command.options) {
    const group = placeOf(option)?.group;
    if (group) option.helpGroup(group);
  }
  inOrder(command.options, placeOf);
  addExamples(command, path);
  for (const below of command.commands) arrange(below, undefined, `${path} ${below.name()}`);
}

/** Sorts in place; what has none stays before the others. */
function inOrder<T>(list: readonly T[], placeOf: (one: T) => Place | undefined): void {
  (list as T[]).sort((a, b) => (placeOf(a)?.at ?? -1) - (placeOf(b)?.at ?? -1));
}

function addExamples(command: CommandUnknownOpts, path: string): void {
  const lines = EXAMPLES[path];
  if (lines)
    command.addHelpText('after', ['', 'Examples:', ...lines.map((l) => `  ${l}`)].join('\n'));
}
