/** The files of papers/: each is valid, planned, and asked by its methods; and what is typed for them. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listPapers } from '../../../cli/papers/list-papers.js';
import { paperDataSets, paperFile, paperFiles } from '../../../cli/papers/paper-files.js';
import {
  studyInputOf,
  tableStudy,
  withoutDrawnDemonstrations,
} from '../../../cli/papers/paper-study.js';
import { checkedCells } from '../../../client/study.js';
import { parseStudy } from '../../../core/study/study.js';
import { cellSources } from '../../../evaluation/papers/paper-table.js';
import { answerInProcess } from '../../../interpreters/scripted.js';
import { packageRoot } from '../../../stores/package-root.js';
import { cliContext } from '../../support/cli-context.js';
import { temporaryFolder } from '../../support/folder.js';
import { telephoneSet } from '../../support/genread-script.js';
import { longestModel } from '../../support/longest-model.js';
import { testPorts } from '../../support/ports.js';

const files = await paperFiles();
const sets = await paperDataSets();
const studies = files.filter(({ study }) => study !== undefined);
/** Metrics that a judge decides. */
const JUDGED = /^(?:citation|claimRecall|llmAccuracy)/;
const nameOf = ({ paper, table }: { paper: string; table: string }) => `${paper} ${table}`;

it('are of all papers', () => {
  expect([...new Set(files.map(({ paper }) => paper))]).toEqual([
    'allies',
    'chain-of-note',
    'genread',
    'ircot',
    'iter-retgen',
    'llatrieval',
    'sure',
  ]);
});

it.each(studies.map((file) => [nameOf(file), file] as const))(
  '%s: shows what its study asks, and asks nothing else',
  async (name, file) => {
    const input = withoutDrawnDemonstrations(await studyInputOf(file));
    const study = parseStudy(input);
    expect(study.name).toBe(name.replace(' ', '-'));
    expect(study.datasets.map(({ of }) => of.file ?? '').filter((one) => !sets[one])).toEqual([]);
    const names = new Map(study.datasets.map(({ label, of }) => [label, of.file ?? '']));
    const asked = checkedCells(input, names).map(({ method, dataset, model }) =>
      [method, dataset, model].join(' '),
    );
    const [first] = study.models;
    const shown = cellSources(file.layout).flatMap((row, i) =>
      row.flatMap((source, k) => {
        const isLeftOut = file.layout.rows[i]?.figures?.[k] === null;
        const leaves = source.of === 'mean' ? source.over : [source];
        return leaves.flatMap((leaf) => {
          if (leaf.of !== 'study') return [];
          const { method, dataset, model = first?.label } = leaf.place;
          const place = [method, dataset, model].join(' ');
          return isLeftOut && !asked.includes(place) ? [] : [place];
        });
      }),
    );
    expect([...new Set(asked)].sort()).toEqual([...new Set(shown)].sort());
    // Judging is paid for.
    const metrics = [...file.layout.rows, ...file.layout.columns].flatMap((line) => [
      line.metric ?? [],
      Object.values(line.metrics ?? {}),
    ]);
    const judges = study.datasets.some(({ of }) => of.judge !== undefined);
    expect(judges).toBe(metrics.flat().some((metric) => JUDGED.test(metric)));
  },
);

/**
 * Each method of the studies with its options, once for all that differ in numbers alone. The first
 * options of a method are asked five questions, the others one.
 */
const asked = new Map(
  (await Promise.all(studies.map(studyInputOf))).flatMap((input) =>
    parseStudy(withoutDrawnDemonstrations(input)).methods.map(({ of: { method, options } }) => {
      const words = JSON.stringify(options, (_, value) => (typeof value === 'number' ? 0 : value));
      return [`${method} ${words}`, { name: input.name, method, options }] as const;
    }),
  ),
);

const optionsAsked = [...asked.values()];

it.each(
  optionsAsked.map(({ name, method, options }, at) => {
    const isFirst = optionsAsked.findIndex((one) => one.method === method) === at;
    return [name, method, options, isFirst ? 5 : 1] as const;
  }),
)('%s: %s with %j answers, of %i', async (_, method, options, questions) => {
  const ports = testPorts(longestModel());
  await ports.demonstrationSets.put('telephone', telephoneSet);
  const set = options.demonstrationSet === undefined ? {} : { demonstrationSet: 'telephone' };
  for (let question = 1; question <= questions; question += 1) {
    const input = { question: `Who wrote book ${question}?`, options: { ...options, ...set } };
    const { outcome } = await answerInProcess(method, input, ports);
    expect(['answered', 'unknown']).toContain(outcome);
  }
});

it('are named at the end of the page of their method', async () => {
  for (const [paper, page] of new Set(files.map((file) => [file.paper, file.of.page] as const))) {
    const text = await readFile(join(packageRoot(), 'docs', 'methods', `${page}.md`), 'utf8');
    const [, command = ''] =
      /## Make its tables\n[^#]*```sh\nnpx durable-rag (.*)\n```\n$/.exec(text) ?? [];
    const [, named, table] = command.split(' ');
    expect([page, named]).toEqual([page, paper]);
    expect(studies.map((file) => nameOf(file))).toContain(`${paper} ${table}`);
  }
});

const context = cliContext();
const record = (n: number) =>
  JSON.stringify({ id: `${n}`, question: `What is ${n}?`, answer: `${n}` });

/** A folder of data: files by path, each with the records that a text is made of. */
async function dataFolder(...paths: string[]): Promise<string> {
  const made = await temporaryFolder();
  for (const path of paths) {
    await mkdir(join(made, path, '..'), { recursive: true });
    await writeFile(join(made, path), [1, 2, 3, 4, 5].map(record).join('\n'));
  }
  return made;
}

const typed = async (
  paper: string,
  table: string,
  flags: Partial<Parameters<typeof tableStudy>[1]>,
) => tableStudy(await paperFile(paper, table), { fields: {}, ...flags }, context);

it('are each a study that the command line takes, from one folder of data', async () => {
  const data = await dataFolder(
    ...Object.keys(sets).map((name) => `${name.replace(/^\w+:/, '')}.jsonl`),
    'fm2-test.jsonl',
    'realtimeqa.jsonl',
  );
  const drawn = await typed('sure', 'table-9', { data, fields: { corpus: 'mine' } });
  const shots = drawn.read.study.methods.map(({ of }) => [of.options.demonstrations ?? []].flat());
  const counts = shots.map(({ length }) => length);
  expect(counts).toEqual([0, 0, ...Array(16).fill(1), ...Array(16).fill(5)]);
  expect(shots[2]?.[0]).toEqual({ question: expect.any(String), answer: expect.any(String) });
  for (const { paper, table } of studies) {
    const model = ['mine'];
    const { read, modelFor } = await typed(paper, table, { data, model });
    expect([read.study.models[0]?.label, modelFor(undefined)]).toEqual(['mine', 'mine']);
    const judges = read.study.datasets.flatMap(({ of }) => of.judge ?? []);
    expect(judges.filter((judge) => judge !== 'mine')).toEqual([]);
  }
});

it('are listed with what each needs', async () => {
  const { text = '', value } = await listPapers('sure', context);
  expect(text).toMatch(
    /^ {2}table-4 +yes +34,000 +NQ 500, WebQ 500, 2Wiki 500, HotpotQA 500 +wiki18_100w +SuRe as/m,
  );
  expect(text).toMatch(/^ {2}figure-4c +no +preference of people/m);
  const all = value as { table: string; needs: { corpora: string[]; models: string[] } | null }[];
  expect(all.find(({ table }) => table === 'table-2')?.needs).toMatchObject({
    corpora: ['wiki18_100w'],
    models: ['gpt-3.5-turbo-0301', 'gpt-4-0613', 'llama-2-70b-chat'],
  });
  expect(text).toContain('figure 4c: people judge\n');
  expect(text).toContain('figure 4c: nearest is the marks of report --serve');
});

it('ask the models that are typed, each in the place of one of the paper', async () => {
  const one = await typed('sure', 'table-2', { model: ['org/mine:1'] });
  expect(one.read.study.models.map(({ label, of }) => [label, of])).toEqual([
    ['org-mine-1', { default: 'org/mine:1' }],
  ]);
  expect([undefined, 'gpt-3.5-turbo-0301', 'gpt-4-0613'].map(one.modelFor)).toEqual([
    'org-mine-1',
    'org-mine-1',
    undefined,
  ]);
  expect(one.notes).toEqual([
    'gpt-4-0613 was not asked; --model gpt-4-0613=NAME says what is asked in its place.',
    'llama-2-70b-chat was not asked; --model llama-2-70b-chat=NAME says what is asked in its place.',
  ]);
  const none = await typed('sure', 'table-1', {});
  expect(none.read.study.models.map(({ label, of }) => [label, of])).toEqual([['default', {}]]);

  const both = { model: ['large', 'llama-2-70b-chat=small'] };
  const mixed = await typed('sure', 'table-10', both);
  expect(mixed.modelFor('chatgpt-llama')).toBe('large-small');
  expect(mixed.read.study.models.at(-1)).toEqual({
    label: 'large-small',
    of: { default: 'large', validate: 'small', rankPair: 'small' },
  });
  const sure = mixed.read.study.methods.filter(({ label }) => label.startsWith('base'));
  expect(sure.map(({ models }) => models)).toEqual([['large'], ['large']]);
});

it('read a folder of data in the shapes of FlashRAG, of the authors, and as plain records', async () => {
  const data = await dataFolder(
    'nq/test.jsonl',
    'indatasets/webq/webq-test.jsonl',
    'triviaqa.jsonl',
  );
  const { read } = await typed('chain-of-note', 'table-2', {
    data,
    givenPassages: true,
    fields: { sample: 2, seed: 7 },
  });
  expect(Object.fromEntries(read.files)).toEqual({
    nq: join(data, 'nq/test.jsonl'),
    triviaqa: join(data, 'triviaqa.jsonl'),
    webq: join(data, 'indatasets/webq/webq-test.jsonl'),
  });
  expect(read.study.seed).toBe(7);
  expect(read.study.datasets.map(({ of }) => [of.sample, of.corpus, of.reader])).toEqual([
    [2, undefined, undefined],
    [2, undefined, 'durable-rag'],
    [2, undefined, undefined],
  ]);
  const fetched = await typed('chain-of-note', 'table-2', { fields: { corpus: 'mine' } });
  expect([...fetched.read.files.values()]).toContain('flashrag:web_questions/test');
  expect(fetched.read.study.datasets.map(({ of }) => of.corpus)).toEqual(['mine', 'mine', 'mine']);
});

it('refuse two models in place of one', async () => {
  await expect(typed('sure', 'table-1', { model: ['a', 'b'] })).rejects.toThrow(
    'model: names two models in place of gpt-3.5-turbo-0301',
  );
});

it('name file and field, if one of them is wrong', async () => {
  const made = await temporaryFolder();
  const write = async (file: string, value: unknown) => {
    await mkdir(join(made, 'own'), { recursive: true });
    await writeFile(
      join(made, 'own', file),
      typeof value === 'string' ? value : JSON.stringify(value),
    );
  };
  const refusal = () => paperFiles(undefined, made).then(String, (error: Error) => error.message);
  await write('paper.json', { name: 'Own', source: 'somebody' });
  expect(await refusal()).toContain(
    `${join(made, 'own', 'paper.json')}: Bad input. page: is missing`,
  );
  await write('paper.json', { name: 'Own', source: 'somebody', page: 'own' });
  await write('table-1.paper.json', '{');
  expect(await refusal()).toContain(`${join(made, 'own', 'table-1.paper.json')}: is not JSON`);
  await write('table-1.paper.json', { title: 'x', made: 'no', lacks: ['y'], nearest: 'z' });
  expect(await refusal()).toBe('[object Object]');
  await write('table-1.yaml', 'name: own');
  expect(await refusal()).toContain('table-1.paper.json: made: is "no" beside the study');
});
