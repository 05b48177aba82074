/**
 * The commands that the docs say to type: those that need nothing from outside run here, in the
 * order of their page, over a model that answers by rule; the others are read by the command
 * line's own parser, and stand in `NOT_RUN` with the reason.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOBS, methods } from '../../interpreters/methods.js';
import { packageRoot } from '../../stores/package-root.js';
import { quietProgram } from '../support/cli-context.js';
import { type CommandLine, commandLine } from '../support/command-line.js';
import { type ModelServer, startModelServer } from '../support/model-server.js';
import { promptOf } from '../support/telephone.js';
import { blocksOf, pages } from './pages.js';

/** What is read but not run, and why; a line that nothing needs any more fails. */
const NOT_RUN: readonly [RegExp, string][] = [
  [/^npm (ci|install durable-rag)$/, 'installs: .ci/run does it, and test/package'],
  [/^npm test$/, 'this is one of its tests'],
  [/^npm run bench:/, 'takes minutes to hours, or data that a clone does not have'],
  [/^npx durable-rag (demo|dev)\b/, 'fetches a model or an engine and runs on'],
  [/^npx durable-rag report .*--serve$/, 'runs on: test/cli/run/report-serve'],
  [/^npx durable-rag worker\b/, 'runs on: one works for this test, with other flags'],
  [/^npx durable-rag deploy\b/, 'changes what a worker of a version is: test/workers/versions'],
  [/--transport batch (?!--dry-run)/, 'needs an endpoint of batches: test/half-price'],
  [
    /--judge gpt-4\.1 --metrics grounded/,
    'needs the metrics of the page: test/examples/own-metric',
  ],
  [/--until-decided$/, 'rules out the study that was asked whole before: test/cli/study/race'],
  [/durable-rag papers \S+ \S/, 'fetches data sets: test/cli/papers'],
  [/durable-rag (advise|tune) /, 'two questions decide nothing: test/docs/tune'],
  [/nq-base-advice/, 'advise makes it: test/cli/study/study'],
  [/study check /, 'is not decided by two questions: test/cli/study'],
  [/^temporal /, "Temporal's own command line is no dependency"],
  [/^export /, 'names hosts and keys of a place'],
  [/^(docker|kubectl|cp) /, 'needs a container engine or a cluster: test/deploy'],
  [/^(pg_dump|curl|for|do|createdb|pg_restore|done|redis-\S+)\b/, 'needs servers: test/cluster'],
];

const scripts = Object.keys(
  JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')).scripts,
);
const commands = blocksOf('sh', 'bash', 'console').flatMap(({ at, text }) =>
  commandsOf(text).map((words) => ({ at, line: words.join(' '), words })),
);
const isRun = ({ line }: { line: string }) => !NOT_RUN.some(([pattern]) => pattern.test(line));

/** Of a shell's language what the docs use: prompts, quotes, comments, lines that go on. */
function commandsOf(text: string): string[][] {
  const lines = text
    .replace(/\\\n\s*/g, ' ')
    .replace(/^[$>] +/gm, '')
    .split('\n');
  return lines.flatMap((line) => {
    const tokens = line.match(/'[^']*'|"[^"]*"|#.*$|&&|\|\||[|;&]|[^\s'"#&|;]+/g) ?? [];
    const found: string[][] = [[]];
    for (const token of tokens) {
      if (token.startsWith('#')) break;
      if (/^[&|;]+$/.test(token)) found.push([]);
      else found.at(-1)?.push(token.replace(/^(['"])(.*)\1$/, '$2'));
    }
    return found.filter((words) => words.length > 0);
  });
}

describe('what is read', () => {
  it.each(commands)('$at: $line', async ({ words }) => {
    const [first = '', second = '', third = ''] = words;
    if (first === 'npx' && second === 'durable-rag') {
      await quietProgram().parseAsync(words.slice(2), { from: 'user' });
    } else if (first === 'npm' && second === 'run') {
      expect(scripts).toContain(third);
    } else if (first === 'temporal') {
      const input = words[words.indexOf('--input') + 1];
      if (words.includes('--input')) expect(() => JSON.parse(input ?? '')).not.toThrow();
      const type = words[words.indexOf('--type') + 1];
      if (words.includes('--type')) expect([...Object.keys(methods), ...JOBS]).toContain(type);
    }
  });

  const { commands: there, options } = quietProgram();
  it.each(pages)('$path names commands and flags that there are', ({ prose }) => {
    const spans = [...prose.matchAll(/`(?:npx )?durable-rag ([a-z-]+)([^`]*)`/g)];
    for (const [span, name, rest = ''] of spans) {
      const command = there.find((one) => one.name() === name);
      expect(command, span).toBeDefined();
      const [below] = rest.trim().split(' ', 1);
      const named = [command, command?.commands.find((one) => one.name() === below)];
      const known = [...options, ...named.flatMap((one) => one?.options ?? [])];
      const flags = known.map(({ long }) => long);
      for (const [flag] of rest.matchAll(/--[a-z][a-z0-9-]*/g)) expect(flags, span).toContain(flag);
    }
  });

  it('has a reason for each command that is not run, and no other reasons', () => {
    const used = NOT_RUN.filter(([pattern]) => commands.some(({ line }) => pattern.test(line)));
    expect(used).toEqual(NOT_RUN);
    const run = commands.filter(isRun).map(({ line }) => line);
    expect(run.filter((line) => !line.startsWith('npx durable-rag '))).toEqual([]);
    expect(run.length).toBeGreaterThan(35);
  });

  it.each(blocksOf('json', 'jsonl'))('$at is JSON', ({ language, text }) => {
    const parts = language === 'json' ? [text] : text.trim().split('\n');
    for (const part of parts) expect(() => JSON.parse(part)).not.toThrow();
  });
});

/** What a model could write for a prompt of each form: a step that reads something else falls back. */
const ANSWERS: readonly [RegExp, string][] = [
  [/name 3 different answers/, '(a) Bell, (b) Gray, (c) Reis'],
  [/different answers that could/, '(a) Bell, (b) Gray'],
  [/professional writer/, 'Bell got the patent. [DONE]'],
  [/after taking notes/, [1, 2, 3, 4, 5].map((n) => `Note ${n} (relevant): Bell.\n`).join('')],
  [/forms, and write nothing else:\nThought:/, 'Answer: Bell'],
  [/So the answer is: /, 'So the answer is: Bell'],
  [/Reply with Passage 1/, 'Passage 1'],
  [/True or False/, 'True'],
  [/that together are the best support/, 'Selected passages: 1 2 3 4 5'],
  [/Reply with \[YES\]/, '[YES]'],
  [/<answer> answer <\/answer>/, '<answer> Bell </answer>'],
  [/in the form \\boxed/, '\\boxed{Bell}'],
  [/finish\[answer\]/, 'So.\nAction 1: finish[Bell]'],
];

function answerOf(prompt: string): string {
  const text =
    ANSWERS.find(([pattern]) => pattern.test(prompt))?.[1] ?? 'Bell got the patent.\nAnswer: Bell';
  return text.startsWith('Note') ? `${text}Answer: Bell` : text;
}

describe('what is run', () => {
  let server: ModelServer;
  let cli: CommandLine;
  let cwd: string;

  beforeAll(async () => {
    server = await startModelServer({
      reply: (request) => ({ text: answerOf(promptOf(request)) }),
    });
    cli = await commandLine(server.baseUrl);
    cwd = join(cli.home, 'clone');
    await mkdir(cwd);
    const put = (name: string, text: string) =>
      writeFile(join(cwd, name), name.endsWith('.gz') ? gzipSync(text) : text);
    await cp(join(packageRoot(), 'samples'), join(cwd, 'samples'), { recursive: true });
    const samples = await readFile(join(cwd, 'samples', 'questions.jsonl'), 'utf8');
    await put('samples/questions.jsonl', samples.split('\n').slice(0, 3).join('\n'));
    const passages = ['Bell', 'Gray', 'Meucci', 'Reis'].map((name, i) =>
      JSON.stringify({ id: `p${i}`, title: name, text: `${name} got a patent for a telephone.` }),
    );
    const questions = ['q16', 'q17'].map((id) =>
      JSON.stringify({ id, question: `Who got telephone patent ${id}?`, answers: ['Bell'] }),
    );
    for (const name of ['corpus.jsonl.gz', 'wiki.jsonl.gz']) await put(name, passages.join('\n'));
    await put('psgs_w100.tsv.gz', '1\t"Bell got the patent."\tTelephone\n');
    const columnData = ['docid', 'body', 'headline'].map((name) => ({ name, data: [name] }));
    await writeFile(join(cwd, 'docs.parquet'), Buffer.from(parquetWriteBuffer({ columnData })));
    for (const name of ['nq.jsonl', 'nq.jsonl.gz', 'nq-train.jsonl.gz']) {
      await put(name, questions.join('\n'));
    }
    const theirs = ['q16', 'q17'].map((qid) =>
      JSON.stringify({ qid, output: { answer: 'Gray' }, usd: 0.01 }),
    );
    await put('theirs.jsonl', theirs.join('\n'));
    const withPassages = { question: 'Who got it?', answers: ['Bell'], passages: ['Bell got it.'] };
    await put('hotpotqa.json', JSON.stringify([withPassages]));
    const [study] = blocksOf('yaml').filter(({ at }) => at.includes('studies.md'));
    // Of its 36 runs six: each method over each data set.
    const six = study?.text
      .replace(/^repeats: 3$/m, 'repeats: 1')
      .replace(/, \{ default: .*\}/, '');
    await put('study.yaml', six ?? '');
    const mine = join(cwd, 'prompt-sets', 'mine');
    await mkdir(mine, { recursive: true });
    await cp(join(packageRoot(), 'prompts', 'validate.txt'), join(mine, 'validate.txt'));
    await cli.worker({ DURABLE_RAG_PROMPTS: join(cwd, 'prompt-sets') });
    for (const words of [
      // As dev does.
      ['index', 'samples/corpus.jsonl', '--into', 'sample'],
      ['index', 'wiki.jsonl.gz', '--into', 'wiki'],
      ['datasets', 'put', 'nq.jsonl', '--name', 'nq'],
    ]) {
      await typed(words);
    }
  });
  afterAll(async () => {
    await cli?.remove();
    await server?.close();
  });

  /** Runs the command in the folder with the files that the docs name. */
  async function typed(words: readonly string[]): Promise<void> {
    const before = process.cwd();
    process.chdir(cwd);
    const { code, stderr } = await cli
      .run([...words], { DURABLE_RAG_PROMPTS: join(cwd, 'prompt-sets') })
      .finally(() => process.chdir(before));
    expect(code, stderr).toBe(0);
  }

  it.each(commands.filter(isRun))('$at: $line', ({ words }) => typed(words.slice(2)));
});
