/** The workflow that the workers run. */
import { questionWorkflow } from 'durable-rag/workflows';
import * as algorithm from './algorithm.js';

export const lookTwice = questionWorkflow('lookTwice', algorithm.lookTwice);
