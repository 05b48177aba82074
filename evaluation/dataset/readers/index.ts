/** The published data sets that are read; a new one is a line here. */
import type { Dataset } from '../define-dataset.js';
import { alceEli5, alceQampari } from './alce.js';
import { ambigqa } from './ambigqa.js';
import { alceAsqa, asqa } from './asqa.js';
import { beir } from './beir.js';
import { bioasq } from './bioasq.js';
import { crag } from './crag.js';
import { dpr, dprTraining } from './dpr.js';
import { durableRag } from './durable-rag.js';
import { eli5 } from './eli5.js';
import { fever, foolMeTwice } from './fever.js';
import { flashrag } from './flashrag.js';
import { hotpotqa, twoWiki } from './hotpotqa.js';
import { kilt } from './kilt.js';
import { multihopRag } from './multihop-rag.js';
import { arc, arcHf, medqa, mmlu, openBookQa, race, realTimeQa } from './multiple-choice.js';
import { musique } from './musique.js';
import { pubmedqa } from './pubmedqa.js';
import { qampari } from './qampari.js';
import { deepeval, llamaIndex, ragas, ragasOld } from './ragas.js';
import { rgb } from './rgb.js';
import { scifact } from './scifact.js';
import { boolq, gsm8k, nqOpen, popqa, strategyqa, webQuestions } from './short-answers.js';
import { mrqa, squad, squadFlat } from './squad.js';
import { triviaqa, triviaqaHf } from './triviaqa.js';
import { truthfulqa, truthfulqaChoices, truthfulqaHf } from './truthfulqa.js';

/** This project's own shape first, which names what several read alike. */
export const DATASETS: readonly Dataset[] = [
  ...[durableRag, flashrag, nqOpen, webQuestions, popqa, triviaqa, triviaqaHf],
  ...[squad, squadFlat, mrqa, hotpotqa, twoWiki, musique, strategyqa, boolq],
  ...[asqa, alceAsqa, qampari, alceQampari, eli5, alceEli5, ambigqa],
  ...[dpr, dprTraining, kilt, beir, fever, foolMeTwice, scifact],
  ...[pubmedqa, bioasq, crag, multihopRag, rgb, gsm8k],
  ...[ragas, ragasOld, deepeval, llamaIndex],
  ...[arc, arcHf, openBookQa, mmlu, medqa, race, realTimeQa],
  ...[truthfulqa, truthfulqaHf, truthfulqaChoices],
];
