/** What the fields of a data set line may be called, and what looks like one of them. Pure. */
import { distance } from 'fastest-levenshtein';

export type Role = 'id' | 'question' | 'answers' | 'passages';

/** Accepted names, the first this project's own; letter case and separators do not count. */
export const ROLE_FIELDS = {
  id: [
    ...['id', '_id', 'qid', 'question_id', 'query_id', 'sample_id', 'example_id', 'uid', 'q_id'],
    ...['claim_id', 'record_id', 'interaction_id', 'pubid', 'uuid', 'guid', 'unique_id'],
    ...['item_id', 'row_id', 'task_id', 'test_id'],
    ...['idx', 'index'],
  ],
  question: [
    ...['question', 'query', 'claim', 'statement', 'input', 'user_input', 'ambiguous_question'],
    ...['question_text', 'question_sentence', 'question_stem', 'prompt', 'problem', 'utterance'],
    'body',
  ],
  answers: [
    ...['answers', 'answer', 'golden_answers', 'gold_answers', 'gold_answer', 'ground_truth'],
    ...['ground_truths', 'reference', 'references', 'reference_answer', 'reference_answers'],
    ...['correct_answer', 'correct_answers', 'best_answer', 'possible_answers', 'target'],
    ...['targets', 'expected_answer', 'expected_answers', 'expected_output', 'expected', 'ideal'],
    ...['expected_response', 'golden_answer', 'gold', 'right_answer', 'true_answer'],
    ...['answer_list', 'short_answers', 'exact_answer', 'final_decision'],
    ...['mc0_targets', 'mc1_targets', 'mc2_targets', 'target_scores'],
    ...['answerKey', 'answer_idx', 'answer_index', 'correct_option', 'correct_choice'],
    ...['correct_index', 'correct_idx', 'correct'],
    ...['answer_aliases', 'aliases', 'alt_ans', 'alt_answers', 'alternative_answers'],
    ...['alternate_answers', 'additional_answers', 'long_answers', 'long_answer', 'ideal_answer'],
  ],
  passages: [
    ...['passages', 'passage', 'context', 'contexts', 'ctxs', 'docs', 'documents', 'document'],
    ...['paragraphs', 'paragraph', 'retrieved_contexts', 'retrieved_passages'],
    ...['retrieved_documents', 'retrieved_docs', 'retrieval_context', 'search_results'],
    ...['entity_pages', 'snippets', 'chunks', 'quotes', 'article', 'articles'],
    ...['positive_ctxs', 'hard_negative_ctxs', 'negative_ctxs', 'positive_passages'],
    ...['negative_passages', 'positive', 'positive_wrong', 'negative', 'pos', 'neg'],
    ...['gold_evidence', 'retrieved_evidence', 'evidence', 'evidence_list', 'facts', 'fact1'],
    ...['fact2', 'support', 'supports', 'retrieved_context', 'reference_contexts'],
    ...['reference_context', 'gold_contexts', 'gold_context', 'gold_passages', 'gold_passage'],
  ],
} as const satisfies Record<Role, readonly string[]>;

const plainNames = new Map<string, string>();

/**
 * Known names that look like a role and hold something else: what a model said, what is wrong on
 * purpose, references without a text.
 */
const OTHERS = new Set(
  [
    ...['response', 'prediction', 'predicted_answer', 'generated_answer', 'model_answer', 'output'],
    ...['actual_output', 'result', 'completion', 'pred', 'nq_answer', 'answer_id'],
    ...['detected_answers', 'normalized_aliases', 's_aliases', 'o_aliases', 'entities_in_answer'],
    ...['supporting_facts', 'evidences', 'evidences_id', 'provenance', 'wikipages', 'fact'],
    ...['documents_sentences', 'question_ctx', 'question_context', 'combinedfact', 'label'],
  ].map(plainName),
);
/** What is wrong on purpose: incorrect_answers, Incorrect Answer 1, fakeanswer. */
const WRONG = /(?:incorrect|wrong|fake|false|plausible|hallucinated)\w*answer/;
/** Passages that are only named: gold_ids, relevant_passage_ids. */
const NAMED = /^(?:gold|relevant|excluded|positive|negative|supporting)\w*ids(?:long)?$/;

/** Whether a field of this name is known to hold none of what is read. */
export function holdsOther(name: string): boolean {
  const plain = plainName(name);
  return OTHERS.has(plain) || WRONG.test(plain) || NAMED.test(plain);
}

/** A name without letter case and separators: `_id`, `ID` and `id` are the same. */
export function plainName(name: string): string {
  return remembered(plainNames, name, () => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

/**
 * Lines have the same few names again and again; a file that has others in every line must not
 * fill the memory.
 */
function remembered<T>(known: Map<string, T>, name: string, of: () => T): T {
  const found = known.get(name);
  if (found !== undefined) return found;
  const value = of();
  if (known.size < 1000) known.set(name, value);
  return value;
}

/** Whether a field of this name is read in a role. */
export function accepts(role: Role, name: string): boolean {
  return ACCEPTED[role].has(plainName(name));
}

const ACCEPTED: Readonly<Record<Role, ReadonlySet<string>>> = {
  id: new Set(ROLE_FIELDS.id.map(plainName)),
  question: new Set(ROLE_FIELDS.question.map(plainName)),
  answers: new Set(ROLE_FIELDS.answers.map(plainName)),
  passages: new Set(ROLE_FIELDS.passages.map(plainName)),
};

const WORDS: Record<'answers' | 'passages', ReadonlySet<string>> = {
  answers: new Set(
    'answer answers ans gold golden truth truths reference references target targets solution solutions alias aliases'.split(
      ' ',
    ),
  ),
  passages: new Set(
    'passage passages psgs paragraph paragraphs paras context contexts ctx ctxs document documents doc docs evidence evidences snippet snippets chunk chunks article articles excerpt excerpts retrieved retrieval background knowledge facts'.split(
      ' ',
    ),
  ),
};
const ID_WORDS = new Set(['id', 'ids', 'qid', 'uid', 'guid', 'uuid', 'key', 'idx', 'index']);
/** Whose id it is, when it is not the question's. */
const OTHERS_ID =
  /^(?:answer|page|wiki|wikipedia|wikidata|entity|entities|user|worker|annotator|subj|obj|prop|title|topic|category)/;
/** What a field says about answers or passages, without holding any. */
const ABOUT = new Set(
  'type types start starts end ends offset offsets count counts len length lengths url urls uri uris link links title titles date dates score scores source sources category format language lang model num n has is name names class embedding embeddings metadata meta message messages by token tokens'.split(
    ' ',
  ),
);

/** The role that a field looks like by its name and value, though its name is not accepted. */
export function looksLike(name: string, value: unknown): Role | undefined {
  const role = remembered(roles, name, () => roleOf(name) ?? 'none');
  if (role === 'none')
    return HOLDERS.test(plainName(name)) && isProse(value) ? 'passages' : undefined;
  if (role === 'id')
    return typeof value === 'string' || typeof value === 'number' ? role : undefined;
  return holdsText(value) ? role : undefined;
}

/** Names that are as often something else, so that the value decides. */
const HOLDERS = /(?:texts?|stor(?:y|ies)|contents?|sources|nodes|hits|candidates|pages)$/;

/** A text of several words, or a list with one in it, however deep. */
function isProse(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.trim().split(/\s+/, 6).length === 6;
  if (typeof value !== 'object' || value === null || depth > 4) return false;
  return Object.values(value).some((held) => isProse(held, depth + 1));
}

const roles = new Map<string, Role | 'none'>();

function roleOf(name: string): Role | undefined {
  if (holdsOther(name)) return undefined;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  if (ID_WORDS.has(words.at(-1) ?? '')) {
    const others = OTHERS_ID.test(words[0] ?? '') || words.some((word) => WORDS.passages.has(word));
    return others ? undefined : 'id';
  }
  if (words.some((word) => ABOUT.has(word) || ID_WORDS.has(word))) return undefined;
  return (['passages', 'answers'] as const).find(
    (role) =>
      words.some((word) => WORDS[role].has(word)) ||
      ROLE_FIELDS[role].some((known) => isTypo(plainName(name), plainName(known))),
  );
}

function holdsText(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((held) =>
      Array.isArray(held) ? held.length > 0 : typeof held !== 'number',
    )
  );
}

/** One wrong letter in a name of five, two in one of seven; shorter names are too near others. */
function isTypo(name: string, known: string): boolean {
  if (known.length < 5 || name.length < 5) return false;
  return distance(name, known) <= (known.length < 7 ? 1 : 2);
}

/** The accepted name of a role that is nearest to another. */
export function nearestField(role: Role, name: string): string {
  return [...ROLE_FIELDS[role]].reduce((nearest, known) =>
    distance(name, known) < distance(name, nearest) ? known : nearest,
  );
}
