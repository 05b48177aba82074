/**
 * The durable peer: SuRe as a LangGraph graph, with a checkpoint in SQLite after every step.
 *
 * The saver is LangGraph's own. SQLite is libsql, in the place of better-sqlite3, whose binary is
 * fetched or compiled when it is installed.
 */
import { Annotation, END, Send, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';

const added = () => Annotation({ reducer: (all, more) => all.concat(more), default: () => [] });

/** As its documentation has it: passages are in the state, parallel steps are sent to. */
const State = Annotation.Root({
  question: Annotation(),
  found: Annotation(),
  candidates: Annotation(),
  summaries: added(),
  verdicts: added(),
  votes: added(),
});

/**
 * @param {import('../speed/sure-calls.js').SureCalls} calls
 * @param {string} file Where the checkpoints are kept.
 * @returns {(question: string) => Promise<void>}
 */
export function langGraphSure(calls, file) {
  const checkpointer = SqliteSaver.fromConnString(file);
  // As better-sqlite3 has it in a log that is written ahead.
  checkpointer.db.pragma('synchronous = normal');
  const graph = new StateGraph(State)
    .addNode('retrieve', async ({ question }) => ({ found: await calls.retrieve(question) }))
    .addNode('generateCandidates', async ({ question, found }) => ({
      candidates: await calls.generateCandidates(question, found),
    }))
    .addNode('summarize', async ({ asked, k }) => ({
      summaries: [await calls.summarize(asked.question, asked.found, asked.candidates, k)],
    }))
    // A name of its own for where the summaries meet.
    .addNode('judge', () => ({}))
    .addNode('validate', async ({ question, summarized }) => ({
      verdicts: [await calls.validate(question, summarized)],
    }))
    .addNode('rankPair', async ({ question, pair: [first, second] }) => ({
      votes: [await calls.rankPair(question, first, second)],
    }))
    .addEdge(START, 'retrieve')
    .addEdge('retrieve', 'generateCandidates')
    .addConditionalEdges(
      'generateCandidates',
      ({ question, found, candidates }) =>
        candidates.map(
          (_, k) => new Send('summarize', { asked: { question, found, candidates }, k }),
        ),
      ['summarize'],
    )
    .addEdge('summarize', 'judge')
    .addConditionalEdges(
      'judge',
      ({ question, summaries }) => [
        ...summaries.map((summarized) => new Send('validate', { question, summarized })),
        ...calls.pairsOf(summaries).map((pair) => new Send('rankPair', { question, pair })),
      ],
      ['validate', 'rankPair'],
    )
    .addEdge('validate', END)
    .addEdge('rankPair', END)
    .compile({ checkpointer });

  return async (question) => {
    const { votes } = await graph.invoke(
      { question },
      { configurable: { thread_id: question }, durability: 'sync' },
    );
    if (votes.length !== 2) throw new Error(`"${question}" has ${votes.length} votes.`);
  };
}
