/** The shapes of data set lines by name, for those whose line is not understood. Pure. */
import { plainName } from './fields.js';

export const SHAPES: Readonly<Record<string, readonly string[]>> = {
  'this project': ['id', 'question', 'answers', 'passages'],
  FlashRAG: ['id', 'question', 'golden_answers', 'metadata', 'choices'],
  'NQ-open': ['question', 'answer'],
  'DPR and FiD': ['question', 'answers', 'ctxs'],
  'DPR training': ['question', 'answers', 'positive_ctxs', 'negative_ctxs', 'hard_negative_ctxs'],
  'ALCE and ASQA': ['sample_id', 'question', 'answer', 'qa_pairs', 'claims', 'annotations', 'docs'],
  QAMPARI: ['qid', 'question_text', 'answer_list'],
  'HotpotQA and 2WikiMultihopQA': ['_id', 'question', 'answer', 'context', 'supporting_facts'],
  MuSiQue: ['id', 'question', 'answer', 'answer_aliases', 'answerable', 'paragraphs'],
  SQuAD: ['id', 'title', 'context', 'question', 'answers', 'is_impossible'],
  KILT: ['id', 'input', 'output', 'meta'],
  TriviaQA: ['QuestionId', 'Question', 'Answer'],
  AmbigQA: ['id', 'question', 'annotations', 'nq_answer', 'viewed_doc_titles'],
  StrategyQA: ['qid', 'term', 'question', 'answer', 'facts', 'decomposition', 'evidence'],
  'FEVER and FoolMeTwice': ['id', 'claim', 'label', 'evidence', 'gold_evidence'],
  SciFact: ['id', 'claim', 'evidence', 'cited_doc_ids'],
  PubMedQA: ['pubid', 'question', 'context', 'long_answer', 'final_decision'],
  BioASQ: ['id', 'body', 'type', 'snippets', 'exact_answer', 'ideal_answer'],
  CRAG: ['interaction_id', 'query', 'answer', 'alt_ans', 'search_results'],
  'MultiHop-RAG': ['query', 'answer', 'question_type', 'evidence_list'],
  RGB: ['id', 'query', 'answer', 'positive', 'negative'],
  RAGAS: ['user_input', 'reference', 'retrieved_contexts', 'response', 'question', 'ground_truth'],
  'multiple choice': ['id', 'question', 'choices', 'answerKey', 'answer'],
};

/** Which shapes are read, and which of them a line is nearest to. */
export function nearestShape(value: unknown): string {
  const names = new Set(
    typeof value === 'object' && value ? Object.keys(value).map(plainName) : [],
  );
  let nearest = 'this project';
  let most = 0;
  for (const [shape, fields] of Object.entries(SHAPES)) {
    const shared = fields.filter((field) => names.has(plainName(field))).length;
    const likeness = shared / (fields.length + names.size - shared);
    if (likeness <= most) continue;
    most = likeness;
    nearest = shape;
  }
  const others = Object.keys(SHAPES).filter(
    (shape) => shape !== nearest && shape !== 'this project',
  );
  const whose = nearest === 'this project' ? "this project's" : `that of ${nearest}`;
  return `The nearest shape that is read is ${whose} (${SHAPES[nearest]?.join(', ')}); also read are those of ${others.join(', ')}: see docs/datasets.md`;
}
