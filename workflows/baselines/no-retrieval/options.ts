/** No retrieval: options. Pure. */
import { z } from 'zod';
import type { BaseChain } from '../../base/options.js';
import { demonstrations } from '../../options.js';

export const options = z.strictObject({ demonstrations });

export type NoRetrievalOptions = z.output<typeof options>;

/** As base, with no passages. */
export type NoRetrievalChain = BaseChain;
