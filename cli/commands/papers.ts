/** `durable-rag papers`. */
import { z } from 'zod';
import { TABLE_FORMATS } from '../../evaluation/study/render-table.js';
import { defineCommand } from '../define-command.js';
import { paperFlags } from '../inputs.js';
import { detach, flagged, startsNothing, text, toggle } from './common-flags.js';

const ofTable = { flagExcludes: ['dryRun'] };

export const papers = defineCommand({
  name: 'papers',
  does: 'list the tables of the papers, or reproduce one beside the published figures',
  takes: z.object({
    paper: z.string().optional().describe('a paper, such as sure; by default all are listed'),
    table: z
      .string()
      .optional()
      .describe('a table, such as table-1; by default those of the paper are listed'),
    model: flagged(
      '--model <names>',
      "model to ask instead of the paper's; THEIRS=NAME for one of several",
      z.array(z.string().trim().min(1)).min(1).optional(),
      { otherwise: 'that of the workers' },
    ),
    data: text('--data <folder>', 'folder of data sets, or flashrag to fetch them')
      .optional()
      .meta({ otherwise: 'flashrag' }),
    givenPassages: toggle(
      '--given-passages',
      'use the passages that come with the questions instead of a corpus',
    ),
    name: text('--name <name>', 'name of the study').optional().meta({ otherwise: 'PAPER-TABLE' }),
    format: flagged(
      '--format <name>',
      'format of the table',
      z.enum(TABLE_FORMATS).default('text'),
    ),
    kept: toggle('--kept', 'ask nothing, and show the table from the kept answers', ofTable),
    dryRun: startsNothing,
    detach,
  }),
  input: paperFlags,
  settings: ['DURABLE_RAG_SEARCH'],
  json: 'the list, or the table with its figures as JSON',
  examples: [
    'durable-rag papers sure',
    'durable-rag papers sure table-1 --model gpt-5-mini --sample 100 --dry-run',
  ],
  async run({ paper, table, ...flags }, context, typed) {
    if (paper === undefined || table === undefined) {
      return (await import('../papers/list-papers.js')).listPapers(paper, context);
    }
    const { name, ...asked } = flags;
    const { fields } = await typed.input();
    const named = name === undefined ? fields : { ...fields, name };
    const { makeTable } = await import('../papers/make-table.js');
    return makeTable(paper, table, { ...asked, fields: named }, context);
  },
});
