/**
 * Declares `durable-rag index`, `datasets`, `store` and other commands for the data that runs read
 * or make.
 */
import { z } from 'zod';
import { DEFAULT_ANALYSIS } from '../../retrieval/elasticsearch/indices.js';
import { clusterInput } from '../../workflows/cluster-job.js';
import { defineCommand } from '../define-command.js';
import { putFlags, trainFlags } from '../inputs.js';
import {
  dataSchema as dataFile,
  flagged,
  pathSchema,
  textFlag,
  toggleFlag,
} from './common-flags.js';

const datasets = () => import('../datasets.js');
const store = () => import('../store.js');
const name = z.string();
const ofBm25 = (flag: string, usual: number) =>
  flagged(flag, 'parameter of BM25 in Elasticsearch', z.number().optional(), {
    otherwise: `${usual}`,
  });

export const data = [
  defineCommand({
    name: 'index',
    does: 'build an index from a corpus: JSON, CSV, TSV or Parquet, plain or gzip',
    takes: z.object({
      file: dataFile(
        'passages with id, title and text, or id and contents; a path, or an address as for --dataset',
      ),
      into: textFlag('--into <name>', 'name of the index'),
      fields: textFlag(
        '--fields <id=...,text=...>',
        'mapping of the fields id, title, and text or contents; columns without a header by number',
      ).optional(),
      embed: toggleFlag(
        '--embed',
        'embed the passages as well, for retrieval.mode dense and hybrid',
      ),
      analyzer: textFlag('--analyzer <name>', 'analyzer of Elasticsearch')
        .optional()
        .meta({ otherwise: DEFAULT_ANALYSIS.analyzer }),
      k1: ofBm25('--k1 <n>', DEFAULT_ANALYSIS.k1),
      b: ofBm25('--b <n>', DEFAULT_ANALYSIS.b),
    }),
    settings: ['DURABLE_RAG_SEARCH'],
    json: 'the manifest of the index as JSON',
    examples: [
      'durable-rag index passages.jsonl --into wiki --embed',
      'durable-rag index docs.parquet --into docs --fields id=docid,text=body,title=headline',
    ],
    run: async ({ file, ...options }, context) =>
      (await import('../index-corpus.js')).indexCorpus(file, options, context),
  }),
  defineCommand({
    name: 'corpora',
    does: 'list the corpora: engine, size, analyzer, embedding model',
    settings: ['DURABLE_RAG_SEARCH'],
    json: 'the manifest of each index as JSON',
    run: async (_, context) => (await import('../corpora.js')).listCorpora(context),
  }),
  defineCommand({
    name: 'datasets',
    does: 'list the data sets in the store; put or remove one',
    run: async (_, context) => (await datasets()).listDatasets(context),
  }),
  defineCommand({
    name: 'datasets put',
    does: 'read a file of questions, check it and store it',
    takes: z.object({
      file: dataFile(
        'questions, in any format that eval reads; a path, or an address as for --dataset',
      ),
      name: textFlag(
        '--name <name>',
        'name for --dataset stored:NAME; it refers to the last data set stored under it',
      ).optional(),
      requireAnswers: z
        .boolean()
        .default(true)
        .describe('also take questions without gold answers')
        .meta({ flag: '--no-require-answers' }),
      ...putFlags.shape,
    }),
    examples: ['durable-rag datasets put dev.json --as nq --name nq'],
    run: async ({ file, ...options }, context) =>
      (await datasets()).putDataset(file, options, context),
  }),
  defineCommand({
    name: 'datasets remove',
    does: 'remove a name; its questions stay until "store prune"',
    takes: z.object({ name }),
    run: async ({ name }, context) => (await datasets()).removeDataset(name, context),
  }),
  defineCommand({
    name: 'store',
    does: 'show what the store holds: entries, sizes and ages',
    run: async (_, context) => (await store()).showStore(context),
  }),
  defineCommand({
    name: 'store prune',
    does: 'delete old responses, vectors and relevance scores, and unused data sets and passages',
    takes: z.object({
      olderThan: textFlag(
        '--older-than <age>',
        'time since an entry was last written, such as 30d, 12h or 2w',
      ),
      dryRun: toggleFlag('--dry-run', 'count what would be deleted, and delete nothing'),
    }),
    run: async (flags, context) => (await store()).pruneStore(flags, context),
  }),
  defineCommand({
    name: 'train-data',
    does: "make Chain-of-Note's training data from a file of questions",
    takes: z.object({ out: pathSchema('folder for the files', '--out <folder>') }),
    input: trainFlags,
    json: 'errors as JSON; the result is always JSON',
    run: async ({ out }, context, typed) =>
      (await import('../run/train-data.js')).trainData(out, await typed.input(), context),
  }),
  defineCommand({
    name: 'clusters',
    does: "make a demonstration set for GenRead's clustering-based prompts",
    input: clusterInput,
    json: 'errors as JSON; the result is always JSON',
    run: async (_, context, typed) =>
      (await import('../clusters.js')).clusters(await typed.input(), context),
  }),
];
