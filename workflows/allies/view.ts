/** ALLIES: its beam as a tree of states, and what the answer rests on. Pure. */

import type { Section, TreeNode } from '../../core/section.js';
import { cards, chip, count, passages, section, text } from '../../report/views/parts.js';
import type { AlliesChain, AlliesState, StateFlag, Stopped } from './options.js';

const STOPPED: Record<Stopped, string> = {
  threshold: 'a score reached the threshold',
  depth: 'the greatest depth was reached',
  noExtension: 'no further state had an answer',
};

export function alliesView({ states, chosen, stopped }: AlliesChain): Section[] {
  /** Returns the states under the state that they extend. */
  const nodesUnder = (parent: number | null): TreeNode[] =>
    states
      .filter((state) => state.parent === parent)
      .map((state) => ({
        ...nodeOf(state),
        chosen: state.id === chosen,
        children: nodesUnder(state.id),
      }));
  const items = nodesUnder(null);
  const grounds = pathTo(states, chosen).flatMap(({ subQuery, evidence }) =>
    subQuery === null ? [] : [{ title: subQuery, chips: [], blocks: text(evidence) }],
  );
  return [
    ...section('Beam search', items.length === 0 ? [] : [{ type: 'tree', items }], {
      note: `${count(states.length, 'state')}; ${STOPPED[stopped]}`,
    }),
    ...section('What the answer rests on', cards(grounds)),
  ];
}

function nodeOf(state: AlliesState): Omit<TreeNode, 'children'> {
  const { depth, subQuery, evidence, answer, score, kept, flags } = state;
  const has = (flag: StateFlag) => flags.includes(flag);
  const tone = score > 0.7 ? 'good' : score < 0.3 ? 'bad' : 'warn';
  return {
    title: subQuery ?? 'From what the model knows',
    chips: [
      has('unreadableScore') ? chip('score unreadable', 'warn') : chip(score.toFixed(2), tone),
      has('unreadableAnswer')
        ? chip('answer unreadable', 'warn')
        : chip(answer ?? 'no answer', answer === null ? 'bad' : 'plain'),
      ...(has('noEvidence') ? [chip('no evidence', 'warn')] : []),
      kept ? chip(depth === 0 ? 'seed' : 'kept') : chip('dropped', 'warn'),
    ],
    dropped: !kept,
    blocks: [...text(evidence, 'Evidence'), ...passages(state.passages)],
  };
}

/** Returns the states from a seed to the chosen one. */
function pathTo(states: readonly AlliesState[], id: number | null): AlliesState[] {
  const state = states.find((one) => one.id === id);
  return state ? [...pathTo(states, state.parent), state] : [];
}
