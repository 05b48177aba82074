import { z } from 'zod';
import type { BaseChain } from '../../base/options.js';
import { demonstrations } from '../../options.js';

export const options = z.strictObject({ demonstrations });

export type NoRetrievalOptions = z.output<typeof options>;

export type NoRetrievalChain = BaseChain;
