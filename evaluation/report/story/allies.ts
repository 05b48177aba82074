/** The story of ALLIES: its beam as a tree. Pure. */
import type { AlliesChain, AlliesState, StateFlag, Stopped } from '../../../methods/allies.js';
import type { Section, TreeNode } from '../page-data.js';
import { chip, passageList, said, section, type Teller } from './parts.js';

const STOPPED: Record<Stopped, string> = {
  threshold: 'ended by a score above the threshold',
  depth: 'ended at the greatest depth',
  noExtension: 'ended because a depth brought no answer',
};

const FLAGS: Record<StateFlag, string> = {
  noEvidence: 'no evidence',
  unreadableAnswer: 'answer unreadable',
  unreadableScore: 'score unreadable',
};

/** Each state under the state that it extends. */
export function alliesStory({ states, chosen, stopped }: AlliesChain, teller: Teller): Section[] {
  const nodeOf = (state: AlliesState): TreeNode => ({
    ...describe(state, teller),
    chosen: state.id === chosen,
    children: states.filter(({ parent }) => parent === state.id).map(nodeOf),
  });
  const items = states.filter(({ parent }) => parent === null).map(nodeOf);
  return section('Beam search', items.length === 0 ? [] : [{ type: 'tree', items }], {
    note: `${states.length} states, ${STOPPED[stopped]}`,
  });
}

function describe(
  { depth, subQuery, passages, evidence, answer, score, kept, flags }: AlliesState,
  teller: Teller,
): Omit<TreeNode, 'children'> {
  return {
    title: subQuery ?? 'From what the model knows',
    chips: [
      chip(answer ?? 'no answer', answer === null ? 'bad' : 'plain'),
      chip(score.toFixed(2), score > 0.7 ? 'good' : score < 0.3 ? 'bad' : 'warn'),
      ...(kept ? [chip(depth === 0 ? 'seed' : 'kept')] : [chip('dropped', 'warn')]),
      ...flags.map((flag) => chip(FLAGS[flag], 'warn')),
    ],
    blocks: [...said('Evidence', evidence), ...passageList(passages, teller)],
  };
}
