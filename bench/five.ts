/**
 * Evaluates the five methods and the base reader on the same questions, once with the passages that
 * the questions bring and once with the corpus, with the commands a person would type.
 */
import path from 'node:path';
import { startCommands } from './five/commands.js';
import { benchFlags } from './flags.js';
import { measuredOn } from './machine.js';
import { onTemporal } from './temporal-stage.js';

const USAGE = `Usage: node dist/bench/five.js --data FOLDER
  --data  holds corpora/wiki.jsonl.gz and dev/nq.jsonl.gz (or set EVALUATION_DATA)`;

const QUESTIONS = '100';
const METHODS = ['base', 'sure', 'allies', 'llatrieval', 'genread', 'chainOfNote'];

/** What is searched: 20 passages of each question's own, or all of the corpus. */
const SOURCES: Record<string, string[]> = {
  own: [],
  corpus: ['--corpus', 'wiki', '--no-own-passages'],
};

/** Gives what `compare` prints of each source, and the seconds that each run took. */
function evaluate(data: string): Promise<string> {
  return onTemporal(async (stage) => {
    const dataset = path.join(data, 'dev', 'nq.jsonl.gz');
    const run = await startCommands(stage, dataset);

    await run('index', path.join(data, 'corpora', 'wiki.jsonl.gz'), '--into', 'wiki');
    const texts: string[] = [];
    for (const [source, flags] of Object.entries(SOURCES)) {
      const seconds: string[] = [];
      for (const method of METHODS) {
        const began = performance.now();
        const asked = ['--dataset', dataset, '--limit', QUESTIONS, ...flags];
        await run('eval', '--method', method, ...asked, '--name', `${method}-${source}`);
        seconds.push(`${method} ${((performance.now() - began) / 1000).toFixed(0)} s`);
      }
      const names = METHODS.map((method) => `${method}-${source}`);
      const figures = await run('compare', ...names);
      texts.push(`${source}:\n\n${figures}\nTook: ${seconds.join(', ')}.`);
    }
    return texts.join('\n\n');
  });
}

const { flags, refuse } = benchFlags(USAGE, { data: process.env.EVALUATION_DATA });
const { data = refuse() } = flags;
console.log(`${measuredOn('a scripted reader')}\n\n${await evaluate(path.resolve(data))}`);
