/** `durable-rag papers` without a table: lists the tables, and what each needs. */
import { groupedBy } from '../../core/grouped-by.js';
import { methodNamed } from '../../core/method-registry.js';
import { cellsOf, parseStudy } from '../../core/study/study.js';
import { table as columnsOf } from '../../evaluation/runs/columns.js';
import { count } from '../../evaluation/runs/number-text.js';
import { mostCalls } from '../../interpreters/planning.js';
import type { CliContext } from '../context.js';
import { methodsOf } from '../own-methods.js';
import type { CommandOutput } from '../print-output.js';
import {
  type PaperDataSet,
  type PaperFile,
  paperDataSets,
  paperFiles,
  tableName,
} from './paper-files.js';
import { studyInputOf, withoutDrawnDemonstrations } from './paper-study.js';

/** Data sets, corpora, models and calls that a table needs. */
interface Needs {
  datasets: { title: string; questions: number | null }[];
  corpora: string[];
  models: string[];
  /**
   * Maximum number of calls for all questions, without those of a judge; null if their number is
   * unknown.
   */
  calls: number | null;
}

/**
 * Returns the output of `papers`: the tables of all papers, or of one, each with whether it can be
 * reproduced and with the data sets, corpora and calls that it needs; as JSON an array of objects,
 * as text a table for each paper.
 *
 * @throws Failure BadInput for an unknown paper.
 */
export async function listPapers(
  paper: string | undefined,
  context: CliContext,
): Promise<CommandOutput> {
  const files = await paperFiles(paper);
  const sets = await paperDataSets();
  const known = new Map<string, number>();
  const listed: { file: PaperFile; needs: Needs | undefined }[] = [];
  for (const file of files) {
    const needs = file.study === undefined ? undefined : await needsOf(file, sets, known, context);
    listed.push({ file, needs });
  }
  const values = listed.map(({ file, needs }) => ({
    paper: file.paper,
    table: file.table,
    title: file.layout.title,
    made: file.layout.made,
    lacks: file.layout.lacks ?? [],
    nearest: file.layout.nearest ?? null,
    needs: needs ?? null,
  }));
  const texts = [...groupedBy(listed, ({ file }) => file.paper)].map(([name, own]) => {
    const rows = own.map(({ file, needs }) => rowOf(file, needs));
    const [{ name: method, source } = { name, source: '' }] = own.map(({ file }) => file.of);
    return [`${name}: ${method} (${source})`, columnsOf([HEADER, ...rows])].join('\n');
  });
  const text = [
    ...texts,
    ...(paper === undefined ? [] : lackLines(listed.map(({ file }) => file))),
  ];
  return { value: values, text: text.join('\n\n') };
}

const HEADER = ['  table', 'made', 'calls at most', 'questions of', 'corpus', 'what'];

function rowOf({ table, layout }: PaperFile, needs: Needs | undefined): string[] {
  const sets = needs?.datasets.map(({ title, questions }) =>
    `${title} ${questions === null ? '' : count(questions)}`.trim(),
  );
  return [
    `  ${table}`,
    layout.made,
    needs && needs.calls !== null ? count(needs.calls) : '',
    sets?.join(', ') ?? '',
    needs?.corpora.join(', ') ?? '',
    layout.title,
  ];
}

/**
 * Returns what is missing here or different from the paper, each once with the tables that it
 * concerns, and the nearest alternatives to tables that cannot be made.
 */
function lackLines(files: readonly PaperFile[]): string[] {
  const found = files.flatMap(({ table, layout: { lacks = [] } }) =>
    lacks.map((lack) => ({ table: tableName(table), lack })),
  );
  const lines = [...groupedBy(found, ({ lack }) => lack)].map(([lack, own]) => {
    const tables = own.map(({ table }) => table).join(', ');
    return `${own.length === files.length && files.length > 1 ? 'all' : tables}: ${lack}`;
  });
  const nearest = files.flatMap(({ table, layout }) =>
    layout.nearest ? [`${tableName(table)}: nearest is ${layout.nearest}`] : [],
  );
  return lines.length > 0 ? [[...lines, ...nearest].join('\n')] : [];
}

async function needsOf(
  file: PaperFile,
  sets: Readonly<Record<string, PaperDataSet>>,
  known: Map<string, number>,
  context: CliContext,
): Promise<Needs> {
  const study = parseStudy(withoutDrawnDemonstrations(await studyInputOf(file)));
  const registry = methodsOf(context);
  const questionsOf = new Map(
    study.datasets.map(({ label, of: { file: name = '', sample } }) => {
      const { title = name, questions } = sets[name] ?? {};
      const asked = Math.min(sample ?? Infinity, questions ?? Infinity);
      return [label, { title, questions: asked === Infinity ? null : asked }] as const;
    }),
  );
  let calls = 0;
  for (const { dataset, inputs } of cellsOf(study, new Map())) {
    for (const { method, options } of inputs) {
      const key = JSON.stringify([method, options]);
      const found = methodNamed(method, registry);
      const each =
        known.get(key) ?? (await mostCalls(found, found.options.parse(options ?? {}))) ?? 0;
      known.set(key, each);
      calls += each * (questionsOf.get(dataset)?.questions ?? 0);
    }
  }
  // Of a data set in several forms the questions are the same.
  const datasets = new Map([...questionsOf.values()].map((one) => [one.title, one]));
  return {
    datasets: [...datasets.values()],
    corpora: [...new Set(study.datasets.flatMap(({ of }) => of.corpus ?? []))],
    models: study.models.map(({ label }) => label),
    calls: [...questionsOf.values()].some(({ questions }) => questions === null) ? null : calls,
  };
}
