/**
 * The five methods as calls in a row: every step gets what the steps before it really wrote. The
 * selections and loops of the workflows are left out where they decide only whether a step is asked
 * (a search for what is missing follows a good verdict too), so that few questions reach all steps.
 */

import type { QueryEvidence } from '../../core/vocabulary.js';
import { selectSupporting } from '../../workflows/llatrieval/progressive-selection.js';
import { orderedPairs } from '../../workflows/sure/rank-candidates.js';
import type { Asking } from './asking.js';
import { search, shownPassages, type Turn } from './questions.js';
import type { StepName } from './recorded.js';

/** Passages shown at once: few, since two cores read a hundred tokens a second. */
const SHOWN = 3;

interface Scenario {
  /** The scenario runs as long as one of them is wanted. */
  steps: readonly StepName[];
  /** @param turn counted from 0: forms of a step that exclude each other take turns. */
  run(turn: Turn, number: number, asking: Asking): Promise<void>;
}

export const scenarios: Record<string, Scenario> = {
  sure: {
    steps: ['generateCandidates', 'summarize', 'validate', 'rankPair', 'read'],
    async run({ question: shown }, _, { stepsOf, wants }) {
      const { question } = shown;
      const step = stepsOf(shown.id);
      const passages = await search(shown, question, SHOWN);
      const named = { question, passages, count: 2, demonstrations: [] };
      const candidates = await step.generateCandidates(named);
      if (wants('read')) await step.read({ question, passages, demonstrations: [] });
      if (candidates.length === 1) {
        // A small model often names one: what it answers from memory is weighed against it.
        const other = await step.read({ question, passages: [], demonstrations: [] });
        if (other !== null && other !== candidates[0]) candidates.push(other);
      }
      const summaries: { k: number; summary: string }[] = [];
      for (const [k, candidate] of candidates.entries()) {
        if (candidates.length === 1 || !wants('rankPair')) break;
        const summary = await step.summarize({ question, passages, candidates, k });
        summaries.push({ k, summary });
        if (wants('validate')) await step.validate({ question, candidate, summary });
      }
      for (const [first, second] of orderedPairs(summaries)) {
        if (wants('rankPair')) await step.rankPair({ question, first, second });
      }
    },
  },

  chainOfNote: {
    steps: ['takeNotes', 'takeNote', 'answerFromNotes'],
    async run({ question: shown }, number, { stepsOf, wants }) {
      const { question } = shown;
      const step = stepsOf(shown.id);
      const passages = await search(shown, question, SHOWN);
      const examples = number % 2 === 1;
      if (wants('takeNotes')) await step.takeNotes({ question, passages, examples });
      if (!wants('answerFromNotes')) return;
      const two = passages.slice(0, 2);
      const notes = [];
      for (const [k, passage] of two.entries()) {
        notes.push(await step.takeNote({ question, passage, k }));
      }
      await step.answerFromNotes({ question, passages: two, notes });
    },
  },

  llatrieval: {
    steps: [
      ...(['hypotheticalPassage', 'summarizeDocument', 'selectDocuments', 'verifyScore'] as const),
      ...(['verifyClassify', 'missingInfoQuery', 'answerWithCitations', 'judgeClaim'] as const),
    ],
    async run({ question: shown }, number, { stepsOf, wants }) {
      const { question } = shown;
      const step = stepsOf(shown.id);
      if (wants('hypotheticalPassage')) await step.hypotheticalPassage({ question });
      const found = await search(shown, question, SHOWN + 1);
      const documents = await shownPassages.get(found);
      for (const document of documents.slice(0, 2)) {
        if (!wants('summarizeDocument')) continue;
        const text = await step.summarizeDocument({ question, passage: document.id });
        document.text = text ?? document.text;
      }
      const count = SHOWN - 1;
      const place = { iteration: 1, selection: 1 };
      const named = await step.selectDocuments({ question, count, documents, ...place });
      const passages = selectSupporting([], found, named, count);
      const supporting = passages.length > 0 ? passages : found.slice(0, count);
      const shownBoth = { question, passages: supporting };
      if (wants('verifyScore')) await step.verifyScore(shownBoth);
      if (wants('verifyClassify')) await step.verifyClassify({ ...shownBoth, demonstration: null });
      const style = number % 2 === 0 ? 'question' : 'passage';
      if (wants('missingInfoQuery')) await step.missingInfoQuery({ ...shownBoth, style });
      if (!wants('answerWithCitations')) return;
      const form = shown.id.startsWith('webq') || number % 4 === 3 ? 'list' : 'prose';
      const answer = await step.answerWithCitations({ ...shownBoth, form, demonstrations: [] });
      const claim = answer?.replace(/\[[^\]]*\]/g, '').split(/(?<=[.!?])\s/)[0];
      if (claim && wants('judgeClaim')) await step.judgeClaim({ claim, premise: supporting });
    },
  },

  allies: {
    steps: ['answerWithEvidence', 'scoreAnswer', 'askSubQueries', 'condenseEvidence'],
    async run({ question: shown }, _, { stepsOf, wants }) {
      const { question } = shown;
      const step = stepsOf(shown.id);
      const passages = await search(shown, question, SHOWN - 1);
      const evidence = await step.condenseEvidence({ question, query: question, passages });
      const history: QueryEvidence[] = [{ query: question, evidence }];
      for (const known of [[], history]) {
        if (!wants('answerWithEvidence') && !wants('scoreAnswer')) continue;
        const answer = await step.answerWithEvidence({ question, history: known });
        if (answer !== null) await step.scoreAnswer({ question, history: known, answer });
      }
      if (!wants('askSubQueries')) return;
      const [query] = await step.askSubQueries({ question, history, count: 2 });
      if (query === undefined || !wants('askSubQueries')) return;
      const further = await search(shown, query, SHOWN - 1);
      const more = await step.condenseEvidence({ question, query, passages: further });
      await step.askSubQueries({
        question,
        history: [...history, { query, evidence: more }],
        count: 2,
      });
    },
  },

  genread: {
    steps: ['generateDocument', 'readBackground', 'checkClaim', 'reply'],
    async run({ question: shown, claim }, number, { stepsOf, wants }) {
      const { question } = shown;
      const step = stepsOf(shown.id);
      if (wants('checkClaim')) {
        const check = stepsOf(claim.id);
        const task = 'factChecking';
        // A claim without passages is checked by what is made up on it, as GenRead does.
        const documents =
          claim.passages.length > 0
            ? []
            : [await check.generateDocument({ query: claim.question, task })];
        const passages = claim.passages.slice(0, SHOWN);
        await check.checkClaim({ passages, documents, claim: claim.question });
      }
      if (!wants('readBackground') && !wants('reply')) return;
      const text = await step.generateDocument({ query: question, humanPrompt: 1 + (number % 10) });
      const background = { passages: shown.passages.slice(0, 1), documents: [text] };
      const readerPrompt = 1 + (number % 3);
      await step.readBackground({ ...background, question, readerPrompt });
      await step.reply({ ...background, utterance: question });
    },
  },
};
