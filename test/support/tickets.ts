/** A data set of one's own, declared as a configuration does. */
import { z } from 'zod';
import { defineDataset } from '../../workers/define-config.js';

export const tickets = defineDataset({
  name: 'tickets',
  source: 'our help desk',
  schema: z.strictObject({ ticket: z.string(), asked: z.string(), solved: z.array(z.string()) }),
  question: ({ ticket, asked, solved }) => ({ id: ticket, question: asked, answers: solved }),
});

export const ticket = { ticket: 'T-1', asked: 'Where is the key?', solved: ['In the drawer.'] };
