/** What `durable-rag methods`, a dry run and a report tell of the method. */
import { defineMethod } from 'durable-rag/steps';
import { lookTwice as algorithm } from './algorithm.js';
import { options } from './options.js';
import { secondLook } from './step.js';

export const lookTwice = defineMethod({
  name: 'lookTwice',
  title: 'Base, with a second look at the answer',
  options,
  algorithm,
  steps: ['read', secondLook.name],
  callsFormula: '2; 1 when the model does not know',
});
