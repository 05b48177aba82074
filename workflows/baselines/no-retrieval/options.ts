/** No retrieval: options. Pure. */
import { z } from 'zod';
import { demonstrations } from '../../../methods/options/options.js';
import type { BaseChain } from '../../base/options.js';

export const options = z.strictObject({ demonstrations });

export type NoRetrievalOptions = z.output<typeof options>;

/** As base, with no passages. */
export type NoRetrievalChain = BaseChain;
