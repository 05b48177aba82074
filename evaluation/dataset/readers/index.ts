/** Lists the published data sets that can be read. A new one is a line here. */
import type { Dataset } from '../define-dataset.js';
import * as claims from './claims.js';
import { durableRag } from './durable-rag.js';
import * as long from './long-answers.js';
import * as hops from './multi-hop.js';
import * as choice from './multiple-choice.js';
import * as open from './open-questions.js';
import * as reading from './reading.js';
import * as tools from './tools.js';
import * as given from './with-passages.js';

/**
 * List of the declarations of all built-in data sets, in order of precedence: if several fit a
 * record and give the same question, the first one is used. This project's own format is the
 * first.
 */
export const DATASETS: readonly Dataset[] = [
  durableRag,
  open.flashrag,
  open.nqOpen,
  open.webQuestions,
  open.popqa,
  open.triviaqa,
  open.triviaqaHf,
  reading.squad,
  reading.squadFlat,
  reading.mrqa,
  hops.hotpotqa,
  hops.twoWiki,
  hops.musique,
  hops.strategyqa,
  reading.boolq,
  long.asqa,
  long.alceAsqa,
  long.qampari,
  long.alceQampari,
  long.eli5,
  long.alceEli5,
  long.ambigqa,
  given.dpr,
  given.dprTraining,
  given.kilt,
  given.beir,
  claims.fever,
  claims.foolMeTwice,
  claims.scifact,
  reading.pubmedqa,
  reading.bioasq,
  given.crag,
  hops.multihopRag,
  given.rgb,
  open.gsm8k,
  tools.ragas,
  tools.ragasOld,
  tools.deepeval,
  tools.llamaIndex,
  tools.autoRag,
  choice.arc,
  choice.arcHf,
  choice.openBookQa,
  choice.mmlu,
  choice.medqa,
  choice.race,
  choice.realTimeQa,
  choice.truthfulqa,
  choice.truthfulqaHf,
  choice.truthfulqaChoices,
];
