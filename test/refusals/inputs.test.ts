/** Fields of inputs that cannot be, each with the whole sentence that names the field. */
import { describe } from 'vitest';
import { refuseSecrets } from '../../core/options/extra-body.js';
import { parseInput } from '../../core/options/input.js';
import { checkSettings } from '../../core/run/run-settings.js';
import { parseStudy, type StudyInput } from '../../core/study/study.js';
import { candidatesOf, type TuneStart } from '../../core/tune/candidates.js';
import { parseTune, type TuneInput } from '../../core/tune/tune.js';
import { parsePaperTable } from '../../evaluation/papers/paper-table.js';
import { methods } from '../../interpreters/methods.js';
import { refusals } from '../support/refusals.js';

/** The same for each row, so that a row shows what is wrong in it. */
const asking = (input: object) =>
  parseInput<unknown>(methods.sure as never, { question: 'Who?', ...input });
const askingOf = (method: 'base' | 'allies', input: object) =>
  parseInput<unknown>(methods[method] as never, { question: 'Who?', ...input });

describe('a question', () => {
  refusals(asking, [
    [{ question: '  ' }, 'Bad input. question: is empty; ask something'],
    [
      { question: 'x'.repeat(100_000) },
      'Bad input. question: is 100000 characters long; at most 20000',
    ],
    [
      { transport: 'batch' },
      'Bad input. transport: there is no such field; there are question, retrieval, models, extraBody, outputs, tier, prompts, seed, cache, limits, budgetPerQuestionUsd, labels, options',
    ],
    [
      { retrieval: { passages: [{ title: 't', text: ' ' }] } },
      'Bad input. retrieval.passages.0.text: is empty',
    ],
    // Its digits are lost already.
    [
      { retrieval: { passages: [{ text: 't', id: 2 ** 60 }] } },
      'Bad input. retrieval.passages.0.id: must be a text, or a whole number up to 2^53',
    ],
    [
      { retrieval: { passages: [{ text: 't' }], corpus: 'wiki' } },
      'Bad input. retrieval.corpus: has no effect: retrieval.passages come with the question and are searched in its place; leave out one of the two',
    ],
    [
      { tier: 'other' },
      'Bad input. tier: must be one of standard, flex, or an object of names and values, not "other"',
    ],
    [
      { tier: { rankPairs: 'flex' } },
      'Bad input. tier.rankPairs: is not a step of sure; did you mean rankPair?',
    ],
    [
      { outputs: 'other' },
      'Bad input. outputs: must be one of text, schema, or an object of names and values, not "other"',
    ],
    [
      { outputs: { rankPairs: 'schema' } },
      'Bad input. outputs.rankPairs: is not a step of sure; did you mean rankPair?',
    ],
    [
      { models: { validate: { temperatur: 1 } } },
      'Bad input. models.validate.temperatur: there is no such field; did you mean temperature?',
    ],
    [
      { models: { validate: { temperature: 3 } } },
      'Bad input. models.validate.temperature: must be a number from 0 to 2, not 3',
    ],
    [
      { models: { validate: { maxTokens: 0 } } },
      'Bad input. models.validate.maxTokens: must be a whole number from 1 to 200000, not 0',
    ],
    [
      { models: { validate: { reasoningEffort: 'hihg' } } },
      'Bad input. models.validate.reasoningEffort: must be one of none, minimal, low, medium, high, xhigh, max, not "hihg"; did you mean high?',
    ],
    [
      { models: { validte: { temperature: 1 } } },
      'Bad input. models.validte: is not a step of sure; did you mean validate?',
    ],
    [
      { extraBody: { temperature: 0.1 } },
      'Bad input. extraBody.temperature: is decided by durable-rag; set temperature in models',
    ],
    [
      { models: { rankPair: { extraBody: { temperature: 0.1 } } } },
      'Bad input. models.rankPair.extraBody.temperature: is decided by durable-rag; set temperature in models',
    ],
    [
      { extraBody: { token: 'abc' } },
      'Bad input. extraBody.token: looks like a secret, which would be stored in histories and manifests; send it as a header (openAiModel, see docs/adapters.md)',
    ],
  ]);
  // With these options neither searches.
  refusals(askingOf, [
    [
      'base',
      { options: { passages: 0 }, retrieval: { mode: 'dense' } },
      'Bad input. retrieval.mode: has no effect: with these options the method searches nothing; leave it out',
    ],
    [
      'base',
      { options: { passages: 0 }, retrieval: { passages: [{ text: 't' }] } },
      'Bad input. retrieval.passages: has no effect: with these options the method searches nothing; leave it out',
    ],
    [
      'base',
      { options: { passages: 0 }, retrieval: { corpus: 'wiki' } },
      'Bad input. retrieval.corpus: has no effect: with these options the method searches nothing; leave it out',
    ],
    [
      'allies',
      { options: { evidence: 'generated' }, retrieval: { mode: 'dense' } },
      'Bad input. retrieval.mode: has no effect: with these options the method searches nothing; leave it out',
    ],
    [
      'allies',
      { options: { evidence: 'generated' }, retrieval: { passages: [{ text: 't' }] } },
      'Bad input. retrieval.passages: has no effect: with these options the method searches nothing; leave it out',
    ],
    [
      'allies',
      { options: { evidence: 'generated' }, retrieval: { corpus: 'wiki' } },
      'Bad input. retrieval.corpus: has no effect: with these options the method searches nothing; leave it out',
    ],
  ]);
});

describe('fields of the body that hold a configured secret', () => {
  refusals(
    (input: object) => refuseSecrets(input, ['tango-seven', 'abc']),
    [
      [
        { extraBody: { note: 'see tango-seven' } },
        'Bad input. extraBody.note: contains a configured secret, which would be stored in histories and manifests; leave it out',
      ],
      [
        { models: { 'a.b': { extraBody: { x: [{ y: 'tango-seven' }] } } } },
        'Bad input. models.a.b.extraBody.x.0.y: contains a configured secret, which would be stored in histories and manifests; leave it out',
      ],
      [
        { judge: { extraBody: { 'tango-seven': 1 } } },
        'Bad input. judge.extraBody: contains a configured secret, which would be stored in histories and manifests; leave it out',
      ],
    ],
  );
});

describe('settings of a run', () => {
  refusals(checkSettings, [
    [{ concurrency: 0 }, 'Bad input. concurrency: must be a whole number from 1 to 50000, not 0'],
    [
      { concurrency: null },
      'Bad input. concurrency: must be a whole number from 1 to 50000, not null',
    ],
    [
      { concurrency: 1.5, budgetUsd: -1 },
      'Bad input. concurrency: must be a whole number from 1 to 50000, not 1.5; budgetUsd: must be a number of US dollars above 0, or null for no limit, not -1',
    ],
    [
      { requestsPerMinute: '60' },
      'Bad input. requestsPerMinute: must be a number above 0, or null for no limit, not "60"',
    ],
    [
      { budget: 3 },
      'Bad input. budget: there is no such setting; there are concurrency, budgetUsd, requestsPerMinute, tokensPerMinute, pauseAfter, pauseIfFirst, probeSeconds',
    ],
    [
      undefined,
      'Bad input. input: must be an object with any of concurrency, budgetUsd, requestsPerMinute, tokensPerMinute, pauseAfter, pauseIfFirst, probeSeconds',
    ],
    [
      [],
      'Bad input. input: must be an object with any of concurrency, budgetUsd, requestsPerMinute, tokensPerMinute, pauseAfter, pauseIfFirst, probeSeconds',
    ],
  ]);
});

const STUDY: StudyInput = {
  name: 'sure-vs-base',
  methods: ['base', { sure: { candidates: 2 } }, { sure: { candidates: 3 }, as: 'sure-k3' }],
  datasets: ['nq.jsonl.gz', { file: 'hotpotqa.json', sample: 500, as: 'hotpot' }],
  models: ['gpt-5-mini', { default: 'gpt-5-mini', rankPair: 'gpt-5-nano', as: 'mixed' }],
  baseline: 'base',
};

describe('a study', () => {
  refusals(
    (more: object) => parseStudy({ ...STUDY, ...more }),
    [
      [{ methods: [] }, 'Bad input. methods: must be a list of at least 1, not an empty list'],
      [
        { methods: ['base', 'base'] },
        'Bad input. methods.1: has the name "base", like another one; give one of them another name with "as"',
      ],
      [
        { methods: [{ base: {}, sure: {} }] },
        'Bad input. methods.0: must be a name, or { NAME: options }, with "as", "datasets" and "models" beside it',
      ],
      [
        { methods: ['base', { base: { passages: 5 }, datasets: ['nq'] }] },
        'Bad input. methods.1: has the name "base", like another one; give one of them another name with "as"',
      ],
      [
        { methods: ['base', { sure: {}, datasets: ['webq'] }] },
        'Bad input. methods.1.datasets: "webq" is not in datasets; there are nq, hotpot',
      ],
      [
        { methods: ['base', { sure: {}, models: 'mixed' }] },
        'Bad input. methods.1.models: must be a list of names of models in tables (as)',
      ],
      [
        { baseline: 'sure-k4' },
        'Bad input. baseline: "sure-k4" is not in methods; did you mean sure-k3?',
      ],
      [
        { datasets: [{ corpus: 'wiki', as: 'x' }] },
        'Bad input. datasets.0: must have either file or stored',
      ],
      [
        { datasets: [{ file: 'a.jsonl', sampel: 5 }] },
        'Bad input. datasets.0.sampel: there is no such field; did you mean sample?',
      ],
      [
        { models: [{ default: 'a', rankPair: 'b' }] },
        'Bad input. models.0.as: is missing; the entry needs a name for tables, which must be letters, digits, ".", "_" or "-", at most 100 of them, the first a letter or a digit',
      ],
      [{ repeats: 0 }, 'Bad input. repeats: must be a whole number from 1 to 100, not 0'],
      [
        { name: 'no name' },
        'Bad input. name: must be letters, digits, ".", "_" or "-", at most 100 of them, the first a letter or a digit',
      ],
    ],
  );
});

const START: TuneStart = {
  method: 'sure',
  options: { candidates: 2, passages: 10 },
  defaults: { candidates: 2, passages: 10 },
  models: { default: 'large', validate: 'small' },
  outputs: {},
  prompts: { default: 'default' },
  steps: ['summarize', 'validate', 'rankPair'],
};
const hasOtherPrompt = () => false;
const TUNE: TuneInput = { name: 't', start: 'run', goal: 'better', try: { models: ['small'] } };

describe('a tune', () => {
  refusals(
    (more: object) => parseTune({ ...TUNE, ...more }),
    [
      [{ goal: 'cheaper' }, 'Bad input. margin: is missing: say how many points may be lost'],
      [
        { margin: 5 },
        'Bad input. margin: has no effect: nothing may be lost if the goal is better',
      ],
      [
        { goal: 'cheaper', margin: 100 },
        'Bad input. margin: must be a number above 0 and below 100, not 100',
      ],
      [{ try: {} }, 'Bad input. try: names no change: nothing would be tried'],
      [
        { try: { models: [] } },
        'Bad input. try.models: must be a list of at least 1, or an object of names and values, not an empty list',
      ],
      [{ budgetUSD: 5 }, 'Bad input. budgetUSD: there is no such field; did you mean budgetUsd?'],
      [
        { goal: 'beter' },
        'Bad input. goal: must be one of better, cheaper, not "beter"; did you mean better?',
      ],
      [
        { try: { outputs: ['json'] } },
        'Bad input. try.outputs.0: must be one of text, schema, not "json"',
      ],
    ],
  );
  refusals(
    (more: object) => candidatesOf(parseTune({ ...TUNE, ...more }).try, START, hasOtherPrompt),
    [
      [
        { try: { models: { read: ['small'] } } },
        'Bad input. try.models.read: is not a step in which sure asks a model with these options; there are summarize, validate, rankPair',
      ],
      [
        { try: { outputs: { sumarize: ['schema'] } } },
        'Bad input. try.outputs.sumarize: is not a step in which sure asks a model with these options; did you mean summarize?',
      ],
      [
        { try: { models: { default: ['small'] } } },
        'Bad input. try.models.default: is not a step in which sure asks a model with these options; there are summarize, validate, rankPair',
      ],
      [
        { try: { options: { candidate: [1] } } },
        'Bad input. try.options.candidate: is no option of sure; did you mean candidates?',
      ],
      [
        { try: { options: { candidates: [2] } } },
        'Bad input. try: changes nothing: everything that it names is as it is in the start',
      ],
      [
        { try: { options: { candidates: [3, 3] } } },
        'Bad input. try.options.candidates: names candidates 3 twice',
      ],
      [
        { try: { methods: [{ base: {}, ircot: {} }] } },
        'Bad input. try.methods.0: must be a name, or { NAME: options }, with "as", "datasets" and "models" beside it',
      ],
    ],
  );
});

const TABLE = {
  title: 'methods on two data sets',
  made: 'yes',
  columns: [
    { group: 'A', title: 'EM', dataset: 'a', metric: 'em' },
    { group: 'B', title: 'EM', dataset: 'b', metric: 'em' },
    { title: 'Mean', mean: ['A EM', 'B EM'] },
  ],
  rows: [
    { title: 'one', method: 'base', figures: [1, null, 2.5] },
    { title: 'two', method: 'sure', figures: [[3, 2, 4], 3, 3] },
  ],
};
const column = (more: object) => ({ columns: [{ title: 'EM', ...more }] });
const row = (more: object) => ({ rows: [{ title: 'one', method: 'base', ...more }] });

describe('a table of a paper', () => {
  refusals(
    (more: object) => parsePaperTable({ ...TABLE, ...more }),
    [
      [row({ slice: 'yes', figures: [1, 2, 3] }), 'Bad input. rows.0.slice: needs "by" or "above"'],
      [
        { above: 'em', ...row({ slice: 'yes', figures: [1, 2, 3] }) },
        'Bad input. rows.0.slice: must be a number with "above"',
      ],
      [{ above: 'em', by: 'passed' }, 'Bad input. above: cannot be combined with "by"'],
      [
        row({ unmadeIn: { C: 'no index' }, figures: [1, 2, 3] }),
        'Bad input. rows.0.unmadeIn.C: is not the heading of a column: A, B, Mean',
      ],
      [{ titel: 'x' }, 'Bad input. titel: there is no such field; did you mean title?'],
      [{ made: 'maybe' }, 'Bad input. made: must be one of yes, partly, no, not "maybe"'],
      [{ made: 'partly' }, 'Bad input. lacks: is missing; it must explain why made is "partly"'],
      [
        { made: 'no', lacks: ['people'] },
        'Bad input. nearest: is missing; it must name the nearest alternative',
      ],
      [{ columns: [] }, 'Bad input. columns: is missing; a table needs rows and columns'],
      [
        row({ figures: [1, 2] }),
        'Bad input. rows.0.figures: must have as many figures as the table has columns: 3, not 2',
      ],
      [
        row({}),
        'Bad input. rows.0.figures: is missing; if the table has no figures, noFigures must explain why',
      ],
      [
        row({ figures: [[5, 6, 7], 1, 1] }),
        'Bad input. rows.0.figures.0: must be [figure, lower end, upper end]',
      ],
      [
        { noFigures: 'curves' },
        'Bad input. rows.0.figures: cannot be combined with noFigures; rows.1.figures: cannot be combined with noFigures',
      ],
      [
        row({ method: undefined, figures: [1, 2, 3] }),
        'Bad input. rows.0: neither the row nor the column names the method of "A EM", the method of "B EM"',
      ],
      [
        { ...column({ metric: 'em' }), ...row({ figures: [1] }) },
        'Bad input. rows.0: neither the row nor the column names the dataset of "EM"',
      ],
      [
        { ...column({ dataset: 'a' }), ...row({ figures: [1] }) },
        'Bad input. rows.0: neither the row nor the column names the metric of "EM"',
      ],
      [
        column({ mean: ['x', 'EM'] }),
        'Bad input. columns.0.mean.0: "x" is not one of the columns: EM; columns.0.mean.1: "EM" is itself a mean; rows.0.figures: must have as many figures as the table has columns: 1, not 3; rows.1.figures: must have as many figures as the table has columns: 1, not 3',
      ],
      [
        column({ mean: ['EM', 'EM'] }),
        'Bad input. columns.0.mean.0: "EM" is itself a mean; columns.0.mean.1: "EM" is itself a mean; rows.0.figures: must have as many figures as the table has columns: 1, not 3; rows.1.figures: must have as many figures as the table has columns: 1, not 3',
      ],
      [
        { columns: [TABLE.columns[0], TABLE.columns[0]] },
        'Bad input. columns.1.title: is "A EM", the name of another one; rows.0.figures: must have as many figures as the table has columns: 2, not 3; rows.1.figures: must have as many figures as the table has columns: 2, not 3',
      ],
    ],
  );
});
