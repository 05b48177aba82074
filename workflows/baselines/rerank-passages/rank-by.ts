import type { PassageRef } from '../../../core/vocabulary.js';
import type { Question } from '../../algorithm.js';
import { nameCandidates } from '../../sure/candidates.js';
import { selectCandidate } from '../../sure/rank-candidates.js';
import { judgeCandidates } from '../../sure/sure.js';
import { rankInWindows, STRIDE, WINDOW } from '../rank-gpt/sliding-window.js';
import type { PassageRanking, RankedBy, RerankPassagesOptions } from './method.js';

type Asked = Question<RerankPassagesOptions>;
type Order = (asked: Asked, passages: PassageRef[]) => Promise<Omit<PassageRanking, 'by'>>;

/** Returns the passages in the order asked for; nothing is paid where there are none. */
export async function rankBy(
  by: RankedBy,
  asked: Asked,
  passages: PassageRef[],
): Promise<PassageRanking> {
  return { by, ...(passages.length === 0 ? { ranked: [] } : await orders[by](asked, passages)) };
}

const orders: Record<RankedBy, Order> = {
  retrieval: async (_, passages) => ({ ranked: passages }),

  embedding: async ({ question, step }, passages) => ({
    ranked: await step.rankBySimilarity({ text: question, ...all(passages) }),
  }),

  crossEncoder: async ({ question, step }, passages) => ({
    ranked: await step.rankByCrossEncoder({ text: question, ...all(passages) }),
  }),

  async genericSummary(asked, passages) {
    const { passages: ids } = all(passages);
    const summary = await asked.step.summarizeGeneric({ question: asked.question, passages: ids });
    return nearest(asked, passages, summary);
  },

  async sureSummary(asked, passages) {
    const { passages: ids } = all(passages);
    const count = asked.options.answerCandidates;
    const named = await nameCandidates(asked, ids, { candidates: count, demonstrations: [] });
    // A candidate that is the only one needs no verdict for its summary to be the one chosen.
    const selection = named.length > 1 ? 'validityAndRanking' : 'ranking';
    const { candidates, votes } = await judgeCandidates(asked, selection, ids, named);
    const summary = candidates.length === 0 ? '' : selectCandidate(candidates).summary;
    return { candidates, votes, ...(await nearest(asked, passages, summary ?? '')) };
  },

  async model(asked, passages) {
    const { order } = await rankInWindows(asked, all(passages).passages, {
      window: WINDOW,
      stride: STRIDE,
    });
    const byId = new Map(passages.map((passage) => [passage.id, passage]));
    const inOrder = order.flatMap((id) => byId.get(id) ?? []);
    return { ranked: inOrder.map((passage, i) => ({ ...passage, score: 1 / (i + 1) })) };
  },
};

/** By similarity to a summary; as they stood where nothing could be read of one. */
async function nearest(
  { step }: Asked,
  passages: PassageRef[],
  text: string,
): Promise<{ summary: string | null; ranked: PassageRef[] }> {
  return text === ''
    ? { summary: null, ranked: passages }
    : { summary: text, ranked: await step.rankBySimilarity({ text, ...all(passages) }) };
}

/** None is left out of an order, however few are read. */
function all(passages: readonly PassageRef[]): { passages: string[]; count: number } {
  return { passages: passages.map(({ id }) => id), count: passages.length };
}
