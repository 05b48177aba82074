/** The result of a tune that has ended: its table, and files with the pipeline that won. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { command } from '../../core/command.js';
import type { RunSpec } from '../../core/run/input.js';
import { winnerOf } from '../../evaluation/tune/tune-table.js';
import { writeAtomically } from '../../stores/runs/atomic-file.js';
import type { CliContext } from '../context.js';
import { EXIT } from '../exit-codes.js';
import type { CommandOutput } from '../print-output.js';
import { readStoredTune } from './stored-tune.js';

/**
 * Returns the output of a tune that has ended: its table and how to use the winner. The JSON has
 * the fields of the table, `spentUsd` (US dollars), `winner` (its name; null without one) and
 * `input` (the tune's definition). If there is a winner, writes to files the run input of the
 * winner, that of the start, and the new prompts.
 *
 * @param folder Folder into which the files are written.
 */
export async function tuneOutcome(
  name: string,
  folder: string,
  context: CliContext,
): Promise<CommandOutput> {
  const { read, lines, prompts } = await readStoredTune(name, context);
  const { table, pipelines, plan, spentUsd } = read;
  const winner = winnerOf(table);
  const shown = winner && pipelines.get(winner.candidate);
  const start = pipelines.get('start');
  const more: string[] = [];
  if (shown && start) {
    const file = (end: string) => path.relative('.', path.join(folder, `${name}.${end}`));
    const [now, before] = [file('input.json'), file('start.input.json')];
    await writeText(now, inputText(shown));
    await writeText(before, inputText(start));
    for (const [prompt, text] of prompts) {
      await writeText(path.join(file('prompts'), `${prompt}.txt`), text);
    }
    // A file for both commands cannot say where to search: each has another field for it.
    const { corpus, mode } = start;
    const search = [...(corpus ? ['--corpus', corpus] : []), ...(mode ? ['--mode', mode] : [])];
    const ask = (input: string) => command('ask', 'YOUR QUESTION', '--input', input, ...search);
    more.push(
      '',
      `To use it    ${ask(now)}`,
      `To score it  ${command('eval', '--input', now, '--dataset', 'FILE', ...search)}`,
      `To go back   ${ask(before)}`,
    );
    if (prompts.size > 0) {
      const set = 'a machine without this store needs it as a prompt set';
      more.push(`Its prompts  ${file('prompts')} (${set})`);
    }
  }
  const value = { ...table, spentUsd, winner: winner?.candidate ?? null, input: plan.definition };
  return { value, text: [...lines, ...more].join('\n'), code: EXIT.ok };
}

/** Fields of a run's input that make up a pipeline, independent of the questions. */
const PIPELINE = ['method', 'options', 'models', 'outputs', 'prompts', 'extraBody'] as const;

/** Returns the pipeline in a run's input as the JSON of an `--input` file. */
function inputText(spec: RunSpec): string {
  const fields = PIPELINE.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]]]));
  return `${JSON.stringify(Object.fromEntries(fields), null, 2)}\n`;
}

async function writeText(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeAtomically(file, (write) => write(text));
}
